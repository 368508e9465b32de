import { sha256Hex } from '@fairlead/base';
import type { Me } from '@fairlead/contracts';
import { appendAudit } from '../../audit/index.ts';
import {
  Attempts,
  AuthError,
  callerOfPassword,
  createSignInLink,
  endSession,
  hashPassword,
  isPassword,
  redeemSignInLink,
  sessionCookie,
  startSession,
} from '../../auth/index.ts';
import { type Caller, gitTokensInNeed, type Transaction } from '../../store/index.ts';
import { ApiFailure } from '../failure.ts';
import type { HandlersOf } from '../handler.ts';
import type { HandlerDeps } from './deps.ts';

type Names = 'createSignInLink' | 'signInByLink' | 'signInByPassword' | 'setPassword' | 'signOut' | 'me';

interface Visit {
  readonly client: string;
  readonly requestId: string;
  setCookie(value: string): void;
}

export function signInHandlers({ store, publicUrl }: HandlerDeps): HandlersOf<Names> {
  const now = () => new Date(store.clock.now());
  const attempts = new Attempts({ clock: store.clock, burst: 10, perMinute: 10 });
  const cookie = { secure: () => publicUrl().startsWith('https:') };
  const enter = async (
    trx: Transaction,
    caller: Caller,
    { client, requestId, setCookie, by }: Visit & { by: string },
  ) => {
    const { sessionToken, expiresAt } = await startSession(trx, { userId: caller.user.id, client, now: now() });
    const entity = { kind: 'user', name: caller.user.name };
    await appendAudit(trx, { caller, requestId, now: now() }, { action: 'session.start', entity, details: { by } });
    setCookie(sessionCookie(sessionToken, { secure: cookie.secure(), expiresAt }));
    return toMe(caller);
  };
  return {
    createSignInLink: ({ caller, requestId }) =>
      store.transaction(async (trx) => {
        refuseDetour(caller);
        const { code, expiresAt } = await createSignInLink(trx, { userId: caller.user.id, now: now() });
        const entity = { kind: 'user', name: caller.user.name };
        await appendAudit(trx, { caller, requestId, now: now() }, { action: 'sign-in-link.create', entity });
        return { url: `${publicUrl()}/sign-in?code=${code}`, expiresAt };
      }),
    signInByLink: (input) =>
      store.transaction(async (trx) => {
        const caller = await redeemSignInLink(trx, { code: input.body.code, now: now() });
        return enter(trx, caller, { ...input, by: 'link' });
      }),
    async signInByPassword(input) {
      const { account = 'local', user, password } = input.body;
      attempts.take(`${account}/${user}`);
      const { caller, isRight } = await callerOfPassword(store, { account, user, password });
      if (isRight && caller) return store.transaction((trx) => enter(trx, caller, { ...input, by: 'password' }));
      if (caller) {
        const note = { action: 'session.start', entity: { kind: 'user', name: user }, outcome: 'denied' } as const;
        const context = { caller, requestId: input.requestId, now: now() };
        await store.transaction((trx) => appendAudit(trx, context, note));
      }
      throw new AuthError('user name or password is wrong');
    },
    async setPassword({ caller, body, requestId, sessionToken }) {
      refuseDetour(caller);
      attempts.take(`password of ${caller.user.id}`);
      const { db } = store;
      const mine = await db
        .selectFrom('users')
        .select('password_hash')
        .where('id', '=', caller.user.id)
        .executeTakeFirstOrThrow();
      if (mine.password_hash !== null && !(await isPassword(body.current ?? '', mine.password_hash))) {
        throw new ApiFailure('forbidden', 'the current password is wrong', { field: 'current' });
      }
      const password_hash = await hashPassword(body.password);
      await store.transaction(async (trx) => {
        await trx.updateTable('users').set({ password_hash }).where('id', '=', caller.user.id).execute();
        await endOtherSessions(trx, { userId: caller.user.id, sessionToken });
        const entity = { kind: 'user', name: caller.user.name };
        await appendAudit(trx, { caller, requestId, now: now() }, { action: 'user.set-password', entity });
      });
      return null;
    },
    async signOut({ sessionToken, setCookie, requestId }) {
      await store.transaction(async (trx) => {
        const caller = await endSession(trx, sessionToken);
        if (!caller) return;
        const entity = { kind: 'user', name: caller.user.name };
        await appendAudit(trx, { caller, requestId, now: now() }, { action: 'session.end', entity });
      });
      setCookie(sessionCookie(undefined, { secure: cookie.secure() }));
      return null;
    },
    async me({ caller }) {
      const tokens = await gitTokensInNeed(store.db, new Date(store.clock.now()), caller.user.id);
      if (tokens.length === 0) return toMe(caller);
      return {
        ...toMe(caller),
        gitTokenWarnings: tokens.map(({ runtime, host, expiresAt, problem }) => ({
          ...{ runtime, host, problem },
          ...(expiresAt === undefined ? {} : { expiresAt }),
        })),
      };
    },
  };
}

const everyScope = ['read', 'act', 'admin'] as const;

/** A session may do all that its user may: a program never gets one, and a key only if it may do all of that itself. */
function refuseDetour({ user, scopes }: Caller): void {
  if (user.kind === 'service') throw new ApiFailure('forbidden', 'a service account does not sign in');
  const lacking = scopes && everyScope.find((scope) => !scopes.includes(scope));
  if (lacking)
    throw new ApiFailure('forbidden', `this API key may not be used for this: it lacks the scope ${lacking}`);
}

async function endOtherSessions(
  trx: Transaction,
  { userId, sessionToken }: { userId: string; sessionToken: string | undefined },
): Promise<void> {
  await trx
    .deleteFrom('sessions')
    .where('user_id', '=', userId)
    .where('token_hash', '<>', sessionToken === undefined ? '' : sha256Hex(sessionToken))
    .execute();
}

function toMe({ user: { id, name, email, role, teams }, account }: Caller): Me {
  return { user: { id, name, ...(email ? { email } : {}), role, teams: [...teams] }, account };
}
