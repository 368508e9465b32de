// One request of git's smart HTTP protocol, by one git child: what `git http-backend` does, without a process of its own for
// each request. Bodies are streamed both ways with back-pressure, never held in memory. When the client goes away the
// child is killed. Not spoken: the dumb protocol.
import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { pipeline } from 'node:stream/promises';
import { createGunzip } from 'node:zlib';
import { FairleadError } from '@fairlead/base';
import { gitEnvironment } from '../mirror/index.ts';

export interface SmartRequest {
  readonly gitDir: string;
  readonly service: GitService;
  /** What may be had and how, or the service itself. */
  readonly isAdvertisement: boolean;
  readonly user: string;
  readonly hooksDir: string;
  readonly maxPushBytes: number;
  /** Where the post-receive hook writes the refs that changed. */
  readonly reportFile: string;
  /** After a push git looks whether there is much to pack. */
  readonly tidies: boolean;
}

const services = ['upload-pack', 'receive-pack'] as const;
export type GitService = (typeof services)[number];

export const serviceOf = (name: string | null): GitService | undefined =>
  services.find((service) => name === `git-${service}`);

const uncached = {
  expires: 'Fri, 01 Jan 1980 00:00:00 GMT',
  pragma: 'no-cache',
  'cache-control': 'no-cache, max-age=0, must-revalidate',
};

/** Resolves when the whole answer was handed to the client; rejects when git failed or the client left. */
export async function serveByGit(
  incoming: IncomingMessage,
  response: ServerResponse,
  request: SmartRequest,
): Promise<void> {
  const { service, gitDir, isAdvertisement } = request;
  const mode = isAdvertisement ? '--http-backend-info-refs' : '--stateless-rpc';
  const child = spawn('git', [service, mode, gitDir], { env: environment(incoming, request) });
  const exited = new Promise<number | null>((resolve, reject) => {
    child.once('error', reject);
    child.once('close', resolve);
  });
  let complaint = '';
  child.stderr.on('data', (chunk: Buffer) => {
    complaint = (complaint + chunk.toString('utf8')).slice(-2000);
  });
  const stopChild = () => void (response.writableFinished || child.kill('SIGKILL'));
  response.once('close', stopChild);
  const ended = async () => {
    const code = await exited;
    if (code !== 0) throw new FairleadError('git_service', `git ${service} exited with ${code}: ${complaint.trim()}`);
  };
  const type = `application/x-git-${service}-${isAdvertisement ? 'advertisement' : 'result'}`;
  try {
    // git may answer and exit before it has read the whole body; that is its right.
    const sending = send(incoming, child).catch(() => undefined);
    const output = (child.stdout as AsyncIterable<Buffer>)[Symbol.asyncIterator]();
    const first = await output.next();
    // A child that fails before it has said anything is told by a status; afterwards only the end of the line can tell.
    if (first.done) await ended();
    response.writeHead(200, { 'content-type': type, ...uncached });
    await pipeline(answerOf(headingOf(incoming, request), first, output), response);
    await sending;
    await ended();
  } finally {
    response.off('close', stopChild);
    child.kill('SIGKILL');
  }
}

function send(incoming: IncomingMessage, child: ChildProcessWithoutNullStreams): Promise<void> {
  const isPacked = /^(?:x-)?gzip$/i.test(incoming.headers['content-encoding'] ?? '');
  return isPacked ? pipeline(incoming, createGunzip(), child.stdin) : pipeline(incoming, child.stdin);
}

async function* answerOf(
  heading: string,
  first: IteratorResult<Buffer>,
  output: AsyncIterator<Buffer>,
): AsyncGenerator<Buffer | string> {
  if (heading) yield heading;
  for (let next = first; !next.done; next = await output.next()) yield next.value;
}

/** Before version 2 an advertisement says first of which service it is. */
function headingOf({ headers }: IncomingMessage, { service, isAdvertisement }: SmartRequest): string {
  if (!isAdvertisement || /(?:^|:)version=2(?:$|:)/.test(single(headers['git-protocol']) ?? '')) return '';
  const line = `# service=git-${service}\n`;
  return `${(line.length + 4).toString(16).padStart(4, '0')}${line}0000`;
}

function environment({ headers, socket }: IncomingMessage, request: SmartRequest): Record<string, string> {
  const env = gitEnvironment();
  const count = Number(env['GIT_CONFIG_COUNT']);
  const config = [
    ['core.hooksPath', request.hooksDir],
    ['receive.maxInputSize', String(request.maxPushBytes)],
    ['receive.autogc', String(request.tidies)],
    ['maintenance.auto', 'true'],
    ['gc.auto', '6700'],
    // Pull requests and statuses go by the API alone.
    ['transfer.hideRefs', 'refs/fairlead'],
    ['transfer.hideRefs', 'refs/notes/fairlead-statuses'],
    ['uploadpack.allowReachableSHA1InWant', 'true'],
  ];
  for (const [index, [key = '', value = '']] of config.entries()) {
    env[`GIT_CONFIG_KEY_${count + index}`] = key;
    env[`GIT_CONFIG_VALUE_${count + index}`] = value;
  }
  env['GIT_CONFIG_COUNT'] = String(count + config.length);
  const protocol = single(headers['git-protocol']);
  return {
    ...env,
    ...(protocol === undefined ? {} : { GIT_PROTOCOL: protocol }),
    GIT_COMMITTER_NAME: request.user,
    GIT_COMMITTER_EMAIL: `${request.user}@http.${socket.remoteAddress ?? ''}`,
    FAIRLEAD_PUSH_REPORT: request.reportFile,
  };
}

const single = (value: string | string[] | undefined) => (Array.isArray(value) ? value[0] : value);
