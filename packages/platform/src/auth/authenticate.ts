// Who calls. A route says what kind of caller it takes, and only that kind of credential is looked at there: a runtime's
// token is nothing at a user's route, an API key is nothing at a runtime's.
import { sha256Hex } from '@fairlead/base';
import { type Caller, callerOfKey, callerOfSession, type RuntimeRecord, type Store } from '../store/index.ts';
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

/** An Authorization header wins over a cookie; a bad header is an error, never a fall-back to the cookie. */
export async function authenticateUser({ store }: AuthDeps, credentials: RequestCredentials): Promise<Caller> {
  const { authorization, sessionToken } = credentials;
  const caller =
    authorization === undefined
      ? await callerByToken(store, sessionToken)
      : await callerByKey(store, bearer(authorization));
  if (!caller) throw new AuthError();
  return caller;
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

async function callerByToken({ db, clock }: Store, token: string | undefined): Promise<Caller | undefined> {
  if (token === undefined || token.length > maxTokenLength) return undefined;
  return callerOfSession(db, { tokenHash: sha256Hex(token), now: new Date(clock.now()) });
}

const callerByKey = ({ db, clock }: Store, key: string): Promise<Caller | undefined> =>
  callerOfKey(db, { keyHash: sha256Hex(key), now: new Date(clock.now()) });
