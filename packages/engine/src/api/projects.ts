// AppProjects: list, read, create, change, delete.
import { argoApiVersion, argoGroup } from '@fairlead/contracts';
import { isNotFound, isRecord, type KubeObject, recordAt, stringAt } from '@fairlead/kube';
import { Hono } from 'hono';
import type { ApiDeps } from './api-deps.ts';
import { ArgoError } from './argo-error.ts';
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
  const membersOf = (name: string) => deps.store.list().filter(({ spec }) => spec.project === name);

  api.get('/', async (context) => {
    const query = { apiVersion: argoApiVersion, kind: 'AppProject', namespace: deps.namespace };
    const { items } = await deps.client.list(query, { signal: deps.signal });
    const name = context.req.query('name');
    return context.json({ metadata: {}, items: items.filter(({ metadata }) => !name || metadata.name === name) });
  });

  api.post('/', async (context) => {
    const body = await jsonBody(context);
    const wanted = asProject(isRecord(body) ? body['project'] : undefined, deps.namespace);
    const existing = await read(wanted.metadata.name).catch((error: unknown) => {
      if (error instanceof ArgoError && error.code === 'NotFound') return undefined;
      throw error;
    });
    if (!existing) return context.json(await deps.client.create(wanted));
    if (!isRecord(body) || body['upsert'] !== true) {
      throw new ArgoError('InvalidArgument', 'existing project spec is different, use upsert flag to force update');
    }
    return context.json(await deps.client.update({ ...existing, spec: wanted['spec'] }));
  });

  api.get('/:name', async (context) => context.json(await read(context.req.param('name'))));

  api.get('/:name/detailed', async (context) => {
    const project = await read(context.req.param('name'));
    const clusters = deps.clusters.list().map(({ entry: { server, name } }) => ({ server, name }));
    return context.json({ globalProjects: [], project, repositories: [], clusters });
  });

  api.get('/:name/globalprojects', (context) => context.json({ items: [] }));

  api.get('/:name/events', async (context) => {
    const { name } = (await read(context.req.param('name'))).metadata;
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
    const existing = await read(context.req.param('name'));
    const body = await jsonBody(context);
    const wanted = asProject(isRecord(body) ? body['project'] : undefined, deps.namespace);
    const { labels, annotations } = wanted.metadata;
    const metadata = { ...existing.metadata, ...(labels ? { labels } : {}), ...(annotations ? { annotations } : {}) };
    return context.json(await deps.client.update({ ...existing, metadata, spec: wanted['spec'] }));
  });

  api.delete('/:name', async (context) => {
    const name = context.req.param('name');
    await read(name);
    if (name === 'default') throw new ArgoError('InvalidArgument', 'name "default" is reserved and cannot be deleted');
    const members = membersOf(name).length;
    if (members > 0) throw new ArgoError('InvalidArgument', `project is referenced by ${members} applications`);
    await deps.client.delete(refTo(name));
    return context.json({});
  });
  return api;
}

function asProject(value: unknown, namespace: string): KubeObject {
  const name = stringAt(value, 'metadata', 'name');
  if (!name) throw new ArgoError('InvalidArgument', 'project.metadata.name: is required');
  const metadata = { ...recordAt(value, 'metadata'), name, namespace };
  return { apiVersion: argoApiVersion, kind: 'AppProject', metadata, spec: recordAt(value, 'spec') };
}
