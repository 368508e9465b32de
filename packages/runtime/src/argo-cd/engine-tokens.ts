// The bearer token for the engine: from a file that may be rotated, or from a session opened with a password, as people
// open one. A token that the engine refuses is forgotten and another one is asked for.
import { readFile } from 'node:fs/promises';
import { type Clock, systemClock } from '@fairlead/base';
import { EngineRefusedError, EngineUnreachableError } from './errors.ts';

export type EngineCredentials =
  | { readonly tokenFile: string }
  | { readonly username: string; readonly passwordFile: string };

/** Opens a session: `POST /api/v1/session`; gives its token. */
type OpenSession = (body: { username: string; password: string }) => Promise<string>;

const fileFreshMs = 60_000;
/** Shorter than the 24 hours that Argo CD gives a session. */
const sessionFreshMs = 3_600_000;
/** Argo CD locks an account after a few wrong passwords: ask seldom while one is wrong. */
const afterRefusalMs = 30_000;

export class EngineTokens {
  readonly #credentials: EngineCredentials;
  readonly #clock: Clock;
  #known: { readonly token: Promise<string>; readonly untilMs: number } | undefined;

  constructor(credentials: EngineCredentials, { clock = systemClock }: { clock?: Clock | undefined } = {}) {
    this.#credentials = credentials;
    this.#clock = clock;
  }

  /** `open` is used for a password only; callers at the same time share one session. */
  token(open: OpenSession): Promise<string> {
    const now = this.#clock.monotonic();
    if (this.#known && now < this.#known.untilMs) return this.#known.token;
    const isFile = 'tokenFile' in this.#credentials;
    const token = this.#ask(open);
    const asked = { token, untilMs: now + (isFile ? fileFreshMs : sessionFreshMs) };
    this.#known = asked;
    token.catch((error: unknown) => {
      if (this.#known !== asked) return;
      const isRefused = error instanceof EngineRefusedError;
      this.#known = isRefused ? { token, untilMs: this.#clock.monotonic() + afterRefusalMs } : undefined;
    });
    return token;
  }

  /** After a 401. A token that somebody has asked for since is kept. */
  async forget(refused: string): Promise<void> {
    const known = this.#known;
    const current = await known?.token.catch(() => undefined); // a refused password stays remembered for its while
    if (current === refused && this.#known === known) this.#known = undefined;
  }

  async #ask(open: OpenSession): Promise<string> {
    const credentials = this.#credentials;
    if ('tokenFile' in credentials) return readSecret(credentials.tokenFile, 'token');
    const password = await readSecret(credentials.passwordFile, 'password');
    try {
      return await open({ username: credentials.username, password });
    } catch (error) {
      if (!(error instanceof EngineRefusedError)) throw error;
      const message = `the engine does not take the password of ${credentials.username}: ${error.message}; put the right one into ${credentials.passwordFile}`;
      throw new EngineRefusedError(error.status, message);
    }
  }
}

async function readSecret(file: string, what: string): Promise<string> {
  try {
    return (await readFile(file, 'utf8')).trim();
  } catch (cause) {
    throw new EngineUnreachableError(`the engine's ${what} file ${file} cannot be read`, { cause, wasSent: false });
  }
}
