// `POST /api/webhook`: a push makes the applications it may concern look at their repository now. Needs no token, as in
// Argo CD; with a secret configured the provider's proof of it must be right. A forged call can cause a look, nothing else.
import { readWebhook, WebhookPayloadError, WebhookSignatureError } from '@fairlead/git';
import { Hono } from 'hono';
import type { ApiDeps } from './api-deps.ts';
import { ArgoError } from './argo-error.ts';
import { readText } from './read-body.ts';

const maxBodyBytes = 25 * 1024 * 1024;

export function webhookRoutes(deps: ApiDeps): Hono {
  const api = new Hono();
  api.post('/', async (context) => {
    const body = Buffer.from(await readText(context, maxBodyBytes));
    const { event, pushes, isReview } = received({ headers: context.req.header(), body }, deps.webhookSecret);
    if (event === 'ping') return context.text('pong');
    if (isReview) deps.applicationSets.pullRequestsMoved();
    if (pushes.length === 0 && !isReview)
      throw new ArgoError(
        'InvalidArgument',
        `unknown webhook event ${JSON.stringify(event)}; pushes and pull requests are known`,
      );
    const names = new Set<string>();
    for (const push of pushes) {
      for (const name of deps.controller.pushed(push)) names.add(name);
      deps.applicationSets.pushed(push);
      deps.log.info({ event, ref: push.ref, after: push.after, applications: names.size }, 'push received');
    }
    return context.json({ applications: [...names] });
  });
  return api;
}

function received(delivery: Parameters<typeof readWebhook>[0], secret: string | undefined) {
  try {
    return readWebhook(delivery, secret);
  } catch (error) {
    if (error instanceof WebhookSignatureError) throw new ArgoError('Unauthenticated', error.message);
    if (error instanceof WebhookPayloadError) throw new ArgoError('InvalidArgument', `webhook: ${error.message}`);
    throw error;
  }
}
