import { createServer, type Server } from 'node:http';
import type { Registry } from '@fairlead/base';

/** `/healthz`, `/readyz` and `/metrics`, for roles that serve nothing else. */
export function createMetricsServer(registry: Registry, isReady: () => boolean = () => true): Server {
  return createServer((request, response) => {
    if (request.url === '/readyz') {
      response.writeHead(isReady() ? 200 : 503).end(isReady() ? 'ok' : 'not ready');
      return;
    }
    if (request.url === '/healthz') {
      response.end('ok');
      return;
    }
    if (request.url !== '/metrics') {
      response.writeHead(404).end();
      return;
    }
    registry.metrics().then(
      (text) => response.writeHead(200, { 'content-type': registry.contentType }).end(text),
      () => response.writeHead(500).end(),
    );
  });
}
