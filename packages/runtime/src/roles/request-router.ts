import { createRegistry, defineRole, listen } from '@fairlead/base';
import { createRequestRouter } from '../request-router/index.ts';

export const requestRouterRole = defineRole({
  name: 'request-router',
  settings: {
    routerPort: { type: 'integer', help: 'port of the request router; 0 picks a free one', default: 8080 },
    routerHost: { type: 'string', help: 'address to listen on', default: '127.0.0.1' },
    appProxyUrl: { type: 'string', help: 'base URL of the app-proxy' },
    workflowsUrl: { type: 'string', help: 'base URL of the workflow server', optional: true },
    eventSourceUrl: {
      type: 'string',
      help: 'URL of event sources with {namespace} and {source}, e.g. http://{source}-eventsource-svc.{namespace}.svc',
      optional: true,
    },
  },
  async start(config, { log, lifecycle }) {
    const { appProxyUrl, workflowsUrl, eventSourceUrl } = config;
    const server = createRequestRouter({
      table: { appProxyUrl, workflowsUrl, eventSourceUrl },
      registry: createRegistry('request-router'),
      log,
    });
    const { port, close } = await listen(server, { host: config.routerHost, port: config.routerPort });
    lifecycle.onStop('http server', () => close(5_000));
    return { url: `http://${config.routerHost}:${port}` };
  },
});
