// The line to the engine: bearer token, time limits, bounded answers, and one error for each way it can fail.
import { readFile } from 'node:fs/promises';
import { type Clock, isAbortError, systemClock } from '@fairlead/base';
import { Agent, type Dispatcher, request } from 'undici';
import { EngineRefusedError, EngineUnreachableError } from './errors.ts';

export interface ConnectionOptions {
  readonly url: string;
  /** Read again every minute and after a 401, so that a rotated token is picked up. */
  readonly tokenFile: string;
  readonly clock?: Clock;
  readonly timeoutMs?: number;
}

export interface EngineRequest {
  readonly method: 'GET' | 'POST' | 'PUT' | 'DELETE';
  readonly path: string;
  readonly query?: Readonly<Record<string, string>>;
  readonly body?: object | string;
  readonly signal?: AbortSignal | undefined;
}

const tokenFreshMs = 60_000;
/** Manifests of all resources of one application; more than that is refused rather than held. */
const maxAnswerBytes = 64 * 1024 * 1024;
/** One line of a streamed answer; a log line is the longest. */
const maxLineBytes = 1024 * 1024;

export class EngineConnection {
  readonly #options: ConnectionOptions;
  readonly #base: string;
  readonly #clock: Clock;
  readonly #agent = new Agent({ connections: 64, pipelining: 1, connect: { timeout: 5_000 }, bodyTimeout: 0 });
  #token: { readonly value: string; readonly readAtMs: number } | undefined;

  constructor(options: ConnectionOptions) {
    this.#options = options;
    this.#base = options.url.replace(/\/+$/, '');
    this.#clock = options.clock ?? systemClock;
  }

  close(): Promise<void> {
    return this.#agent.destroy();
  }

  async send(call: EngineRequest): Promise<unknown> {
    const limit = AbortSignal.timeout(this.#options.timeoutMs ?? 30_000);
    const signal = call.signal ? AbortSignal.any([call.signal, limit]) : limit;
    const { statusCode, body } = await this.#ask({ ...call, signal }, call.signal);
    const text = await this.#within(call, () => limitedText(body));
    if (statusCode >= 200 && statusCode < 300) return text === '' ? {} : JSON.parse(text);
    throw new EngineRefusedError(statusCode, refusalOf(text) ?? `the engine answered ${statusCode}`);
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

  /** A 401 may only mean that the token was rotated; nothing was done, so asking again is safe. */
  async #ask(call: EngineRequest, caller: AbortSignal | undefined): Promise<Dispatcher.ResponseData> {
    const first = await this.#exchange(call, caller);
    if (first.statusCode !== 401) return first;
    await first.body.dump();
    this.#token = undefined;
    return this.#exchange(call, caller);
  }

  async #exchange(call: EngineRequest, caller: AbortSignal | undefined): Promise<Dispatcher.ResponseData> {
    const { method, path, query = {}, body, signal } = call;
    const options = {
      method,
      dispatcher: this.#agent,
      headers: {
        authorization: `Bearer ${await this.#bearer()}`,
        accept: 'application/json',
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      },
      query,
      body: body === undefined ? null : JSON.stringify(body),
      ...(signal ? { signal } : {}),
    };
    return this.#within({ method, path, signal: caller }, () => request(`${this.#base}${path}`, options));
  }

  async #within<T>({ method, path, signal }: EngineRequest, work: () => Promise<T>): Promise<T> {
    try {
      return await work();
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
