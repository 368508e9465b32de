// `GET /api/v1/stream/applications`: what is there first, then every change, one JSON object a line (or SSE frames).
// A reader that falls too far behind is cut off and has to ask again: what it missed it gets as the first lines.
import type { Application } from '@fairlead/contracts';
import { matchesSelector, parseSelector } from '@fairlead/kube';
import { type Context, Hono } from 'hono';
import type { ApiDeps } from './api-deps.ts';
import { filterApplications } from './applications.ts';
import { mayApplication } from './authorize.ts';

const maxWaitingLines = 1000;
const types = { add: 'ADDED', update: 'MODIFIED', delete: 'DELETED' } as const;

export function streamRoutes(deps: ApiDeps): Hono {
  const api = new Hono();
  api.get('/applications', (context) => {
    const isSse = context.req.header('accept')?.includes('text/event-stream') === true;
    const frame = (type: string, application: Application) => {
      const text = JSON.stringify({ result: { type, application } });
      return isSse ? `data: ${text}\n\n` : `${text}\n`;
    };
    const body = changes(deps, context, frame);
    return new Response(body, { headers: { 'content-type': isSse ? 'text/event-stream' : 'application/json' } });
  });
  return api;
}

function changes(
  deps: ApiDeps,
  context: Context,
  frame: (type: string, application: Application) => string,
): ReadableStream<Uint8Array> {
  const isNamed = filterOf(context);
  const isWanted = (application: Application) => isNamed(application) && mayApplication(deps, context, application);
  const encoder = new TextEncoder();
  let stop = () => {};
  return new ReadableStream<Uint8Array>(
    {
      start(controller) {
        const close = () => {
          stop();
          controller.close();
        };
        const stopListening = deps.store.onChange(({ type, application }) => {
          if (!isWanted(application)) return;
          if ((controller.desiredSize ?? 0) < 1 - maxWaitingLines) return close();
          controller.enqueue(encoder.encode(frame(types[type], application)));
        });
        deps.signal.addEventListener('abort', close, { once: true });
        stop = () => {
          stopListening();
          deps.signal.removeEventListener('abort', close);
        };
        if (context.req.query('resourceVersion')) return;
        for (const application of filterApplications(deps, context)) {
          controller.enqueue(encoder.encode(frame('ADDED', application)));
        }
      },
      cancel: () => stop(),
    },
    { highWaterMark: 1 },
  );
}

function filterOf(context: Context): (application: Application) => boolean {
  const { name, selector } = context.req.query();
  const projects = [...(context.req.queries('projects') ?? []), ...(context.req.queries('project') ?? [])];
  const requirements = selector ? parseSelector(selector) : [];
  return ({ metadata, spec }) =>
    (!name || metadata.name === name) &&
    (projects.length === 0 || projects.includes(spec?.project)) &&
    matchesSelector(requirements, metadata.labels);
}
