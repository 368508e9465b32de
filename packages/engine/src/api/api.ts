// Argo CD's REST API, as far as its clients and our runtime use it. Everything under /api/v1 needs a token, and what it does
// is allowed by the policies.

import { errorMessage } from '@fairlead/base';
import { Hono } from 'hono';
import type { ApiDeps } from './api-deps.ts';
import { applicationRoutes } from './applications.ts';
import { applicationSetRoutes } from './applicationsets.ts';
import { ArgoError, answerError } from './argo-error.ts';
import { authenticate } from './authenticate.ts';
import { clusterRoutes } from './clusters.ts';
import { liveResourceRoutes } from './live-resources.ts';
import { logRoutes } from './logs.ts';
import { projectRoutes } from './projects.ts';
import { repositoryCredentialRoutes, repositoryRoutes } from './repositories.ts';
import { resourceRoutes } from './resources.ts';
import { accountRoutes, sessionRoutes, userInfo } from './session.ts';
import { streamRoutes } from './stream.ts';
import { webhookRoutes } from './webhook.ts';

/** What clients compare to learn which features there are. */
const version = 'v3.5.0+fairlead';

export function createApi(deps: ApiDeps): Hono {
  const api = new Hono();
  api.onError((error, context) => {
    if (!(error instanceof ArgoError))
      deps.log.warn({ path: context.req.path, error: errorMessage(error) }, 'request failed');
    return answerError(error, context);
  });
  api.notFound((context) => answerError(new ArgoError('NotFound', 'Not Found'), context));
  api.get('/healthz', (context) => context.text('ok'));
  // A Service must send people and webhooks to the engine that acts: only it has compared the applications.
  api.get('/readyz', (context) => {
    const { isActing, holder } = deps.leadership;
    return isActing ? context.text('ok') : context.text(`stands by; ${holder || 'nobody'} acts`, 503);
  });
  api.get('/metrics', async (context) => context.text(await deps.metrics()));
  api.get('/api/version', (context) => context.json({ Version: version }));
  api.route('/api/webhook', webhookRoutes(deps));
  api.route('/api/v1/session', sessionRoutes(deps));
  api.use('/api/v1/*', authenticate(deps.identities));
  api.route('/api/v1/account', accountRoutes(deps));
  api.route('/api/v1/projects', projectRoutes(deps));
  api.route('/api/v1/repositories', repositoryRoutes(deps));
  api.route('/api/v1/repocreds', repositoryCredentialRoutes(deps));
  api.get('/api/v1/session/userinfo', userInfo(deps));
  api.get('/api/v1/settings', (context) =>
    context.json({
      appLabelKey: 'app.kubernetes.io/instance',
      trackingMethod: 'annotation',
      controllerNamespace: deps.namespace,
    }),
  );
  api.route('/api/v1/clusters', clusterRoutes(deps));
  api.route('/api/v1/applicationsets', applicationSetRoutes(deps));
  api.route('/api/v1/applications', applicationRoutes(deps));
  api.route('/api/v1/applications', resourceRoutes(deps));
  api.route('/api/v1/applications', liveResourceRoutes(deps));
  api.route('/api/v1/applications', logRoutes(deps));
  api.route('/api/v1/stream', streamRoutes(deps));
  return api;
}
