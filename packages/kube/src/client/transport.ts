// One cluster's sockets: an undici agent with the cluster's own authority pinned, bearer or certificate identity, and
// retries for what is safe to repeat. Promises: every call ends by answer, timeout or abort; nothing of a credential
// reaches an error text. Does not know kinds.
import { backoffDelay, type Clock, isAbortError, type Random, sleep, systemClock } from '@fairlead/base';
import { Agent, type Dispatcher, ProxyAgent, request } from 'undici';
import { type Credential, CredentialError, Credentials } from './credentials.ts';
import { apiErrorOf, KubeApiError, KubeConnectionError } from './errors.ts';
import type { ClusterConnection } from './kubeconfig.ts';

export interface TransportOptions {
  readonly clock?: Clock;
  readonly random?: Random;
  /** Until the whole answer of a plain request is here; default 30 s. */
  readonly timeoutMs?: number;
  /** Sockets to the cluster at most; further requests wait. Watches hold one each. Default 256. */
  readonly maxConnections?: number;
  readonly userAgent?: string;
}

export interface ApiRequest {
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  readonly path: string;
  readonly query?: Readonly<Record<string, string | number | boolean | undefined>>;
  readonly body?: unknown;
  readonly contentType?: string;
  readonly accept?: string;
  readonly signal?: AbortSignal | undefined;
  readonly timeoutMs?: number;
  /** Asked right before the request is sent, each time it is; throws when it must not be. */
  readonly guard?: (() => void) | undefined;
}

const maxAttempts = 4;
/**
 * An unused socket is closed after this, or earlier where the server says so: a handshake costs both ends more than most requests.
 * API servers keep theirs for 90 s, the strictest balancers before them for 60 s.
 */
const idleSocketMs = 30_000;

export class Transport {
  readonly #connection: ClusterConnection;
  #agent: Dispatcher;
  #issuedCertificate: string | undefined;
  readonly #credentials: Credentials;
  readonly #maxConnections: number;
  readonly #clock: Clock;
  readonly #random: Random;
  readonly #timeoutMs: number;
  readonly #userAgent: string;

  constructor(connection: ClusterConnection, options: TransportOptions = {}) {
    this.#connection = connection;
    this.#clock = options.clock ?? systemClock;
    this.#random = options.random ?? Math.random;
    this.#timeoutMs = options.timeoutMs ?? 30_000;
    this.#userAgent = options.userAgent ?? 'fairlead';
    this.#maxConnections = options.maxConnections ?? 256;
    this.#credentials = new Credentials(connection, this.#clock);
    this.#agent = this.#newAgent({});
  }

  #newAgent(credential: Credential): Dispatcher {
    const { ca, insecureSkipTlsVerify, tlsServerName, proxyUrl } = this.#connection;
    const {
      clientCertificate: cert = this.#connection.clientCertificate,
      clientKey: key = this.#connection.clientKey,
    } = credential;
    const tls = {
      timeout: 10_000,
      rejectUnauthorized: insecureSkipTlsVerify !== true,
      ...(ca === undefined ? {} : { ca }),
      ...(cert === undefined ? {} : { cert }),
      ...(key === undefined ? {} : { key }),
      ...(tlsServerName === undefined ? {} : { servername: tlsServerName }),
    };
    // Deadlines are ours: one per request, see #send.
    const common = {
      connections: this.#maxConnections,
      pipelining: 1,
      headersTimeout: 0,
      bodyTimeout: 0,
      keepAliveTimeout: idleSocketMs,
    };
    return proxyUrl
      ? new ProxyAgent({ ...common, uri: proxyUrl, requestTls: tls, proxyTunnel: true })
      : new Agent({ ...common, connect: tls });
  }

  /** A certificate that a program has given out belongs to the sockets: new ones are opened for a new one. */
  async #identify(): Promise<string | undefined> {
    const credential = await this.#credentials.current();
    const { clientCertificate, authorization } = credential;
    if (clientCertificate !== this.#issuedCertificate) {
      const former = this.#agent;
      this.#issuedCertificate = clientCertificate;
      this.#agent = this.#newAgent(credential);
      void former.close();
    }
    return authorization;
  }

  /** The parsed JSON answer (text when it is none). 429, 503 and, for reads, lost connections are tried again. */
  async json(call: ApiRequest): Promise<unknown> {
    const timeoutMs = call.timeoutMs ?? this.#timeoutMs;
    for (let attempt = 0; ; attempt++) {
      const deadline = this.#deadline(call, timeoutMs);
      try {
        const response = await this.#send(call, deadline.signal);
        return parseBody(await response.body.text(), response);
      } catch (error) {
        const failure = deadline.translate(error);
        const delayMs = this.#retryDelay(call, failure, attempt);
        if (delayMs === undefined) throw failure;
        await sleep(delayMs, { signal: call.signal, clock: this.#clock });
      } finally {
        deadline.clear();
      }
    }
  }

  /** The answer as a stream of bytes; the deadline counts until the headers are here, then only `signal` ends it. */
  async stream(call: ApiRequest): Promise<AsyncIterable<Buffer>> {
    const deadline = this.#deadline(call, call.timeoutMs ?? this.#timeoutMs);
    try {
      const { statusCode, body } = await this.#send(call, deadline.signal);
      if (statusCode >= 400) throw apiErrorOf(tryParse(await body.text()), statusCode);
      return body as AsyncIterable<Buffer>; // undici's body yields Buffers unless an encoding is set
    } catch (error) {
      deadline.clear();
      throw deadline.translate(error);
    } finally {
      deadline.stopTimer();
    }
  }

  close(): Promise<void> {
    return this.#agent.destroy();
  }

  async #send(call: ApiRequest, signal: AbortSignal): Promise<Dispatcher.ResponseData> {
    const authorization = await this.#identify();
    const response = await this.#sendAs(authorization, call, signal);
    // What a program or a file gave out may have been taken back: it is asked for once more.
    if (response.statusCode !== 401 || !this.#credentials.forget(authorization)) return response;
    await response.body.dump();
    return this.#sendAs(await this.#identify(), call, signal);
  }

  async #sendAs(
    authorization: string | undefined,
    call: ApiRequest,
    signal: AbortSignal,
  ): Promise<Dispatcher.ResponseData> {
    const headers: Record<string, string> = {
      accept: call.accept ?? 'application/json',
      'user-agent': this.#userAgent,
      ...(authorization === undefined ? {} : { authorization }),
    };
    call.guard?.();
    if (call.body !== undefined) headers['content-type'] = call.contentType ?? 'application/json';
    return request(`${this.#connection.server}${call.path}${queryString(call.query)}`, {
      method: call.method,
      dispatcher: this.#agent,
      headers,
      signal,
      ...(call.body === undefined ? {} : { body: JSON.stringify(call.body) }),
    });
  }

  #deadline(call: ApiRequest, timeoutMs: number) {
    const controller = new AbortController();
    const onAbort = () => controller.abort(call.signal?.reason);
    if (call.signal?.aborted) onAbort();
    call.signal?.addEventListener('abort', onAbort, { once: true });
    const timedOut = new KubeConnectionError(`${this.#name(call)} had no answer within ${timeoutMs} ms`, {});
    const cancel = this.#clock.after(timeoutMs, () => controller.abort(timedOut));
    return {
      signal: controller.signal,
      stopTimer: cancel,
      /** Ends the link to the caller's signal too; not for streams, which go on after their headers. */
      clear: () => {
        cancel();
        call.signal?.removeEventListener('abort', onAbort);
      },
      translate: (error: unknown): unknown => {
        if (call.signal?.aborted) return call.signal.reason;
        if (isAbortError(error) && !controller.signal.aborted) return error; // the guard's
        if (error === timedOut || error instanceof KubeApiError || error instanceof CredentialError) return error;
        if (isAbortError(error) && controller.signal.reason === timedOut) return timedOut;
        return new KubeConnectionError(`${this.#name(call)} failed`, { cause: error });
      },
    };
  }

  #name(call: ApiRequest): string {
    return `${call.method} ${this.#connection.server}${call.path}`;
  }

  #retryDelay(call: ApiRequest, failure: unknown, attempt: number): number | undefined {
    if (attempt + 1 >= maxAttempts || call.signal?.aborted) return undefined;
    const jitterMs = backoffDelay(attempt, { baseMs: 200, maxMs: 5000, random: this.#random });
    if (failure instanceof KubeApiError) {
      const isRefusal = failure.status === 429 || (failure.status === 503 && call.method === 'GET');
      if (!isRefusal) return undefined;
      const seconds = failure.details.retryAfterSeconds;
      return seconds === undefined ? jitterMs : Math.min(seconds, 30) * 1000 + jitterMs;
    }
    return failure instanceof KubeConnectionError && call.method === 'GET' ? jitterMs : undefined;
  }
}

function queryString(query: ApiRequest['query'] = {}): string {
  const parameters = new URLSearchParams();
  for (const [name, value] of Object.entries(query)) {
    if (value !== undefined && value !== '') parameters.set(name, String(value));
  }
  const text = parameters.toString();
  return text === '' ? '' : `?${text}`;
}

function tryParse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text; // some answers (healthz, proxies' pages) are plain text; the caller sees the text itself
  }
}

function parseBody(text: string, { statusCode, headers }: Dispatcher.ResponseData): unknown {
  const body = tryParse(text);
  if (statusCode < 400) return body;
  const error = apiErrorOf(body, statusCode);
  const seconds = Number(headers['retry-after']);
  if (!Number.isInteger(seconds) || error.details.retryAfterSeconds !== undefined) throw error;
  const { status, reason, message, details } = error;
  throw new KubeApiError({ status, reason, message, details: { ...details, retryAfterSeconds: seconds } });
}
