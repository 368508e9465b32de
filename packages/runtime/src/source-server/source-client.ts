// How a component asks the source server of its runtime.
import { errorMessage, FairleadError, withDeadline } from '@fairlead/base';
import type { RepositoryKeys, SourceAsk, SourceAskName } from '@fairlead/contracts';
import type { SourceAnswer } from './answers.ts';
import type { SourceKey } from './source-key.ts';

interface ClientOptions {
  readonly url: string;
  /** Read from the runtime's cluster; asked again after it was refused. */
  readonly key: (call: { readonly signal: AbortSignal }) => Promise<SourceKey>;
}

interface Call {
  readonly signal: AbortSignal;
  /** Keys of the person it is asked for; without them, the runtime's own. */
  readonly keys?: RepositoryKeys;
}

/** It was read, and there is no answer: the message says why, in the words of renderer or repository. */
export class SourceRefusedError extends FairleadError {}

/** Longer than any render may take: there is a deadline to each of them. */
const withinMs = 240_000;

export class SourceClient {
  readonly #options: ClientOptions;
  #key: Promise<SourceKey> | undefined;

  constructor(options: ClientOptions) {
    this.#options = options;
  }

  async ask<N extends SourceAskName>(name: N, ask: Omit<SourceAsk<N>, 'as'>, call: Call): Promise<SourceAnswer<N>> {
    const first = await this.#post(name, ask, call);
    if (first.status !== 401) return answerOf<N>(first);
    this.#key = undefined; // the Secret was made anew
    return answerOf<N>(await this.#post(name, ask, call));
  }

  async #post(name: string, ask: object, { signal: leaving, keys }: Call): Promise<{ status: number; text: string }> {
    const key = await this.#currentKey(leaving);
    const body = JSON.stringify(keys ? { ...ask, as: key.seal(keys) } : ask);
    const headers = { authorization: `Bearer ${key.bearer}`, 'content-type': 'application/json' };
    const signal = withDeadline(leaving, withinMs);
    try {
      const answer = await fetch(`${this.#options.url}/v1/${name}`, { method: 'POST', headers, body, signal });
      return { status: answer.status, text: await answer.text() };
    } catch (error) {
      leaving.throwIfAborted();
      const message = `the source server of the runtime does not answer (${errorMessage(error)}); try again`;
      throw new FairleadError('unavailable', message, { cause: error });
    }
  }

  async #currentKey(signal: AbortSignal): Promise<SourceKey> {
    this.#key ??= this.#options.key({ signal });
    try {
      return await this.#key;
    } catch (error) {
      this.#key = undefined;
      throw error;
    }
  }
}

function answerOf<N extends SourceAskName>({ status, text }: { status: number; text: string }): SourceAnswer<N> {
  if (status === 200) return JSON.parse(text) as SourceAnswer<N>; // both ends are of one release
  const { code, message } = refusalIn(text) ?? { code: 'internal', message: `the source server answered ${status}` };
  if (status === 422) throw new SourceRefusedError(code, message);
  throw new FairleadError(status === 503 ? 'unavailable' : code, message);
}

function refusalIn(text: string): { code: string; message: string } | undefined {
  try {
    const { code, message } = JSON.parse(text) as { code?: unknown; message?: unknown };
    return typeof code === 'string' && typeof message === 'string' ? { code, message } : undefined;
  } catch {
    return undefined; // something else answers there
  }
}
