import { createHash, timingSafeEqual } from 'node:crypto';
import type { MiddlewareHandler } from 'hono';
import { getCookie } from 'hono/cookie';
import { ArgoError } from './argo-error.ts';

const digest = (text: string) => createHash('sha256').update(text).digest();

/** `Authorization: Bearer <api-key>`, or Argo CD's cookie. Compared in constant time. */
export function authenticate(apiKey: string): MiddlewareHandler {
  const expected = digest(apiKey);
  return async (context, next) => {
    const bearer = /^Bearer +(\S+)$/i.exec(context.req.header('authorization') ?? '')?.[1];
    const token = bearer ?? getCookie(context, 'argocd.token');
    if (!token) throw new ArgoError('Unauthenticated', 'no session information');
    if (!timingSafeEqual(digest(token), expected))
      throw new ArgoError('Unauthenticated', 'invalid session: token is not valid');
    await next();
  };
}
