// The built-in git server: smart HTTP in front of `git upload-pack` and `git receive-pack`.
//
// Promises: every request but /healthz and /metrics needs the key; a repository comes into being at its first push; after a push the
// webhooks tell exactly the refs that git's post-receive hook reported, neither guessed from the request nor raced by
// another push. Not promised: permissions per repository, ssh, the dumb protocol, LFS.
import { createHash, timingSafeEqual } from 'node:crypto';
import { readFile, rm } from 'node:fs/promises';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { join } from 'node:path';
import { errorMessage, exec, type Logger, newId } from '@fairlead/base';
import { gitEnvironment } from '../mirror/index.ts';
import { CommitStatuses } from './commit-statuses.ts';
import { PullRequests } from './pull-requests.ts';
import { parseRefUpdates, pushPayload, type RefUpdate } from './push-payload.ts';
import { Repositories } from './repositories.ts';
import { isApiPath, serveApi } from './repository-api.ts';
import { parseRepositoryPath } from './repository-path.ts';
import { type GitService, type SmartRequest, serveByGit, serviceOf } from './smart-http.ts';
import { WebhookSender } from './webhook-sender.ts';

interface GitServerOptions {
  readonly dir: string;
  readonly apiKey: string;
  readonly log: Logger;
  /** How others reach this server, without a slash at the end; asked when a payload is written. */
  readonly publicUrl: () => string;
  readonly webhookUrls?: readonly string[];
  readonly webhookSecret?: string | undefined;
  /** Prometheus text for `/metrics`. */
  readonly metrics?: () => Promise<string>;
  readonly maxConcurrent?: number;
  readonly maxPushBytes?: number;
}

/** Pushes, of all repositories: each leaves a few loose objects, and only thousands of them are worth a pack. */
const tidyEvery = 20;

export class GitServer {
  readonly http: Server;
  readonly #options: GitServerOptions;
  readonly #repositories: Repositories;
  readonly #pulls = new PullRequests();
  readonly #statuses = new CommitStatuses();
  readonly #webhooks: WebhookSender;
  readonly #keyDigest: Buffer;
  #running = 0;
  readonly counts = { requests: 0, pushes: 0, refused: 0, busy: 0 };

  constructor(options: GitServerOptions) {
    this.#options = options;
    this.#repositories = new Repositories(options.dir);
    const { webhookUrls: urls = [], webhookSecret: secret, log } = options;
    this.#webhooks = new WebhookSender({ urls, secret, log });
    this.#keyDigest = digest(options.apiKey);
    this.http = createServer((incoming, response) => {
      this.#serve(incoming, response).catch((error: unknown) => this.#fail(response, error));
    });
    this.http.requestTimeout = 0; // a large push may take longer than node's five minutes
  }

  /** Makes the folders; call before listening. */
  async prepare(): Promise<void> {
    await this.#repositories.prepare();
  }

  /** After the socket was closed. */
  async stop(): Promise<void> {
    await this.#webhooks.stop();
  }

  get webhookCounts(): Readonly<WebhookSender['counts']> {
    return this.#webhooks.counts;
  }

  async #serve(incoming: IncomingMessage, response: ServerResponse): Promise<void> {
    const url = new URL(incoming.url ?? '/', 'http://localhost');
    if (url.pathname === '/healthz') return answer(response, 200, 'ok\n');
    if (url.pathname === '/metrics') return answer(response, 200, (await this.#options.metrics?.()) ?? '');
    this.counts.requests++;
    const user = this.#userOf(incoming);
    if (user === undefined) {
      this.counts.refused++;
      response.setHeader('WWW-Authenticate', 'Basic realm="Fairlead git", charset="UTF-8"');
      return answer(response, 401, 'any user name, with the api-key as password\n');
    }
    if (isApiPath(url.pathname))
      return this.#bounded(response, () => this.#serveApi(incoming, response, { url, user }));
    const request = parseRepositoryPath(url.pathname);
    if (!request) return answer(response, 404, 'not found: repositories are /<org>/<name>.git\n');
    const isAdvertisement = request.resource === '/info/refs';
    const service = serviceOf(isAdvertisement ? url.searchParams.get('service') : request.resource.slice(1));
    const refusal = service ? refusalOf(incoming, service, isAdvertisement) : dumbRefusal;
    if (!service || refusal) return answer(response, ...(refusal ?? dumbRefusal));
    if (service === 'receive-pack') await this.#repositories.create(request.repository);
    else if (!(await this.#repositories.exists(request.repository))) {
      return answer(response, 404, `repository ${request.repository} not found; the first push makes it\n`);
    }
    const asked = { repository: request.repository, service, isAdvertisement, user };
    return this.#bounded(response, () => this.#serveGit(incoming, response, asked));
  }

  async #bounded(response: ServerResponse, work: () => Promise<void>): Promise<void> {
    if (this.#running >= (this.#options.maxConcurrent ?? 64)) {
      this.counts.busy++;
      response.setHeader('Retry-After', '1');
      return answer(response, 503, 'too many requests at once\n');
    }
    this.#running++;
    try {
      await work();
    } finally {
      this.#running--;
    }
  }

  async #serveApi(
    incoming: IncomingMessage,
    response: ServerResponse,
    { url, user }: { url: URL; user: string },
  ): Promise<void> {
    const { status, body } = await serveApi(incoming, url, {
      repositories: this.#repositories,
      pulls: this.#pulls,
      statuses: this.#statuses,
      publicUrl: this.#options.publicUrl(),
      user,
      moved: (repository, update) => this.#announce({ repository, user }, [update]),
    });
    answer(response, status, JSON.stringify(body), 'application/json');
  }

  async #serveGit(
    incoming: IncomingMessage,
    response: ServerResponse,
    request: Pick<SmartRequest, 'service' | 'isAdvertisement' | 'user'> & { readonly repository: string },
  ): Promise<void> {
    const reportFile = join(this.#repositories.reportsDir, newId('push'));
    try {
      await serveByGit(incoming, response, {
        ...request,
        gitDir: this.#repositories.gitDirOf(request.repository),
        hooksDir: this.#repositories.hooksDir,
        maxPushBytes: this.#options.maxPushBytes ?? 1024 * 1024 * 1024,
        reportFile,
        tidies: this.counts.pushes % tidyEvery === 0,
      });
    } finally {
      // A client that leaves before the answer may still have pushed.
      if (request.service === 'receive-pack' && !request.isAdvertisement)
        await this.#announce(request, await takeReport(reportFile));
    }
  }

  async #announce(
    { repository, user }: { repository: string; user: string },
    updates: readonly RefUpdate[],
  ): Promise<void> {
    if (updates.length === 0) return;
    this.counts.pushes++;
    const gitDir = this.#repositories.gitDirOf(repository);
    try {
      await adoptFirstBranch(gitDir, updates);
      const publicUrl = this.#options.publicUrl();
      for (const update of updates) {
        this.#webhooks.send(await pushPayload(update, { gitDir, repository, publicUrl, pusher: user }));
      }
    } catch (error) {
      this.#options.log.warn({ repository, error: errorMessage(error) }, 'a push could not be announced');
    }
  }

  #userOf(incoming: IncomingMessage): string | undefined {
    const encoded = /^Basic +(\S+)$/i.exec(incoming.headers.authorization ?? '')?.[1];
    if (!encoded) return undefined;
    const text = Buffer.from(encoded, 'base64').toString('utf8');
    const colon = text.indexOf(':');
    if (colon < 0) return undefined;
    const isRight = timingSafeEqual(digest(text.slice(colon + 1)), this.#keyDigest);
    return isRight ? text.slice(0, colon) || 'git' : undefined;
  }

  #fail(response: ServerResponse, error: unknown): void {
    if (response.destroyed) return; // the client left; there is nobody to tell
    this.#options.log.warn({ error: errorMessage(error) }, 'a git request failed');
    if (response.headersSent) response.destroy();
    else answer(response, 500, 'the git server could not serve this request\n');
  }
}

/** Hashed first, so that lengths are equal and nothing is learnt from the time a comparison takes. */
const digest = (text: string) => createHash('sha256').update(text).digest();

type Refusal = readonly [status: number, text: string];
const dumbRefusal: Refusal = [403, "only git's smart protocol is spoken here\n"];

function refusalOf(
  { method, headers }: IncomingMessage,
  service: GitService,
  isAdvertisement: boolean,
): Refusal | undefined {
  const wanted = isAdvertisement ? 'GET' : 'POST';
  if (method !== wanted) return [405, `${wanted} is the only method here\n`];
  const type = `application/x-git-${service}-request`;
  return isAdvertisement || headers['content-type'] === type ? undefined : [415, `expected the content type ${type}\n`];
}

function answer(response: ServerResponse, status: number, text: string, type = 'text/plain'): void {
  response.writeHead(status, { 'content-type': `${type}; charset=utf-8` });
  response.end(text);
}

async function takeReport(reportFile: string): Promise<RefUpdate[]> {
  const report = await readFile(reportFile, 'utf8').catch(() => ''); // absent: no ref was changed
  await rm(reportFile, { force: true });
  return parseRefUpdates(report);
}

/** A repository whose first push brings no `main` takes the branch it brings as its default. */
async function adoptFirstBranch(gitDir: string, updates: readonly RefUpdate[]): Promise<void> {
  const branch = updates.find(({ ref, before }) => ref.startsWith('refs/heads/') && /^0+$/.test(before))?.ref;
  if (!branch) return;
  const env = gitEnvironment();
  const head = await exec('git', ['--git-dir', gitDir, 'rev-parse', '--verify', '--quiet', 'HEAD'], {
    env,
    okExitCodes: [0, 1],
    timeoutMs: 10_000,
  });
  if (head.exitCode === 0) return;
  await exec('git', ['--git-dir', gitDir, 'symbolic-ref', 'HEAD', branch], { env, timeoutMs: 10_000 });
}
