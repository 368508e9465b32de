// Argo CD's REST API, as far as the runtime needs it; our own engine speaks the same. Answers are the engine's own:
// they are read leniently, since every version adds fields.
import { readFile } from 'node:fs/promises';
import { type Clock, isAbortError, systemClock } from '@fairlead/base';
import type {
  Application,
  ApplicationSyncRequest,
  ApplicationTree,
  ManagedResource,
  RevisionMetadata,
} from '@fairlead/contracts';
import { Agent, request } from 'undici';
import { EngineRefusedError, EngineUnreachableError } from './errors.ts';

interface ArgoCdOptions {
  readonly url: string;
  /** Read again every minute and after a 401, so that a rotated token is picked up. */
  readonly tokenFile: string;
  readonly clock?: Clock;
  readonly timeoutMs?: number;
}

export interface ApplicationName {
  readonly namespace: string;
  readonly name: string;
}

export interface EngineVersion {
  readonly kind: 'fairlead' | 'argo-cd';
  readonly version: string;
}

interface Call {
  readonly signal?: AbortSignal | undefined;
}

interface Request {
  readonly method: 'GET' | 'POST' | 'DELETE';
  readonly path: string;
  readonly query?: Readonly<Record<string, string>>;
  readonly body?: object;
  readonly signal?: AbortSignal | undefined;
}

const tokenFreshMs = 60_000;
/** Manifests of all resources of one application; more than that is refused rather than held. */
const maxAnswerBytes = 64 * 1024 * 1024;

export class ArgoCdClient {
  readonly #options: ArgoCdOptions;
  readonly #base: string;
  readonly #clock: Clock;
  readonly #agent = new Agent({ connections: 32, pipelining: 1, connect: { timeout: 5_000 } });
  #token: { readonly value: string; readonly readAtMs: number } | undefined;

  constructor(options: ArgoCdOptions) {
    this.#options = options;
    this.#base = options.url.replace(/\/+$/, '');
    this.#clock = options.clock ?? systemClock;
  }

  async version(call: Call = {}): Promise<EngineVersion> {
    const answer = (await this.#send({ method: 'GET', path: '/api/version', ...call })) as { Version?: string };
    const version = answer.Version ?? '';
    return { kind: version.includes('fairlead') ? 'fairlead' : 'argo-cd', version };
  }

  async getApplication(app: ApplicationName, call: Call = {}): Promise<Application> {
    return (await this.#send({ method: 'GET', ...at(app), ...call })) as Application;
  }

  async resourceTree(app: ApplicationName, call: Call = {}): Promise<ApplicationTree> {
    return (await this.#send({ method: 'GET', ...at(app, '/resource-tree'), ...call })) as ApplicationTree;
  }

  async managedResources(app: ApplicationName, call: Call = {}): Promise<readonly ManagedResource[]> {
    const answer = await this.#send({ method: 'GET', ...at(app, '/managed-resources'), ...call });
    return (answer as { items?: ManagedResource[] }).items ?? [];
  }

  async revisionMetadata(app: ApplicationName, revision: string, call: Call = {}): Promise<RevisionMetadata> {
    const place = at(app, `/revisions/${encodeURIComponent(revision)}/metadata`);
    return (await this.#send({ method: 'GET', ...place, ...call })) as RevisionMetadata;
  }

  async sync(app: ApplicationName, body: ApplicationSyncRequest, call: Call = {}): Promise<void> {
    const { path, query } = at(app, '/sync');
    await this.#send({ method: 'POST', path, query, body: { ...body, name: app.name, ...query }, ...call });
  }

  async refresh(app: ApplicationName, kind: 'normal' | 'hard', call: Call = {}): Promise<void> {
    const { path, query } = at(app);
    await this.#send({ method: 'GET', path, query: { ...query, refresh: kind }, ...call });
  }

  async terminate(app: ApplicationName, call: Call = {}): Promise<void> {
    await this.#send({ method: 'DELETE', ...at(app, '/operation'), ...call });
  }

  close(): Promise<void> {
    return this.#agent.destroy();
  }

  async #send(call: Request): Promise<unknown> {
    const answer = await this.#exchange(call);
    // A 401 may only mean that the token was rotated; nothing was done, so asking again is safe.
    const { status, text } = answer.status === 401 ? await this.#again(call) : answer;
    if (status >= 200 && status < 300) return text === '' ? {} : JSON.parse(text);
    throw new EngineRefusedError(status, refusalOf(text) ?? `the engine answered ${status}`);
  }

  #again(call: Request): Promise<{ status: number; text: string }> {
    this.#token = undefined;
    return this.#exchange(call);
  }

  async #exchange({ method, path, query = {}, body, signal }: Request): Promise<{ status: number; text: string }> {
    const limit = AbortSignal.timeout(this.#options.timeoutMs ?? 30_000);
    const options = {
      method,
      dispatcher: this.#agent,
      headers: {
        authorization: `Bearer ${await this.#bearer()}`,
        accept: 'application/json',
        ...(body ? { 'content-type': 'application/json' } : {}),
      },
      query,
      body: body ? JSON.stringify(body) : null,
      signal: signal ? AbortSignal.any([signal, limit]) : limit,
    };
    try {
      const answer = await request(`${this.#base}${path}`, options);
      return { status: answer.statusCode, text: await limitedText(answer.body) };
    } catch (cause) {
      if (signal?.aborted && isAbortError(cause)) throw cause;
      if (cause instanceof EngineRefusedError) throw cause;
      throw new EngineUnreachableError(`the engine at ${this.#base} did not answer ${method} ${path}`, { cause });
    }
  }

  async #bearer(): Promise<string> {
    const now = this.#clock.monotonic();
    if (!this.#token || now - this.#token.readAtMs > tokenFreshMs) {
      const { tokenFile } = this.#options;
      try {
        this.#token = { value: (await readFile(tokenFile, 'utf8')).trim(), readAtMs: now };
      } catch (cause) {
        throw new EngineUnreachableError(`the engine's token file ${tokenFile} cannot be read`, { cause });
      }
    }
    return this.#token.value;
  }
}

function at({ namespace, name }: ApplicationName, suffix = '') {
  return {
    path: `/api/v1/applications/${encodeURIComponent(name)}${suffix}`,
    query: { appNamespace: namespace },
  } as const;
}

async function limitedText(body: AsyncIterable<Buffer>): Promise<string> {
  const chunks: Buffer[] = [];
  let sizeBytes = 0;
  for await (const chunk of body) {
    sizeBytes += chunk.length;
    if (sizeBytes > maxAnswerBytes)
      throw new EngineRefusedError(502, `the engine's answer is larger than ${maxAnswerBytes}`);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString('utf8');
}

function refusalOf(text: string): string | undefined {
  try {
    const { message, error } = JSON.parse(text) as { message?: unknown; error?: unknown };
    return [message, error].find((part): part is string => typeof part === 'string' && part !== '');
  } catch {
    return undefined; // a proxy's page; the status says enough
  }
}
