import type { Me } from '@fairlead/contracts';
import { createSignInLink, endSession, redeemSignInLink, sessionCookie } from '../../auth/index.ts';
import type { Caller } from '../../store/index.ts';
import type { HandlersOf } from '../handler.ts';
import type { HandlerDeps } from './deps.ts';

type Names = 'createSignInLink' | 'signInByLink' | 'signOut' | 'me';

export function signInHandlers({ store, publicUrl }: HandlerDeps): HandlersOf<Names> {
  const isSecure = () => publicUrl().startsWith('https:');
  return {
    async createSignInLink({ caller }) {
      const { code, expiresAt } = await createSignInLink(store, caller.user.id);
      return { url: `${publicUrl()}/sign-in?code=${code}`, expiresAt };
    },
    async signInByLink({ body, setCookie }) {
      const { caller, sessionToken, expiresAt } = await redeemSignInLink(store, body.code);
      setCookie(sessionCookie(sessionToken, { secure: isSecure(), expiresAt }));
      return toMe(caller);
    },
    async signOut({ sessionToken, setCookie }) {
      await endSession(store, sessionToken);
      setCookie(sessionCookie(undefined, { secure: isSecure() }));
      return null;
    },
    me: ({ caller }) => Promise.resolve(toMe(caller)),
  };
}

function toMe({ user: { id, name, email }, account }: Caller): Me {
  return { user: { id, name, ...(email ? { email } : {}) }, account };
}
