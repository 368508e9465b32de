import { createServer, type Server } from 'node:http';
import { listen, type Registry } from '@fairlead/base';

/** `/healthz`, `/readyz` and `/metrics`, for roles that serve nothing else. */
function createProbes(registry: Registry, isReady: () => boolean): Server {
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

interface Probed {
  readonly registry: Registry;
  readonly lifecycle: { onStop(name: string, stop: () => Promise<void>): void };
  /** Whether it does what it is there for. */
  readonly isReady: () => boolean;
}

/** Without a port there are none. */
export async function serveProbes(
  port: number | undefined,
  { registry, lifecycle, isReady }: Probed,
): Promise<{ url?: string }> {
  if (port === undefined) return {};
  const { port: taken, close } = await listen(createProbes(registry, isReady), { port });
  lifecycle.onStop('probes', () => close(0));
  return { url: `http://127.0.0.1:${taken}` };
}
