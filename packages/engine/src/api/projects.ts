// AppProjects: list, read, create, change, delete.
import { argoApiVersion, argoGroup } from '@fairlead/contracts';
import { equalJson, isNotFound, isRecord, type KubeObject, listAt, recordAt, stringAt } from '@fairlead/kube';
import { type Context, Hono } from 'hono';
import { roleProblems } from '../access/index.ts';
import type { ApiDeps } from './api-deps.ts';
import { ArgoError } from './argo-error.ts';
import { demand, may } from './authorize.ts';
import { projectRoleRoutes } from './project-tokens.ts';
import { jsonBody } from './read-body.ts';

export function projectRoutes(deps: ApiDeps): Hono {
  const api = new Hono();
  const refTo = (name: string) => ({
    group: argoGroup,
    version: 'v1alpha1',
    kind: 'AppProject',
    namespace: deps.namespace,
    name,
  });
  const read = async (name: string): Promise<KubeObject> => {
    try {
      return await deps.client.get(refTo(name), { signal: deps.signal });
    } catch (error) {
      if (!isNotFound(error)) throw error;
      throw new ArgoError('NotFound', `appprojects.argoproj.io "${name}" not found`);
    }
  };
  const wish = (action: string, name: string) => ({ resource: 'projects', action, object: name }) as const;
  const readFor = (context: Context, action: string): Promise<KubeObject> => {
    const name = context.req.param('name') ?? '';
    demand(deps, context, wish(action, name));
    return read(name);
  };
  const membersOf = (name: string) => deps.store.list().filter(({ spec }) => spec?.project === name);

  api.get('/', async (context) => {
    const query = { apiVersion: argoApiVersion, kind: 'AppProject', namespace: deps.namespace };
    const { items } = await deps.client.list(query, { signal: deps.signal });
    const name = context.req.query('name');
    const seen = items
      .filter(({ metadata }) => !name || metadata.name === name)
      .filter(({ metadata }) => may(deps, context, wish('get', metadata.name)));
    return context.json({ metadata: {}, items: seen });
  });

  api.post('/', async (context) => {
    const body = await jsonBody(context);
    const wanted = asProject(isRecord(body) ? body['project'] : undefined, deps.namespace);
    demand(deps, context, wish('create', wanted.metadata.name));
    checkRoles(wanted);
    const existing = await read(wanted.metadata.name).catch((error: unknown) => {
      if (error instanceof ArgoError && error.code === 'NotFound') return undefined;
      throw error;
    });
    if (!existing) return context.json(await deps.client.create(wanted));
    if (!isRecord(body) || body['upsert'] !== true) {
      throw new ArgoError('InvalidArgument', 'existing project spec is different, use upsert flag to force update');
    }
    demand(deps, context, wish('update', wanted.metadata.name));
    return context.json(await deps.client.update({ ...existing, spec: wanted['spec'] }));
  });

  api.get('/:name', async (context) => context.json(await readFor(context, 'get')));

  api.get('/:name/detailed', async (context) => {
    const project = await readFor(context, 'get');
    const clusters = deps.clusters.list().map(({ entry: { server, name } }) => ({ server, name }));
    return context.json({ globalProjects: [], project, repositories: [], clusters });
  });

  api.get('/:name/globalprojects', async (context) => {
    await readFor(context, 'get');
    return context.json({ items: [] });
  });

  api.get('/:name/events', async (context) => {
    const { name } = (await readFor(context, 'get')).metadata;
    const query = {
      apiVersion: 'v1',
      kind: 'Event',
      namespace: deps.namespace,
      fieldSelector: `involvedObject.name=${name}`,
    };
    const { items } = await deps.client.list({ ...query, limit: 500 }, { signal: deps.signal });
    return context.json({
      metadata: {},
      items: items.filter((item) => stringAt(item, 'involvedObject', 'kind') === 'AppProject'),
    });
  });

  api.put('/:name', async (context) => {
    const existing = await readFor(context, 'update');
    const body = await jsonBody(context);
    const named = asProject(isRecord(body) ? body['project'] : undefined, deps.namespace);
    const wanted: KubeObject = { ...named, metadata: { ...named.metadata, name: existing.metadata.name } };
    checkRoles(wanted);
    checkReach(deps, context, existing, wanted);
    const { labels, annotations } = wanted.metadata;
    const metadata = { ...existing.metadata, ...(labels ? { labels } : {}), ...(annotations ? { annotations } : {}) };
    return context.json(await deps.client.update({ ...existing, metadata, spec: wanted['spec'] }));
  });

  api.delete('/:name', async (context) => {
    const { name } = (await readFor(context, 'delete')).metadata;
    if (name === 'default') throw new ArgoError('InvalidArgument', 'name "default" is reserved and cannot be deleted');
    const members = membersOf(name).length;
    if (members > 0) throw new ArgoError('InvalidArgument', `project is referenced by ${members} applications`);
    await deps.client.delete(refTo(name));
    return context.json({});
  });
  api.route('/', projectRoleRoutes(deps, read));
  return api;
}

function checkRoles(project: KubeObject): void {
  const [problem] = roleProblems(project);
  if (problem) throw new ArgoError('InvalidArgument', problem);
}

/** Who opens a project to more clusters or repositories, or to other kinds, must be allowed to change these as well. */
function checkReach(deps: ApiDeps, context: Context, before: KubeObject, after: KubeObject): void {
  const clustersOf = (project: KubeObject) =>
    listAt(project, 'spec', 'destinations').map((rule) => stringAt(rule, 'server') || stringAt(rule, 'name') || '');
  const reposOf = (project: KubeObject) => listAt(project, 'spec', 'sourceRepos').map(String);
  const hasOtherKinds = kindLists.some((list) => !equalJson(listAt(before, 'spec', list), listAt(after, 'spec', list)));
  const known = hasOtherKinds ? [] : clustersOf(before);
  for (const cluster of new Set(clustersOf(after).filter((name) => !known.includes(name)))) {
    demand(deps, context, { resource: 'clusters', action: 'update', object: cluster });
  }
  for (const repo of new Set(reposOf(after).filter((url) => !reposOf(before).includes(url)))) {
    demand(deps, context, { resource: 'repositories', action: 'update', object: repo });
  }
}

const kindLists = [
  'clusterResourceWhitelist',
  'clusterResourceBlacklist',
  'namespaceResourceWhitelist',
  'namespaceResourceBlacklist',
];

function asProject(value: unknown, namespace: string): KubeObject {
  const name = stringAt(value, 'metadata', 'name');
  if (!name) throw new ArgoError('InvalidArgument', 'project.metadata.name: is required');
  const metadata = { ...recordAt(value, 'metadata'), name, namespace };
  return { apiVersion: argoApiVersion, kind: 'AppProject', metadata, spec: recordAt(value, 'spec') };
}
