// Applications: list, read, create, change, delete, sync. Writes go to the Kubernetes API; the controller sees them
// there like anybody else's.
import { abortable, withDeadline } from '@fairlead/base';
import {
  type Application,
  argoApiVersion,
  asApplication,
  refreshAnnotation,
  resourcesFinalizer,
} from '@fairlead/contracts';
import {
  equalJson,
  isNotFound,
  isRecord,
  JsonPatchError,
  type JsonPatchOperation,
  jsonMergePatch,
  jsonPatch,
  type KubeObject,
  matchesSelector,
  parseSelector,
  retryOnConflict,
  stringAt,
} from '@fairlead/kube';
import { type Context, Hono } from 'hono';
import { isDeleteHookFinalizer, isRunning, sourcesOf } from '../application/index.ts';
import type { ApiDeps } from './api-deps.ts';
import { ArgoError } from './argo-error.ts';
import { applicationFor, demandApplication, mayApplication } from './authorize.ts';
import { selectFields } from './fields.ts';
import { refTo, rollback, sync } from './operations.ts';
import { jsonBody, parseJson } from './read-body.ts';
import { subjectOf, tell } from './tell.ts';

const refreshWaitMs = 30_000;

export function applicationRoutes(deps: ApiDeps): Hono {
  const api = new Hono();
  const find = (context: Context, action = 'get') => applicationFor(deps, context, action);

  api.get('/', async (context) => {
    const { refresh, fields } = context.req.query();
    const applications = filterApplications(deps, context);
    if (refresh) await Promise.all(applications.map((application) => refreshed(deps, application, refresh)));
    const items = filterApplications(deps, context).map((application) => withHealth(deps, application));
    return context.json(selectFields({ metadata: {}, items }, fields) as object);
  });

  api.post('/', async (context) => {
    const body = await jsonBody(context);
    return context.json(await create(deps, context, body));
  });

  api.get('/:name', async (context) => {
    const application = find(context);
    const { refresh, fields } = context.req.query();
    const current = refresh ? await refreshed(deps, application, refresh) : application;
    return context.json(selectFields(withHealth(deps, current), fields) as object);
  });

  api.put('/:name', async (context) => {
    const { metadata } = find(context, 'update');
    const wanted = applicationOf(await jsonBody(context), metadata.name, deps.namespace);
    return context.json(await update(deps, context, { name: metadata.name, change: () => wanted }));
  });

  api.put('/:name/spec', async (context) => {
    const { name } = find(context, 'update').metadata;
    const spec = await jsonBody(context);
    const change = (application: Application) => ({ ...application, spec }) as Application; // the API server checks it against the CRD
    return context.json((await update(deps, context, { name, change })).spec);
  });

  api.patch('/:name', async (context) => {
    const application = find(context);
    demandApplication(deps, context, application, 'update');
    const body = await jsonBody(context);
    const patchType = stringAt(body, 'patchType') || 'merge';
    if (patchType !== 'merge' && patchType !== 'json') {
      throw new ArgoError(
        'InvalidArgument',
        `patchType ${JSON.stringify(patchType)} is not known; allowed: merge, json`,
      );
    }
    const patch = parseJson(stringAt(body, 'patch') ?? '', 'patch');
    const change = (current: Application) => patched(current, patch, patchType);
    return context.json(await update(deps, context, { name: application.metadata.name, change }));
  });

  api.delete('/:name', async (context) => {
    const application = find(context);
    demandApplication(deps, context, application, 'delete');
    await remove(deps, application.metadata.name, context.req.query());
    tell(deps, application, { reason: 'ResourceDeleted', user: subjectOf(context), action: 'deleted application' });
    return context.json({});
  });

  api.post('/:name/sync', async (context) => {
    const application = find(context);
    demandApplication(deps, context, application, 'sync');
    return context.json(
      await sync(deps, application, { body: await jsonBody(context, {}), subject: subjectOf(context) }),
    );
  });

  api.post('/:name/rollback', async (context) => {
    const application = find(context, 'sync');
    const body = await jsonBody(context);
    return context.json(await rollback(deps, application, { body, subject: subjectOf(context) }));
  });

  api.delete('/:name/operation', async (context) => {
    const application = find(context, 'sync');
    if (!isRunning(application.status?.operationState)) {
      throw new ArgoError('InvalidArgument', 'Unable to terminate operation. No operation is in progress');
    }
    const body = { status: { operationState: { phase: 'Terminating' } } };
    await deps.client.patch(refTo(deps, application.metadata.name), body, { type: 'merge' });
    tell(deps, application, {
      reason: 'ResourceUpdated',
      user: subjectOf(context),
      action: 'terminated running operation',
    });
    return context.json({});
  });
  return api;
}

/** Those that are asked for and that the caller may see. */
export function filterApplications(deps: ApiDeps, context: Context): Application[] {
  const { name, selector, repo } = context.req.query();
  const projects = [...(context.req.queries('projects') ?? []), ...(context.req.queries('project') ?? [])];
  const requirements = selector ? parseSelector(selector) : [];
  return deps.store
    .list()
    .filter(({ metadata }) => !name || metadata.name === name)
    .filter(({ spec }) => projects.length === 0 || projects.includes(spec?.project))
    .filter((application) => !repo || sourcesOf(application).some(({ repoURL }) => repoURL === repo))
    .filter(({ metadata }) => matchesSelector(requirements, metadata.labels))
    .filter((application) => mayApplication(deps, context, application))
    .sort((a, b) => (a.metadata.name < b.metadata.name ? -1 : 1));
}

/** Health of resources is not in the custom resource (`resourceHealthSource: appTree`); the API adds it. */
function withHealth({ controller }: ApiDeps, application: Application): Application {
  const comparison = controller.comparisonOf(application.metadata.name);
  const { status } = application;
  if (!comparison || !status?.resources) return application;
  const resources = status.resources.map((resource) => {
    const same = comparison.resources.find(
      ({ ref }) =>
        ref.kind === resource.kind &&
        ref.name === resource.name &&
        ref.group === (resource.group ?? '') &&
        (ref.namespace ?? '') === (resource.namespace ?? ''),
    );
    const health = same && !same.live ? { status: 'Missing' as const } : same?.health;
    return health ? { ...resource, health } : resource;
  });
  return { ...application, status: { ...status, resources } };
}

/** Asks for a refresh by annotation, as Argo CD's own server does, and waits until the controller has taken it off. */
async function refreshed(deps: ApiDeps, application: Application, kind: string): Promise<Application> {
  const { name } = application.metadata;
  const value = kind === 'hard' ? 'hard' : 'normal';
  const signal = withDeadline(deps.signal, refreshWaitMs);
  let stopListening = () => {};
  const done = new Promise<void>((resolve) => {
    stopListening = deps.store.onChange((change) => {
      const isOver = change.application.metadata.annotations?.[refreshAnnotation] === undefined;
      const isNewer = Number(change.application.metadata.resourceVersion) > askedVersion;
      if (change.application.metadata.name === name && isOver && isNewer) resolve();
    });
  });
  let askedVersion = Number.POSITIVE_INFINITY;
  try {
    const body = { metadata: { annotations: { [refreshAnnotation]: value } } };
    const asked = await deps.client.patch(refTo(deps, name), body, { type: 'merge', signal });
    askedVersion = Number(asked.metadata.resourceVersion);
    const current = deps.store.get(name);
    const isOver = current && current.metadata.annotations?.[refreshAnnotation] === undefined;
    if (!isOver || Number(current.metadata.resourceVersion) < askedVersion) await abortable(done, signal);
  } finally {
    stopListening();
  }
  return deps.store.get(name) ?? application;
}

async function create(deps: ApiDeps, context: Context, body: unknown): Promise<KubeObject | Application> {
  const wanted = applicationOf(body, stringAt(body, 'metadata', 'name') ?? '', deps.namespace);
  demandApplication(deps, context, wanted, 'create');
  const { name } = wanted.metadata;
  const existing = deps.store.get(name);
  if (!existing) {
    const created = await deps.client.create(wanted as unknown as KubeObject); // an Application is a Kubernetes object
    const act = { reason: 'ResourceCreated', user: subjectOf(context), action: 'created application' } as const;
    tell(deps, asApplication(created), act);
    return created;
  }
  if (equalJson(existing.spec, wanted.spec)) return existing;
  if (context.req.query('upsert') !== 'true') {
    throw new ArgoError('InvalidArgument', 'existing application spec is different, use upsert flag to force update');
  }
  return update(deps, context, { name, change: () => wanted });
}

/**
 * Spec, labels, annotations and finalizers are the caller's; status and operation stay as they are. Into another project
 * moves an application only whom both projects allow it.
 */
async function update(
  deps: ApiDeps,
  context: Context,
  { name, change }: { readonly name: string; readonly change: (current: Application) => Application },
): Promise<Application> {
  const updated = await retryOnConflict(async () => {
    const current = await deps.client.get(refTo(deps, name));
    const present = asApplication(current);
    const wanted = change(present);
    demandApplication(deps, context, present, 'update');
    if (wanted.spec?.project !== present.spec.project)
      demandApplication(deps, context, { ...wanted, metadata: present.metadata }, 'create');
    const { labels, annotations, finalizers } = wanted.metadata;
    const metadata = {
      ...current.metadata,
      labels,
      annotations,
      finalizers: finalizers ?? current.metadata.finalizers,
    };
    return deps.client.update({ ...current, metadata, spec: wanted.spec });
  });
  const answer = asApplication(updated);
  const act = { reason: 'ResourceUpdated', user: subjectOf(context), action: 'updated application spec' } as const;
  tell(deps, answer, act);
  return answer;
}

function patched(current: Application, patch: unknown, type: 'merge' | 'json'): Application {
  try {
    const result =
      type === 'merge' ? jsonMergePatch(current, patch) : jsonPatch(current, patch as JsonPatchOperation[]); // checked by jsonPatch
    if (isRecord(result) && isRecord(result['metadata'])) return asApplication(result);
  } catch (error) {
    if (!(error instanceof JsonPatchError)) throw error;
    throw new ArgoError('InvalidArgument', `patch: ${error.message}`);
  }
  throw new ArgoError('InvalidArgument', 'patch: leaves no Application');
}

async function remove(deps: ApiDeps, name: string, query: Record<string, string>): Promise<void> {
  const { cascade = 'true', propagationPolicy = 'foreground' } = query;
  if (propagationPolicy !== 'foreground' && propagationPolicy !== 'background') {
    throw new ArgoError('InvalidArgument', `invalid propagation policy: ${propagationPolicy}`);
  }
  const current = await deps.client.get(refTo(deps, name));
  const others = (current.metadata.finalizers ?? []).filter((entry) => !entry.startsWith(resourcesFinalizer));
  // Hooks around a deletion that deletes nothing would run for nothing.
  const isHookless = (entry: string) => !isDeleteHookFinalizer(entry);
  const own = propagationPolicy === 'background' ? `${resourcesFinalizer}/background` : resourcesFinalizer;
  const finalizers = cascade === 'false' ? others.filter(isHookless) : [...others, own];
  await deps.client.patch(refTo(deps, name), { metadata: { finalizers } }, { type: 'merge' });
  try {
    await deps.client.delete(refTo(deps, name));
  } catch (error) {
    if (!isNotFound(error)) throw error;
  }
}

function applicationOf(body: unknown, name: string, namespace: string): Application {
  if (!isRecord(body) || !isRecord(body['metadata']) || name === '') {
    throw new ArgoError('InvalidArgument', 'metadata.name: is required');
  }
  const metadata = { ...body['metadata'], name, namespace };
  return asApplication({ ...body, apiVersion: argoApiVersion, kind: 'Application', metadata });
}
