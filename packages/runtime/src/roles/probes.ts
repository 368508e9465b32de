import { createServer, type Server } from 'node:http';
import { listen, type Registry } from '@fairlead/base';
import { versionHeaders } from '../version.ts';

/** `/healthz`, `/readyz` and `/metrics`, for roles that serve nothing else. */
function createProbes(registry: Registry, waitsFor: Probed['waitsFor']): Server {
  return createServer((request, response) => {
    if (request.url === '/readyz') {
      const reason = waitsFor();
      response.writeHead(reason === undefined ? 200 : 503, versionHeaders).end(reason ?? 'ok');
      return;
    }
    if (request.url === '/healthz') {
      response.writeHead(200, versionHeaders).end('ok');
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
  /** Why it does not do what it is there for, in words for people; undefined while it does. */
  readonly waitsFor: () => string | undefined;
}

/** Without a port there are none. */
export async function serveProbes(
  port: number | undefined,
  { registry, lifecycle, waitsFor }: Probed,
): Promise<{ url?: string }> {
  if (port === undefined) return {};
  const { port: taken, close } = await listen(createProbes(registry, waitsFor), { port });
  lifecycle.onStop('probes', () => close(0));
  return { url: `http://127.0.0.1:${taken}` };
}
