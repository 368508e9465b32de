// One cluster's sockets: an undici agent with the cluster's own authority pinned, bearer or certificate identity, and
// retries for what is safe to repeat. Promises: every call ends by answer, timeout or abort; nothing of a credential
// reaches an error text. Does not know kinds.
import { readFile } from 'node:fs/promises';
import { backoffDelay, type Clock, isAbortError, type Random, sleep, systemClock } from '@fairlead/base';
import { Agent, type Dispatcher, request } from 'undici';
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
}

const maxAttempts = 4;
const tokenFreshMs = 60_000;

export class Transport {
  readonly #connection: ClusterConnection;
  readonly #agent: Agent;
  readonly #clock: Clock;
  readonly #random: Random;
  readonly #timeoutMs: number;
  readonly #userAgent: string;
  #token: { value: string; readAtMs: number } | undefined;

  constructor(connection: ClusterConnection, options: TransportOptions = {}) {
    this.#connection = connection;
    this.#clock = options.clock ?? systemClock;
    this.#random = options.random ?? Math.random;
    this.#timeoutMs = options.timeoutMs ?? 30_000;
    this.#userAgent = options.userAgent ?? 'fairlead';
    this.#agent = new Agent({
      connections: options.maxConnections ?? 256,
      pipelining: 1,
      headersTimeout: 0, // deadlines are ours: one per request, see #send
      bodyTimeout: 0,
      connect: {
        timeout: 10_000,
        rejectUnauthorized: connection.insecureSkipTlsVerify !== true,
        ...(connection.ca === undefined ? {} : { ca: connection.ca }),
        ...(connection.clientCertificate === undefined ? {} : { cert: connection.clientCertificate }),
        ...(connection.clientKey === undefined ? {} : { key: connection.clientKey }),
        ...(connection.tlsServerName === undefined ? {} : { servername: connection.tlsServerName }),
      },
    });
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
    const headers: Record<string, string> = {
      accept: call.accept ?? 'application/json',
      'user-agent': this.#userAgent,
      ...(await this.#authorization()),
    };
    if (call.body !== undefined) headers['content-type'] = call.contentType ?? 'application/json';
    return request(`${this.#connection.server}${call.path}${queryString(call.query)}`, {
      method: call.method,
      dispatcher: this.#agent,
      headers,
      signal,
      ...(call.body === undefined ? {} : { body: JSON.stringify(call.body) }),
    });
  }

  async #authorization(): Promise<Record<string, string>> {
    const { token, tokenFile, username, password } = this.#connection;
    if (tokenFile) {
      const nowMs = this.#clock.monotonic();
      if (!this.#token || nowMs - this.#token.readAtMs > tokenFreshMs) {
        this.#token = { value: (await readFile(tokenFile, 'utf8')).trim(), readAtMs: nowMs };
      }
      return { authorization: `Bearer ${this.#token.value}` };
    }
    if (token) return { authorization: `Bearer ${token}` };
    if (username === undefined) return {};
    return { authorization: `Basic ${Buffer.from(`${username}:${password ?? ''}`).toString('base64')}` };
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
        if (error === timedOut || error instanceof KubeApiError) return error;
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
