import { createHash, timingSafeEqual } from 'node:crypto';
import type { MiddlewareHandler } from 'hono';
import { getCookie } from 'hono/cookie';
import { ArgoError } from './argo-error.ts';

const digest = (text: string) => createHash('sha256').update(text).digest();

/** Compared in constant time. */
export const isSameSecret = (a: string, b: string): boolean => timingSafeEqual(digest(a), digest(b));

/** `Authorization: Bearer <api-key>`, or Argo CD's cookie. */
export function authenticate(apiKey: string): MiddlewareHandler {
  return async (context, next) => {
    const bearer = /^Bearer +(\S+)$/i.exec(context.req.header('authorization') ?? '')?.[1];
    const token = bearer ?? getCookie(context, 'argocd.token');
    if (!token) throw new ArgoError('Unauthenticated', 'no session information');
    if (!isSameSecret(token, apiKey)) throw new ArgoError('Unauthenticated', 'invalid session: token is not valid');
    await next();
  };
}
