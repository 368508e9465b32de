// One request through `git http-backend` (CGI). Bodies are streamed both ways with back-pressure, never held in memory;
// compressed request bodies are unpacked by git itself. When the client goes away the child is killed.
import { spawn } from 'node:child_process';
import { access, constants } from 'node:fs/promises';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { exec, FairleadError } from '@fairlead/base';
import { gitEnvironment } from '../mirror/index.ts';

interface BackendRequest {
  readonly projectRoot: string;
  /** `/org/name.git/info/refs`. */
  readonly pathInfo: string;
  readonly query: string;
  readonly user: string;
  readonly hooksDir: string;
  readonly maxPushBytes: number;
  /** Where the post-receive hook writes the refs that changed. */
  readonly reportFile: string;
  /** As `backendCommand` has found it. */
  readonly command: readonly [program: string, ...args: string[]];
}

/** The program itself where it lies beside git's others: going through `git` is one process more for each request. */
export async function backendCommand(): Promise<BackendRequest['command']> {
  const { stdout } = await exec('git', ['--exec-path'], { env: gitEnvironment(), timeoutMs: 10_000 });
  const program = join(stdout.toString('utf8').trim(), 'git-http-backend');
  return access(program, constants.X_OK).then(
    () => [program],
    () => ['git', 'http-backend'],
  );
}

const maxHeaderBytes = 64 * 1024;

function environment(incoming: IncomingMessage, request: BackendRequest): Record<string, string> {
  const { headers } = incoming;
  const env = gitEnvironment();
  const count = Number(env['GIT_CONFIG_COUNT']);
  const config = [
    ['http.receivepack', 'true'],
    ['core.hooksPath', request.hooksDir],
    ['receive.maxInputSize', String(request.maxPushBytes)],
    ['receive.autogc', 'true'],
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
  const optional = {
    CONTENT_TYPE: headers['content-type'],
    CONTENT_LENGTH: headers['content-length'],
    HTTP_CONTENT_ENCODING: headers['content-encoding'],
    GIT_PROTOCOL: single(headers['git-protocol']),
  };
  for (const [name, value] of Object.entries(optional)) if (value !== undefined) env[name] = value;
  return {
    ...env,
    GIT_PROJECT_ROOT: request.projectRoot,
    GIT_HTTP_EXPORT_ALL: '1',
    PATH_INFO: request.pathInfo,
    QUERY_STRING: request.query,
    REQUEST_METHOD: incoming.method ?? 'GET',
    REMOTE_USER: request.user,
    REMOTE_ADDR: incoming.socket.remoteAddress ?? '',
    FAIRLEAD_PUSH_REPORT: request.reportFile,
  };
}

const single = (value: string | string[] | undefined) => (Array.isArray(value) ? value[0] : value);

/** Resolves when the whole answer was handed to the client; rejects when git failed or the client left. */
export async function serveByGit(
  incoming: IncomingMessage,
  response: ServerResponse,
  request: BackendRequest,
): Promise<void> {
  const [program, ...args] = request.command;
  const child = spawn(program, args, {
    env: environment(incoming, request),
    stdio: ['pipe', 'pipe', 'pipe'],
  });
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
  try {
    // git may answer and exit before it has read the whole body; that is its right.
    const sending = pipeline(incoming, child.stdin).catch(() => undefined);
    await pipeline(answerBody(child.stdout, response), response);
    await sending;
    const code = await exited;
    if (code !== 0) throw new FairleadError('git_backend', `git http-backend exited with ${code}: ${complaint.trim()}`);
  } finally {
    response.off('close', stopChild);
    child.kill('SIGKILL');
  }
}

/** Takes the CGI header off the front of the output, sends it as HTTP's, and gives the rest. */
async function* answerBody(output: AsyncIterable<Buffer>, response: ServerResponse): AsyncGenerator<Buffer> {
  let head: Buffer | undefined = Buffer.alloc(0);
  for await (const chunk of output) {
    if (head === undefined) {
      yield chunk;
      continue;
    }
    head = Buffer.concat([head, chunk]);
    const end = head.indexOf('\r\n\r\n');
    if (end < 0 && head.length > maxHeaderBytes)
      throw new FairleadError('git_backend', 'git http-backend sent no header');
    if (end < 0) continue;
    writeHead(head.toString('latin1', 0, end), response);
    const rest = head.subarray(end + 4);
    head = undefined;
    if (rest.length > 0) yield rest;
  }
  if (head !== undefined) throw new FairleadError('git_backend', 'git http-backend sent no header');
}

function writeHead(head: string, response: ServerResponse): void {
  let status = 200;
  for (const line of head.split('\r\n')) {
    const colon = line.indexOf(':');
    const name = line.slice(0, colon).trim();
    const value = line.slice(colon + 1).trim();
    if (name.toLowerCase() === 'status') status = Number.parseInt(value, 10) || 500;
    else if (colon > 0) response.setHeader(name, value);
  }
  response.writeHead(status);
}
