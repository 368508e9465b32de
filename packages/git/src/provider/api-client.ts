// JSON over HTTP to one provider. Waits as long as the provider asks, if that is short; tries again what is safe to try
// again (reads, and calls that were turned away unread); reads a bounded answer; turns statuses into typed errors.
// The token goes to the provider's own origin only: links in answers are never followed.
import { anySignal, backoffDelay, type Clock, readAll, sleep, systemClock } from '@fairlead/base';
import {
  ProviderAuthenticationError,
  ProviderForbiddenError,
  ProviderNotFoundError,
  ProviderRateLimitError,
  ProviderRefusedError,
  ProviderUnavailableError,
} from './errors.ts';
import { type Refusal, readRefusal } from './failure-reason.ts';
import { fetchTrusting, unreachable } from './fetch-trusting.ts';
import type { CallOptions } from './git-provider.ts';

export interface ApiClientOptions {
  /** For messages: `GitHub`, `the built-in git server`. */
  readonly name: string;
  /** Without a slash at the end. */
  readonly baseUrl: string;
  readonly headers: Readonly<Record<string, string>>;
  /** Stands before every JSON answer; Gerrit's guard against script inclusion. */
  readonly jsonPrefix?: string | undefined;
  /** PEM, in place of whom the machine believes. */
  readonly authority?: string | undefined;
  readonly clock?: Clock | undefined;
  readonly timeoutMs?: number | undefined;
  /** A provider that asks to wait longer than this is an error to the caller. */
  readonly maxWaitMs?: number | undefined;
  readonly maxAttempts?: number | undefined;
}

export interface ApiRequest {
  readonly method?: 'GET' | 'POST' | 'PUT';
  readonly path: string;
  readonly query?: Readonly<Record<string, string | undefined>>;
  readonly body?: unknown;
}

export interface ApiAnswer {
  readonly headers: Headers;
  readonly body: unknown;
}

const maxAnswerBytes = 16 * 1024 * 1024;

export class ApiClient {
  readonly #options: ApiClientOptions;
  readonly #clock: Clock;

  constructor(options: ApiClientOptions) {
    this.#options = options;
    this.#clock = options.clock ?? systemClock;
  }

  async call(request: ApiRequest, options: CallOptions = {}): Promise<ApiAnswer> {
    const { maxAttempts = 3, maxWaitMs = 10_000 } = this.#options;
    for (let attempt = 1; ; attempt++) {
      try {
        return await this.#once(request, options);
      } catch (error) {
        if (attempt >= maxAttempts) throw error;
        const delayMs = delayBefore(error, { isRead: (request.method ?? 'GET') === 'GET', attempt });
        if (delayMs === undefined || delayMs > maxWaitMs) throw error;
        await sleep(delayMs, { signal: options.signal, clock: this.#clock });
      }
    }
  }

  async #once({ method = 'GET', path, query = {}, body }: ApiRequest, { signal }: CallOptions): Promise<ApiAnswer> {
    const { name, baseUrl, headers, authority, timeoutMs = 15_000 } = this.#options;
    const what = `${name}: ${method} ${path}`;
    const url = new URL(`${baseUrl}${path}`);
    for (const [key, value] of Object.entries(query)) if (value !== undefined) url.searchParams.set(key, value);
    const deadline = AbortSignal.timeout(timeoutMs);
    try {
      const response = await fetchTrusting(authority, url, {
        method,
        headers: { ...headers, ...(body === undefined ? {} : { 'content-type': 'application/json' }) },
        // Renamed repositories redirect; a write that follows would become a read.
        redirect: method === 'GET' ? 'follow' : 'manual',
        signal: signal ? anySignal([signal, deadline]) : deadline,
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      });
      const text = (await readAll(response.body, { maxBytes: maxAnswerBytes })).toString('utf8');
      if (!response.ok) throw this.#errorOf(what, response, readRefusal(text, response.headers));
      const { jsonPrefix = '' } = this.#options;
      const json = text.startsWith(jsonPrefix) ? text.slice(jsonPrefix.length) : text;
      return { headers: response.headers, body: parseJson(what, json) };
    } catch (error) {
      signal?.throwIfAborted();
      if (deadline.aborted) throw new ProviderUnavailableError(what, `no answer within ${timeoutMs} ms`);
      if (error instanceof TypeError)
        throw new ProviderUnavailableError(what, unreachable(url, error), { cause: error });
      throw error;
    }
  }

  #errorOf(what: string, { status, headers }: Response, { reason, missingScopes }: Refusal): Error {
    const waitMs = this.#waitAsked(headers);
    if (status === 429 || (status === 403 && waitMs !== undefined))
      return new ProviderRateLimitError(what, waitMs ?? 60_000);
    if (status === 401) return new ProviderAuthenticationError(what);
    if (status === 403) return new ProviderForbiddenError(what, reason || 'forbidden', missingScopes);
    if (status === 404) return new ProviderNotFoundError(what);
    if (status >= 500) return new ProviderUnavailableError(what, `status ${status}${reason ? `: ${reason}` : ''}`);
    return new ProviderRefusedError(what, status, reason || `status ${status}`);
  }

  /** `retry-after` in seconds or as a date; else the time a used-up limit is filled again. */
  #waitAsked(headers: Headers): number | undefined {
    const after = headers.get('retry-after');
    if (after !== null) {
      const seconds = Number(after);
      const waitMs = Number.isFinite(seconds) ? seconds * 1000 : Date.parse(after) - this.#clock.now();
      if (Number.isFinite(waitMs)) return Math.max(0, waitMs);
    }
    const reset = Number(headers.get('x-ratelimit-reset'));
    if (headers.get('x-ratelimit-remaining') !== '0' || !(reset > 0)) return undefined;
    return Math.max(0, reset * 1000 - this.#clock.now());
  }
}

function delayBefore(error: unknown, { isRead, attempt }: { isRead: boolean; attempt: number }): number | undefined {
  if (error instanceof ProviderRateLimitError) return error.retryAfterMs;
  if (error instanceof ProviderUnavailableError && isRead) return backoffDelay(attempt, { baseMs: 200, maxMs: 2000 });
  return undefined;
}

function parseJson(what: string, text: string): unknown {
  if (text.trim() === '') return undefined;
  try {
    return JSON.parse(text);
  } catch (cause) {
    throw new ProviderUnavailableError(what, 'the answer is not JSON; is this the address of the API?', { cause });
  }
}
