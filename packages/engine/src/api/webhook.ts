// `POST /api/webhook`: a push makes the applications it may concern look at their repository now. Needs no token, as in
// Argo CD; with a secret configured the signature must be right. A forged call can cause a look, nothing else.
import { createHmac, timingSafeEqual } from 'node:crypto';
import { parseGitHubPush, WebhookPayloadError } from '@fairlead/git';
import { type Context, Hono } from 'hono';
import type { ApiDeps } from './api-deps.ts';
import { ArgoError } from './argo-error.ts';
import { readText } from './read-body.ts';

const maxBodyBytes = 25 * 1024 * 1024;

export function webhookRoutes(deps: ApiDeps): Hono {
  const api = new Hono();
  api.post('/', async (context) => {
    const event = context.req.header('x-github-event');
    if (event === 'ping') return context.text('pong');
    if (event !== 'push') throw new ArgoError('InvalidArgument', 'unknown webhook event; known: GitHub push and ping');
    const text = await readText(context, maxBodyBytes);
    verify(context, text, deps.webhookSecret);
    const push = parsePush(text);
    const names = deps.controller.pushed(push);
    deps.applicationSets.pushed(push);
    deps.log.info({ ref: push.ref, after: push.after, applications: names.length }, 'push received');
    return context.json({ applications: names });
  });
  return api;
}

function verify(context: Context, text: string, secret: string | undefined): void {
  if (!secret) return;
  const given = Buffer.from(context.req.header('x-hub-signature-256') ?? '');
  const expected = Buffer.from(`sha256=${createHmac('sha256', secret).update(text).digest('hex')}`);
  const isRight = given.length === expected.length && timingSafeEqual(given, expected);
  if (!isRight) throw new ArgoError('Unauthenticated', 'webhook signature is missing or wrong');
}

function parsePush(text: string) {
  try {
    return parseGitHubPush(JSON.parse(text));
  } catch (error) {
    if (error instanceof WebhookPayloadError) throw new ArgoError('InvalidArgument', error.message);
    throw new ArgoError('InvalidArgument', 'webhook body is not JSON');
  }
}
