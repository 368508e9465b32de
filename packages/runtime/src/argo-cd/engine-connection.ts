// The line to the engine: bearer token, time limits, bounded answers, and one error for each way it can fail.
import { type Clock, errorMessage, isAbortError, systemClock } from '@fairlead/base';
import { Agent, type Dispatcher, request } from 'undici';
import { type EngineCredentials, EngineTokens } from './engine-tokens.ts';
import { EngineRefusedError, EngineUnreachableError } from './errors.ts';
import type { EnginePlace } from './find-engine.ts';

export interface ConnectionOptions {
  /** Where it is; asked for again with the next call when it could not be told. */
  readonly place: (call: { readonly signal: AbortSignal }) => Promise<EnginePlace>;
  readonly credentials: EngineCredentials;
  readonly clock?: Clock;
  readonly timeoutMs?: number;
}

interface Line {
  readonly base: string;
  readonly agent: Agent;
}

export interface EngineRequest {
  readonly method: 'GET' | 'POST' | 'PUT' | 'DELETE';
  readonly path: string;
  readonly query?: Readonly<Record<string, string>>;
  readonly body?: object | string;
  readonly signal?: AbortSignal | undefined;
}

/** To find the engine and to open a session. */
const sharedWithinMs = 15_000;
/** Manifests of all resources of one application; more than that is refused rather than held. */
const maxAnswerBytes = 64 * 1024 * 1024;
/** One line of a streamed answer; a log line is the longest. */
const maxLineBytes = 1024 * 1024;

export class EngineConnection {
  readonly #options: ConnectionOptions;
  readonly #tokens: EngineTokens;
  #line: Promise<Line> | undefined;

  constructor(options: ConnectionOptions) {
    this.#options = options;
    this.#tokens = new EngineTokens(options.credentials, { clock: options.clock ?? systemClock });
  }

  async close(): Promise<void> {
    const line = await this.#line?.catch(() => undefined); // one that could not be told has nothing to close
    await line?.agent.destroy();
  }

  async send(call: EngineRequest): Promise<unknown> {
    const { statusCode, text } = await this.#limited(call, async (signal) => {
      const { statusCode, body } = await this.#ask({ ...call, signal }, call.signal);
      return { statusCode, text: await this.#within(call, () => limitedText(body)) };
    });
    if (statusCode >= 200 && statusCode < 300) return text === '' ? {} : JSON.parse(text);
    throw new EngineRefusedError(statusCode, refusalOf(text) ?? `the engine answered ${statusCode}`);
  }

  /** With a signal that aborts with the caller's and at the limit, and leaves nothing on the caller's, which may live as long as
   * the process. */
  async #limited<T>({ signal: caller }: EngineRequest, work: (signal: AbortSignal) => Promise<T>): Promise<T> {
    const { clock = systemClock, timeoutMs = 30_000 } = this.#options;
    const controller = new AbortController();
    const timeOut = () => controller.abort(new DOMException(`no answer within ${timeoutMs} ms`, 'TimeoutError'));
    const cancel = clock.after(timeoutMs, timeOut);
    const onAbort = () => controller.abort(caller?.reason);
    caller?.addEventListener('abort', onAbort, { once: true });
    try {
      if (caller?.aborted) onAbort();
      return await work(controller.signal);
    } finally {
      cancel();
      caller?.removeEventListener('abort', onAbort);
    }
  }

  /** Each line of an answer that may last, parsed; ends with the answer or with the signal. */
  async *stream(call: EngineRequest & { readonly signal: AbortSignal }): AsyncGenerator<unknown, void, undefined> {
    const { statusCode, body } = await this.#ask(call, call.signal);
    if (statusCode !== 200) {
      const text = await this.#within(call, () => limitedText(body));
      throw new EngineRefusedError(statusCode, refusalOf(text) ?? `the engine answered ${statusCode}`);
    }
    try {
      for await (const line of linesOf(body)) if (line !== '') yield JSON.parse(line);
    } finally {
      body.destroy();
    }
  }

  /** A 401 may only mean that the token was rotated or the session is over; nothing was done, so asking again is safe. */
  async #ask(call: EngineRequest, caller: AbortSignal | undefined): Promise<Dispatcher.ResponseData> {
    const token = await this.#token();
    const first = await this.#exchange(call, { caller, token });
    if (first.statusCode !== 401) return first;
    await first.body.dump();
    await this.#tokens.forget(token);
    return this.#exchange(call, { caller, token: await this.#token() });
  }

  /** Shared by all callers, so that none of them can end it for the others. */
  #token(): Promise<string> {
    return this.#tokens.token(async (body) => {
      const signal = AbortSignal.timeout(sharedWithinMs);
      const session = { method: 'POST', path: '/api/v1/session', body, signal } as const;
      const { statusCode, body: stream } = await this.#exchange(session, { caller: undefined });
      const text = await this.#within({ ...session, signal: undefined }, () => limitedText(stream));
      if (statusCode !== 200) {
        throw new EngineRefusedError(statusCode, refusalOf(text) ?? `the engine answered ${statusCode}`);
      }
      const { token } = JSON.parse(text) as { token?: unknown };
      if (typeof token === 'string' && token !== '') return token;
      throw new EngineRefusedError(502, 'the engine opened a session without a token');
    });
  }

  async #exchange(
    call: EngineRequest,
    { caller, token }: { readonly caller: AbortSignal | undefined; readonly token?: string },
  ): Promise<Dispatcher.ResponseData> {
    const { method, path, query = {}, body, signal } = call;
    const { base, agent } = await this.#open();
    const options = {
      method,
      dispatcher: agent,
      headers: {
        ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
        accept: 'application/json',
        // Argo CD wants it of every call that changes something, with or without a body.
        ...(method === 'GET' ? {} : { 'content-type': 'application/json' }),
      },
      query,
      body: body === undefined ? null : JSON.stringify(body),
      ...(signal ? { signal } : {}),
    };
    return this.#within({ method, path, signal: caller }, () => request(`${base}${path}`, options));
  }

  #open(): Promise<Line> {
    this.#line ??= this.#options.place({ signal: AbortSignal.timeout(sharedWithinMs) }).then(
      ({ url, ca }) => ({
        base: url.replace(/\/+$/, ''),
        agent: new Agent({
          connections: 64,
          pipelining: 1,
          connect: { timeout: 5_000, ...(ca ? { ca } : {}) },
          bodyTimeout: 0,
        }),
      }),
      (cause: unknown) => {
        this.#line = undefined;
        if (cause instanceof EngineUnreachableError) throw cause;
        const message = `the engine cannot be found: ${errorMessage(cause)}`;
        throw new EngineUnreachableError(message, { cause, wasSent: false });
      },
    );
    return this.#line;
  }

  async #within<T>({ method, path, signal }: EngineRequest, work: () => Promise<T>): Promise<T> {
    try {
      return await work();
    } catch (cause) {
      if (signal?.aborted && isAbortError(cause)) throw cause;
      if (cause instanceof EngineRefusedError) throw cause;
      const message = `the engine did not answer ${method} ${path}: ${errorMessage(cause)}`;
      throw new EngineUnreachableError(message, { cause });
    }
  }
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

async function* linesOf(body: AsyncIterable<Buffer>): AsyncGenerator<string, void, undefined> {
  const decoder = new TextDecoder();
  let rest = '';
  for await (const chunk of body) {
    rest += decoder.decode(chunk, { stream: true });
    const lines = rest.split('\n');
    rest = lines.pop() ?? '';
    if (rest.length > maxLineBytes) {
      throw new EngineRefusedError(502, `a line of the engine's answer is longer than ${maxLineBytes}`);
    }
    yield* lines;
  }
  if (rest !== '') yield rest;
}
