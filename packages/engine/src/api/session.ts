// Signing in as Argo CD's clients do. There is one account, `admin`, whose password and token are the api-key.

import { stringAt } from '@fairlead/kube';
import { Hono } from 'hono';
import { deleteCookie, setCookie } from 'hono/cookie';
import type { ApiDeps } from './api-deps.ts';
import { ArgoError } from './argo-error.ts';
import { isSameSecret } from './authenticate.ts';
import { jsonBody } from './read-body.ts';

const cookie = { httpOnly: true, sameSite: 'Lax', path: '/' } as const;

/** Needs no token. */
export function sessionRoutes({ apiKey }: ApiDeps): Hono {
  const api = new Hono();
  api.post('/', async (context) => {
    const body = await jsonBody(context);
    const isRight = stringAt(body, 'username') === 'admin' && isSameSecret(stringAt(body, 'password') ?? '', apiKey);
    if (!isRight) throw new ArgoError('Unauthenticated', 'Invalid username or password');
    setCookie(context, 'argocd.token', apiKey, cookie);
    return context.json({ token: apiKey });
  });
  api.delete('/', (context) => {
    deleteCookie(context, 'argocd.token', cookie);
    return context.json({ token: '' });
  });
  return api;
}

export function accountRoutes(): Hono {
  const api = new Hono();
  const admin = { name: 'admin', enabled: true, capabilities: ['login', 'apiKey'] };
  api.get('/', (context) => context.json({ items: [admin] }));
  api.get('/can-i/:resource/:action/:object{.+}', (context) => context.json({ value: 'yes' }));
  api.get('/:name', (context) => {
    if (context.req.param('name') !== 'admin') throw new ArgoError('NotFound', 'account does not exist; known: admin');
    return context.json(admin);
  });
  return api;
}
