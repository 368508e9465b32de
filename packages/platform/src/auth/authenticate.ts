// Who calls. A route says what kind of caller it takes, and only that kind of credential is looked at there: a runtime's
// token is nothing at a user's route, an API key is nothing at a runtime's. Who a user is is asked of the database once a
// second at most, and again after every commit of this process or change heard of from another: what is revoked here
// stops at once, what another process revoked within a second.
import { sha256Hex } from '@fairlead/base';
import {
  type Caller,
  callerOfKey,
  callerOfSession,
  Remembered,
  type RuntimeRecord,
  type Store,
} from '../store/index.ts';
import { AuthError } from './errors.ts';
import { verifyRuntimeToken } from './runtime-token.ts';

interface AuthDeps {
  readonly store: Store;
}

export interface RequestCredentials {
  readonly authorization?: string | undefined;
  readonly sessionToken?: string | undefined;
}

const maxTokenLength = 8_192;

const rememberedForMs = 1_000;
/** Sessions and keys; the ones that came longest ago are asked for again. */
const maxRemembered = 10_000;

export type AuthenticateUser = (credentials: RequestCredentials) => Promise<Caller>;

/** An Authorization header wins over a cookie; a bad header is an error, never a fall-back to the cookie. */
export function userAuthentication({ store }: AuthDeps): AuthenticateUser {
  // Neither part ever falls: the sum is the same only while both are.
  const generation = () => store.generation + Math.floor(store.clock.monotonic() / rememberedForMs);
  const callers = new Remembered<Caller>({ max: maxRemembered, generation });
  // Only who is known is remembered: a refusal is an error, and errors are not.
  const known = (question: string, find: () => Promise<Caller | undefined>) =>
    callers.get(question, async () => {
      const caller = await find();
      if (!caller) throw new AuthError();
      return caller;
    });
  return async ({ authorization, sessionToken }) => {
    const now = new Date(store.clock.now());
    if (authorization !== undefined) {
      const keyHash = sha256Hex(bearer(authorization));
      return known(`key ${keyHash}`, () => callerOfKey(store.db, { keyHash, now }));
    }
    if (sessionToken === undefined || sessionToken.length > maxTokenLength) throw new AuthError();
    const tokenHash = sha256Hex(sessionToken);
    return known(`session ${tokenHash}`, () => callerOfSession(store.db, { tokenHash, now }));
  };
}

export async function authenticateRuntime(
  { store }: AuthDeps,
  { authorization }: RequestCredentials,
): Promise<RuntimeRecord> {
  if (authorization === undefined) throw new AuthError();
  // Reporters of other systems send the token alone.
  const isBare = !authorization.includes(' ') && authorization.length <= maxTokenLength;
  return verifyRuntimeToken(isBare ? authorization : bearer(authorization), { store });
}

function bearer(authorization: string): string {
  const token = /^Bearer ([\x21-\x7e]+)$/.exec(authorization)?.[1];
  if (token === undefined || token.length > maxTokenLength) throw new AuthError();
  return token;
}
