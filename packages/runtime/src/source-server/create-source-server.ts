// The wire of the source server: `POST /v1/<question>` in JSON, for components of the same runtime only. A question whose
// asker hangs up is given up, unless others wait for the same.
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { Counter, errorMessage, FairleadError, Gauge, type Logger, type Registry, readAll } from '@fairlead/base';
import { checker, type SourceAsk, type SourceAskName, sourceAsks } from '@fairlead/contracts';
import { versionHeaders } from '../version.ts';
import type { SourceKey } from './source-key.ts';
import type { Answers, Asking, Sources } from './sources.ts';

interface ServerDeps {
  readonly sources: Sources;
  /** Undefined until the runtime's cluster has told it. */
  readonly key: () => SourceKey | undefined;
  readonly isReady: () => boolean;
  readonly registry: Registry;
  readonly log: Logger;
}

type Answering = (sources: Answers, body: unknown, asking: (as: string | undefined) => Asking) => Promise<unknown>;

const maxAskBytes = 32 * 1024 * 1024;
const statusOf: Readonly<Record<string, number>> = { bad_request: 400, too_large: 413, unavailable: 503 };

const answerings = new Map<string, Answering>(
  (Object.keys(sourceAsks) as SourceAskName[]).map((name) => [name, answeringOf(name)]),
);

function answeringOf<N extends SourceAskName>(name: N): Answering {
  const check = checker(sourceAsks[name]);
  return (sources, body, asking) => {
    const checked = check(body);
    if (!checked.ok) {
      const [{ field, reason } = { field: '', reason: 'is not what it should be' }] = checked.problems;
      throw new FairleadError('bad_request', `${name}: ${field} ${reason}`);
    }
    const ask = checked.value as SourceAsk<N>; // the schema is that of the name
    const as: unknown = 'as' in ask ? ask.as : undefined;
    return sources[name](ask, asking(typeof as === 'string' ? as : undefined));
  };
}

export function createSourceServer(deps: ServerDeps): Server {
  const { registry, log } = deps;
  const asked = new Counter({
    name: 'fairlead_source_server_asks_total',
    help: 'Questions by kind and outcome: ok, refused, failed, left',
    labelNames: ['ask', 'outcome'],
    registers: [registry],
  });
  countShared(deps.sources, registry);
  return createServer((request, response) => {
    const path = request.url ?? '';
    if (request.method === 'GET') return probe(path, response, deps);
    const name = path.startsWith('/v1/') ? path.slice('/v1/'.length) : '';
    const answering = request.method === 'POST' ? answerings.get(name) : undefined;
    const key = deps.key();
    if (!answering) return send(response, 404, { code: 'not_found', message: 'the source server has no such route' });
    if (!key)
      return send(response, 503, { code: 'unavailable', message: 'the cluster of the runtime is not there yet' });
    if (!key.isBearer(request.headers.authorization)) {
      return send(response, 401, { code: 'unauthenticated', message: 'only components of this runtime are answered' });
    }
    const leaving = new AbortController();
    response.once('close', () => leaving.abort());
    const { signal } = leaving;
    const asking = (as: string | undefined): Asking => ({
      keys: as === undefined ? undefined : key.unseal(as),
      signal,
    });
    readBody(request)
      .then((body) => answering(deps.sources, body, asking))
      .then(
        (answer) => {
          asked.inc({ ask: name, outcome: 'ok' });
          send(response, 200, answer);
        },
        (error: unknown) => {
          asked.inc({ ask: name, outcome: outcomeOf(error, signal) });
          if (!(error instanceof FairleadError)) log.warn({ ask: name, error: errorMessage(error) }, 'no answer');
          send(response, ...failureOf(error));
        },
      );
  });
}

function countShared(sources: Sources, registry: Registry): void {
  const registers = [registry];
  const gauge = (name: string, help: string, value: () => number) =>
    new Gauge({
      name: `fairlead_source_server_${name}`,
      help,
      registers,
      collect() {
        this.set(value());
      },
    });
  gauge('running', 'Questions that are worked on', () => sources.counts.running);
  gauge('shared', 'Questions that took part in the work for another since the start', () => sources.counts.shared);
  gauge('refused', 'Questions refused at the bound since the start', () => sources.counts.refused);
}

async function readBody(request: IncomingMessage): Promise<unknown> {
  const text = (await readAll(request, { maxBytes: maxAskBytes })).toString('utf8');
  try {
    return JSON.parse(text);
  } catch {
    throw new FairleadError('bad_request', 'the body is not JSON');
  }
}

function outcomeOf(error: unknown, signal: AbortSignal): string {
  if (signal.aborted) return 'left';
  return error instanceof FairleadError ? 'refused' : 'failed';
}

function failureOf(error: unknown): [number, { code: string; message: string }] {
  if (error instanceof FairleadError) {
    return [statusOf[error.code] ?? 422, { code: error.code, message: errorMessage(error) }];
  }
  return [500, { code: 'internal', message: 'the source server failed; its log has more' }];
}

function probe(path: string, response: ServerResponse, { isReady, registry }: ServerDeps): void {
  if (path === '/healthz') response.writeHead(200, versionHeaders).end('ok');
  else if (path === '/readyz')
    response
      .writeHead(isReady() ? 200 : 503, versionHeaders)
      .end(isReady() ? 'ok' : 'it has not read the credentials of repositories yet');
  else if (path === '/metrics') {
    registry.metrics().then(
      (text) => response.writeHead(200, { 'content-type': registry.contentType }).end(text),
      () => response.writeHead(500).end(),
    );
  } else response.writeHead(404).end();
}

function send(response: ServerResponse, status: number, body: unknown): void {
  if (response.destroyed) return;
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
}
