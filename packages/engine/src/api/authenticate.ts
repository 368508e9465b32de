// Who asks: `Authorization: Bearer <token>` or Argo CD's cookie, with the engine's key, a session, or a token of an account
// or of a project's role. Routes learn it by `context.get('caller')`.
import type { MiddlewareHandler } from 'hono';
import { getCookie } from 'hono/cookie';
import { type Caller, type Identities, IdentityError } from '../access/index.ts';
import { ArgoError } from './argo-error.ts';

declare module 'hono' {
  interface ContextVariableMap {
    caller: Caller;
  }
}

export function authenticate(identities: Identities): MiddlewareHandler {
  return async (context, next) => {
    const bearer = /^Bearer +(\S+)$/i.exec(context.req.header('authorization') ?? '')?.[1];
    const token = bearer ?? getCookie(context, 'argocd.token');
    if (!token) throw new ArgoError('Unauthenticated', 'no session information');
    try {
      context.set('caller', await identities.callerOf(token));
    } catch (error) {
      if (!(error instanceof IdentityError)) throw error;
      throw new ArgoError('Unauthenticated', `invalid session: ${error.message}`);
    }
    await next();
  };
}
