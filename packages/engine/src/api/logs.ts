// Logs of an application's pods, one JSON object a line as Argo CD streams them: `{"result": {content, timeStampStr,
// podName, last}}`. Several pods are merged by time; with `follow`, as lines come.
import { anySignal } from '@fairlead/base';
import type { Application } from '@fairlead/contracts';
import { type KubeObject, timedLines } from '@fairlead/kube';
import { type Context, Hono } from 'hono';
import { descendants } from '../live/index.ts';
import { type ApiDeps, clusterOf } from './api-deps.ts';
import { ArgoError } from './argo-error.ts';
import { applicationFor, applicationObject, demand } from './authorize.ts';
import { findPart, partsOf } from './resource-access.ts';

/** As Argo CD: more pods than this are refused. */
const maxPods = 10;
const maxLineLength = 256 * 1024;

interface LogLine {
  readonly content: string;
  readonly timeStampStr: string;
  readonly podName: string;
}

export function logRoutes(deps: ApiDeps): Hono {
  const api = new Hono();
  const stream = (context: Context) => {
    const application = applicationFor(deps, context, 'get');
    demand(deps, context, { resource: 'logs', action: 'get', object: applicationObject(application) });
    const pods = podsOf(deps, application, context);
    const { client } = clusterOf(deps, application);
    const stop = new AbortController();
    const signal = anySignal([deps.signal, stop.signal, context.req.raw.signal]);
    const { container, filter = '', follow, previous, sinceSeconds, tailLines } = context.req.query();
    const isFollowing = follow === 'true';
    const options = {
      signal,
      timestamps: true,
      follow: isFollowing,
      previous: previous === 'true',
      container: container || undefined,
      tailLines: count(tailLines, 'tailLines'),
      sinceSeconds: count(sinceSeconds, 'sinceSeconds'),
    };
    const open = async (pod: KubeObject) => {
      const { namespace = '', name } = pod.metadata;
      return linesOf(await client.podLogs({ namespace, name }, options), name);
    };
    const isSse = context.req.header('accept')?.includes('text/event-stream') === true;
    return new Response(bodyOf(pods.map(open), { isFollowing, filter, isSse, stop }), {
      headers: { 'content-type': isSse ? 'text/event-stream' : 'application/json' },
    });
  };
  api.get('/:name/logs', stream);
  api.get('/:name/pods/:pod/logs', stream);
  return api;
}

/** 0 and nothing mean no limit. */
function count(text: string | undefined, field: string): number | undefined {
  if (!text || text === '0') return undefined;
  if (!/^\d{1,9}$/.test(text)) throw new ArgoError('InvalidArgument', `${field}: is not a whole number`);
  return Number(text);
}

function podsOf(deps: ApiDeps, application: Application, context: Context): KubeObject[] {
  const { namespace, resourceName, kind, group, version, podName } = context.req.query();
  const wanted = context.req.param('pod') ?? podName;
  const { cache } = clusterOf(deps, application);
  const parts = resourceName
    ? descendants(cache, [findPart(deps, application, { namespace, resourceName, kind, group, version }).object])
    : partsOf(deps, application);
  const pods = parts
    .filter(({ apiVersion, kind: own }) => apiVersion === 'v1' && own === 'Pod')
    .filter(({ metadata }) => !wanted || metadata.name === wanted)
    .filter(({ metadata }) => !namespace || metadata.namespace === namespace);
  if (wanted && pods.length === 0) {
    throw new ArgoError('InvalidArgument', `pod ${wanted} is not part of application ${application.metadata.name}`);
  }
  if (pods.length > maxPods)
    throw new ArgoError(
      'InvalidArgument',
      `max pods to view logs are reached. Please provide more granular query (${pods.length} pods, at most ${maxPods})`,
    );
  return pods;
}

async function* linesOf(chunks: AsyncIterable<Buffer>, podName: string): AsyncGenerator<LogLine> {
  for await (const { time, text } of timedLines(chunks, { maxLength: maxLineLength })) {
    yield { content: text, timeStampStr: time, podName };
  }
}

interface BodyOptions {
  readonly isFollowing: boolean;
  readonly filter: string;
  readonly isSse: boolean;
  readonly stop: AbortController;
}

function bodyOf(
  opening: readonly Promise<AsyncGenerator<LogLine>>[],
  { isFollowing, filter, isSse, stop }: BodyOptions,
): ReadableStream<Uint8Array> {
  const encoder = new TextEncoder();
  const frame = (message: object) => {
    const text = JSON.stringify(message);
    return encoder.encode(isSse ? `data: ${text}\n\n` : `${text}\n`);
  };
  const isWanted = ({ content }: LogLine) =>
    filter === '' || (filter.startsWith('!') ? !content.includes(filter.slice(1)) : content.includes(filter));
  const merged = merge(opening, isFollowing);
  return new ReadableStream<Uint8Array>({
    async pull(controller) {
      try {
        for (let next = await merged.next(); ; next = await merged.next()) {
          if (next.done) {
            controller.enqueue(frame({ result: { content: '', last: true, podName: '', timeStampStr: '' } }));
            controller.close();
            return;
          }
          if (!isWanted(next.value)) continue;
          controller.enqueue(frame({ result: { ...next.value, last: false } }));
          return;
        }
      } catch (error) {
        const message = error instanceof Error ? error.message : String(error);
        if (!stop.signal.aborted) controller.enqueue(frame({ error: { message, grpc_code: 13 } }));
        controller.close();
      }
    },
    cancel: () => stop.abort(),
  });
}

/** By time when everything is there already; as they come when following. */
async function* merge(
  opening: readonly Promise<AsyncGenerator<LogLine>>[],
  isFollowing: boolean,
): AsyncGenerator<LogLine> {
  const sources = await Promise.all(opening);
  type Head = { index: number; result: IteratorResult<LogLine, unknown> };
  const advance = async (index: number): Promise<Head> => {
    const source = sources[index];
    return { index, result: source ? await source.next() : { done: true, value: undefined } };
  };
  const waiting = new Map(sources.map((_, index) => [index, advance(index)]));
  while (waiting.size > 0) {
    const heads = isFollowing ? [await Promise.race(waiting.values())] : await Promise.all(waiting.values());
    for (const { index, result } of heads) if (result.done) waiting.delete(index);
    const open = heads.filter(({ result }) => !result.done);
    const first = open.reduce<Head | undefined>((a, b) => (a && timeOf(a) <= timeOf(b) ? a : b), undefined);
    if (!first || first.result.done) continue;
    waiting.set(first.index, advance(first.index));
    yield first.result.value;
  }
}

const timeOf = ({ result }: { result: IteratorResult<LogLine, unknown> }): string =>
  result.done ? '' : result.value.timeStampStr;
