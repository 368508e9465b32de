// An API server that says exactly what a test tells it to: for faults that a real one shows once a year.
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

export type Answer = (request: IncomingMessage, response: ServerResponse) => void;

export interface ScriptedApi {
  readonly url: string;
  /** Requests so far, as `METHOD path?query`, discovery left out. */
  readonly requests: string[];
  close(): Promise<void>;
}

const discovery = {
  kind: 'APIResourceList',
  groupVersion: 'v1',
  resources: [
    {
      name: 'configmaps',
      singularName: 'configmap',
      namespaced: true,
      kind: 'ConfigMap',
      verbs: ['get', 'list', 'watch'],
    },
    { name: 'pods', singularName: 'pod', namespaced: true, kind: 'Pod', verbs: ['get', 'list', 'watch'] },
  ],
};

export function json(
  response: ServerResponse,
  status: number,
  body: unknown,
  headers: Record<string, string> = {},
): void {
  response.writeHead(status, { 'content-type': 'application/json', ...headers });
  response.end(JSON.stringify(body));
}

export const statusBody = (code: number, reason: string, message = reason) => ({
  kind: 'Status',
  apiVersion: 'v1',
  status: 'Failure',
  code,
  reason,
  message,
});

export const configMap = (name: string, resourceVersion: number) => ({
  apiVersion: 'v1',
  kind: 'ConfigMap',
  metadata: { name, namespace: 'd', resourceVersion: String(resourceVersion) },
});

/** Serves discovery by itself and everything else by `answer`. */
export async function scriptedApi(answer: Answer): Promise<ScriptedApi> {
  const requests: string[] = [];
  const server = createServer((request, response) => {
    if (request.url === '/api/v1') {
      json(response, 200, discovery);
      return;
    }
    requests.push(`${request.method} ${request.url}`);
    answer(request, response);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo; // a TCP server that listens has one
  return {
    url: `http://127.0.0.1:${port}`,
    requests,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}
