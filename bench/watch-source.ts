// A cluster whose Applications are in memory, in a process of its own: it lists and watches them as an API server does
// (versions, bookmarks, 410 for what it has forgotten) and plays a flood into the watches at the rate that is asked for, which a
// cluster that has to store every change beside everything else on the same cores does not reach. All other requests go to the embedded
// cluster behind it. Started by `bench report`; speaks over IPC.
import { readFile } from 'node:fs/promises';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { Agent, request as secureRequest } from 'node:https';
import { listen, sleep } from '@fairlead/base';
import { type ClusterConnection, type KubeObject, loadKubeconfig } from '@fairlead/kube';
import { application, applications, changeOf, engineNamespace, type Flood, nameOf, numbers } from './report-changes.ts';

export interface Played {
  readonly seconds: number;
  /** Bytes of events that a watcher had not taken yet, at their most. */
  readonly mostWaitingBytes: number;
}

export type Order =
  | { readonly kubeconfigFile: string }
  | { readonly flood: Flood /** Changes a second. */; readonly rate: number };

const collection = `/apis/argoproj.io/v1alpha1/namespaces/${engineNamespace}/applications`;
const bookmarkEveryMs = 20_000;
/** Events that a watch may begin in the past of; who is further behind lists again. */
const keptEvents = 10_000;
const tickMs = 5;

let version = 0;
const objects = new Map<string, KubeObject>();
const events: { readonly version: number; readonly line: string }[] = [];
const watches = new Set<ServerResponse>();

function store(object: KubeObject, type: 'ADDED' | 'MODIFIED'): void {
  version++;
  const stored = { ...object, metadata: { ...object.metadata, resourceVersion: String(version) } };
  objects.set(object.metadata.name, stored);
  const line = `${JSON.stringify({ type, object: stored })}\n`;
  events.push({ version, line });
  if (events.length > keptEvents) events.shift();
  for (const watch of watches) watch.write(line);
}

async function play(flood: Flood, rate: number): Promise<Played> {
  const startedMs = performance.now();
  let mostWaitingBytes = 0;
  for (let played = 0; ; ) {
    const due = Math.min(flood.changes, Math.floor(((performance.now() - startedMs) / 1000) * rate));
    for (; played < due; played++) {
      const { n, status } = changeOf(flood, played);
      const object = objects.get(nameOf(n));
      if (object) store({ ...object, status: { ...(object['status'] as object), ...status } }, 'MODIFIED');
    }
    for (const { writableLength } of watches) mostWaitingBytes = Math.max(mostWaitingBytes, writableLength);
    if (played === flood.changes) break;
    await sleep(tickMs);
  }
  return { seconds: (performance.now() - startedMs) / 1000, mostWaitingBytes };
}

function answer(request: IncomingMessage, response: ServerResponse): void {
  const { pathname, searchParams } = new URL(request.url ?? '/', 'http://source');
  const name = decodeURIComponent(pathname.slice(collection.length + 1));
  const found = objects.get(name);
  if (request.method !== 'GET') send(response, status(405, 'MethodNotAllowed'), 405);
  else if (name !== '') send(response, found ?? status(404, 'NotFound'), found ? 200 : 404);
  else if (searchParams.get('watch') === 'true') watch(response, searchParams);
  else {
    const items = [...objects.values()];
    send(response, { kind: 'ApplicationList', metadata: { resourceVersion: String(version) }, items });
  }
}

function watch(response: ServerResponse, parameters: URLSearchParams): void {
  const since = Number(parameters.get('resourceVersion') ?? 0);
  response.writeHead(200, { 'content-type': 'application/json' });
  if (since + 1 < (events[0]?.version ?? version + 1)) {
    response.end(`${JSON.stringify({ type: 'ERROR', object: status(410, 'Expired') })}\n`);
    return;
  }
  response.flushHeaders();
  for (const event of events) if (event.version > since) response.write(event.line);
  const bookmark = setInterval(() => {
    const object = {
      apiVersion: 'argoproj.io/v1alpha1',
      kind: 'Application',
      metadata: { resourceVersion: `${version}` },
    };
    response.write(`${JSON.stringify({ type: 'BOOKMARK', object })}\n`);
  }, bookmarkEveryMs);
  const end = setTimeout(() => response.end(), Number(parameters.get('timeoutSeconds') ?? 1800) * 1000);
  watches.add(response);
  response.once('close', () => {
    watches.delete(response);
    clearInterval(bookmark);
    clearTimeout(end);
  });
}

const status = (code: number, reason: string) => ({
  ...{ kind: 'Status', apiVersion: 'v1', metadata: {}, status: 'Failure', code, reason, message: reason },
});

function send(response: ServerResponse, body: unknown, code = 200): void {
  response.writeHead(code, { 'content-type': 'application/json' });
  response.end(JSON.stringify(body));
}

/** Everything that is no Application, to the cluster behind. */
async function forwarder({ server, ca, clientCertificate, clientKey, token, tokenFile }: ClusterConnection) {
  const agent = new Agent({ ca, cert: clientCertificate, key: clientKey, keepAlive: true });
  const bearer = tokenFile ? (await readFile(tokenFile, 'utf8')).trim() : token;
  return (request: IncomingMessage, response: ServerResponse) => {
    const { host: _, ...headers } = request.headers;
    const identity = bearer ? { authorization: `Bearer ${bearer}` } : {};
    const { method } = request;
    const forwarded = secureRequest(`${server}${request.url}`, { agent, method, headers: { ...headers, ...identity } });
    forwarded.on('response', (from) => {
      response.writeHead(from.statusCode ?? 502, from.headers);
      from.pipe(response);
    });
    forwarded.on('error', () => response.destroy());
    response.once('close', () => forwarded.destroy());
    request.pipe(forwarded);
  };
}

async function serve(kubeconfigFile: string): Promise<string> {
  const forward = await forwarder(await loadKubeconfig(kubeconfigFile));
  for (const n of numbers(applications)) {
    const { metadata, ...rest } = application(n);
    store({ ...rest, metadata: { ...metadata, uid: `uid-${n}`, creationTimestamp: '2026-01-01T00:00:00Z' } }, 'ADDED');
  }
  const isOurs = (url: string) =>
    url === collection || url.startsWith(`${collection}?`) || url.startsWith(`${collection}/`);
  const server = createServer((request, response) =>
    isOurs(request.url ?? '') ? answer(request, response) : forward(request, response),
  );
  const { port } = await listen(server, { port: 0 });
  return `http://127.0.0.1:${port}`;
}

process.on('message', (order: Order) => {
  const done = 'flood' in order ? play(order.flood, order.rate) : serve(order.kubeconfigFile);
  void done.then((told) => process.send?.(told));
});
process.once('disconnect', () => process.exit());
