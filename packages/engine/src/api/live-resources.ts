// Acting on single live objects of an application: read, patch, delete, actions, events. Secrets leave masked.
import type { Application } from '@fairlead/contracts';
import {
  isNotFound,
  isRecord,
  type KubeClient,
  type KubeObject,
  type PatchOptions,
  type ResourceRef,
  stringAt,
} from '@fairlead/kube';
import { type Context, Hono } from 'hono';
import type { ActionWrite } from '../actions/index.ts';
import { maskSecrets } from '../diff/index.ts';
import { type ApiDeps, clusterOf } from './api-deps.ts';
import { ArgoError } from './argo-error.ts';
import { applicationFor } from './authorize.ts';
import { jsonBody, parseJson, readText } from './read-body.ts';
import { findPart, partsOf, type ResourceQuery, readLive } from './resource-access.ts';
import { subjectOf, tell } from './tell.ts';

const maxPatchBytes = 4 * 1024 * 1024;
const maxEvents = 500;
const patchTypes: Readonly<Record<string, PatchOptions['type']>> = {
  '': 'merge',
  'application/merge-patch+json': 'merge',
  'application/json-patch+json': 'json',
  'application/strategic-merge-patch+json': 'strategic',
};

export function liveResourceRoutes(deps: ApiDeps): Hono {
  const api = new Hono();
  const find = (context: Context) => applicationFor(deps, context, 'get');
  /** A policy may be about changing one object, or objects of one kind: `update/<group>/<kind>/<namespace>/<name>`. */
  const findTo = (context: Context, action: 'update' | 'delete') => {
    const { group = '', kind = '', namespace = '', resourceName = '' } = context.req.query();
    return applicationFor(deps, context, action, [action, group, kind, namespace, resourceName].join('/'));
  };
  const findToAct = (context: Context, { group = '', kind = '' }: ResourceQuery, action: string) =>
    applicationFor(deps, context, ['action', group, kind, action].join('/'));

  api.get('/:name/resource', async (context) => {
    const { cluster, ref } = findPart(deps, find(context), context.req.query());
    const [masked] = maskSecrets([await readLive(cluster, ref, deps.signal)]);
    return context.json({ manifest: JSON.stringify(masked) });
  });

  api.post('/:name/resource', async (context) => {
    const application = findTo(context, 'update');
    const { cluster, ref } = findPart(deps, application, context.req.query());
    const type = patchTypes[context.req.query('patchType') ?? ''];
    if (!type) {
      const allowed = Object.keys(patchTypes).filter(Boolean).join(', ');
      throw new ArgoError('InvalidArgument', `patchType is not known; allowed: ${allowed}`);
    }
    const patched = await cluster.client.patch(ref, await patchBody(context), { type, signal: deps.signal });
    cluster.cache.observe(patched);
    const action = `patched resource ${ref.group}/${ref.kind} '${ref.name}'`;
    tell(deps, application, { reason: 'ResourceUpdated', user: subjectOf(context), action });
    const [masked] = maskSecrets([patched]);
    return context.json({ manifest: JSON.stringify(masked) });
  });

  api.delete('/:name/resource', async (context) => {
    const application = findTo(context, 'delete');
    const { cluster, ref } = findPart(deps, application, context.req.query());
    const { force, orphan } = context.req.query();
    const propagationPolicy = orphan === 'true' ? 'Orphan' : force === 'true' ? 'Background' : 'Foreground';
    const grace = force === 'true' ? { gracePeriodSeconds: 0 } : {};
    await cluster.client.delete(ref, { propagationPolicy, ...grace, signal: deps.signal });
    const action = `deleted resource ${ref.group}/${ref.kind} '${ref.name}'`;
    tell(deps, application, { reason: 'ResourceDeleted', user: subjectOf(context), action });
    return context.json({});
  });

  api.get('/:name/resource/actions', async (context) => {
    const { cluster, ref } = findPart(deps, find(context), context.req.query());
    return context.json({ actions: await deps.actions.list(await readLive(cluster, ref, deps.signal)) });
  });

  api.post('/:name/resource/actions', async (context) => {
    const action = String(parseJson(await readText(context, maxPatchBytes), 'body'));
    const query = context.req.query();
    const application = findToAct(context, query, action);
    await act(deps, application, { query, action, parameters: {} });
    tell(deps, application, { reason: 'ResourceActionRan', user: subjectOf(context), action: `ran action ${action}` });
    return context.json({});
  });

  api.post('/:name/resource/actions/v2', async (context) => {
    const body = await jsonBody(context);
    const given =
      isRecord(body) && Array.isArray(body['resourceActionParameters']) ? body['resourceActionParameters'] : [];
    const parameters = Object.fromEntries(given.map((item) => [stringAt(item, 'name'), stringAt(item, 'value') ?? '']));
    const query = isRecord(body) ? (body as ResourceQuery) : {}; // read as texts below
    const action = stringAt(body, 'action') ?? '';
    const application = findToAct(context, query, action);
    await act(deps, application, { query, action, parameters });
    tell(deps, application, { reason: 'ResourceActionRan', user: subjectOf(context), action: `ran action ${action}` });
    return context.json({});
  });

  api.get('/:name/events', async (context) => {
    const application = find(context);
    const { resourceName = '', resourceNamespace = '', resourceUID = '' } = context.req.query();
    const isOwn = resourceName === '' && resourceUID === '';
    const isPart = ({ metadata }: KubeObject) =>
      metadata.name === resourceName &&
      (metadata.namespace ?? '') === resourceNamespace &&
      (!resourceUID || metadata.uid === resourceUID);
    if (!isOwn && !partsOf(deps, application).some(isPart)) {
      const { name } = application.metadata;
      throw new ArgoError('InvalidArgument', `${resourceName} not found as part of application ${name}`);
    }
    const { client } = isOwn ? deps : clusterOf(deps, application);
    const namespace = isOwn ? deps.namespace : resourceNamespace;
    const name = isOwn ? application.metadata.name : resourceName;
    const fieldSelector = `involvedObject.name=${name}`;
    const query = { apiVersion: 'v1', kind: 'Event', namespace, fieldSelector, limit: maxEvents };
    const { items, resourceVersion } = await client.list(query, { signal: deps.signal });
    const about = items
      .filter((event) => stringAt(event, 'involvedObject', 'name') === name)
      .filter((event) => !resourceUID || stringAt(event, 'involvedObject', 'uid') === resourceUID);
    return context.json({ metadata: { resourceVersion }, items: about });
  });
  return api;
}

/** The patch itself, or the same as a JSON text, as Argo CD's own clients send it. */
async function patchBody(context: Context): Promise<unknown> {
  const body = parseJson(await readText(context, maxPatchBytes), 'patch');
  return typeof body === 'string' ? parseJson(body, 'patch') : body;
}

async function act(
  deps: ApiDeps,
  application: Application,
  input: { query: ResourceQuery; action: string; parameters: Readonly<Record<string, string>> },
): Promise<void> {
  const { cluster, ref } = findPart(deps, application, input.query);
  const object = await readLive(cluster, ref, deps.signal);
  const result = await deps.actions.run(input.action, {
    object,
    parameters: input.parameters,
    nowMs: deps.clock.now(),
  });
  const { signal } = deps;
  if (result.effect === 'refuse') throw new ArgoError('InvalidArgument', result.reason);
  const writes: readonly ActionWrite[] = result.effect === 'several' ? result.writes : [result];
  for (const write of writes) {
    const answer =
      write.effect === 'create'
        ? await cluster.client.create(write.object, { signal })
        : await patchWithStatus(cluster.client, { ref, body: write.body, signal });
    if (answer) cluster.cache.observe(answer);
  }
  const { name } = application.metadata;
  deps.log.info({ name, action: input.action, kind: ref.kind, resource: ref.name }, 'resource action');
}

/**
 * A kind with a status of its own drops that part of a patch of the object: it is sent to `/status` first, and the rest after
 * it. One without answers 404 there, and takes both at once.
 */
async function patchWithStatus(
  client: KubeClient,
  { ref, body, signal }: { readonly ref: ResourceRef; readonly body: unknown; readonly signal: AbortSignal },
): Promise<KubeObject | undefined> {
  const { status, ...rest } = isRecord(body) ? body : {};
  const patch = (part: unknown, subresource?: string) =>
    client.patch(ref, part, { type: 'merge', signal, ...(subresource ? { subresource } : {}) });
  if (status === undefined) return isRecord(body) && Object.keys(rest).length === 0 ? undefined : patch(body);
  let answer: KubeObject;
  try {
    answer = await patch({ status }, 'status');
  } catch (error) {
    if (!isNotFound(error)) throw error;
    return patch(body);
  }
  return Object.keys(rest).length > 0 ? patch(rest) : answer;
}
