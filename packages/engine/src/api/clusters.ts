// Clusters: list, read, register, change, remove. They are Secrets in the engine's namespace; credentials come in and
// never go out. Removing a cluster leaves its Applications and everything they deployed alone.
import { inClusterServer } from '@fairlead/contracts';
import { isNotFound, isRecord, type KubeObject, recordAt, stringAt } from '@fairlead/kube';
import { type Context, Hono } from 'hono';
import { type Cluster, type ClusterEntry, clusterSecretName, secretTypeLabel, trimServer } from '../clusters/index.ts';
import type { ApiDeps } from './api-deps.ts';
import { ArgoError } from './argo-error.ts';
import { demand, may, scopedObject } from './authorize.ts';
import { jsonBody } from './read-body.ts';

const wish = (action: string, { server, project }: { readonly server: string; readonly project?: unknown }) => {
  const object = scopedObject(typeof project === 'string' ? project : undefined, server);
  return { resource: 'clusters', action, object } as const;
};

export function clusterRoutes(deps: ApiDeps): Hono {
  const api = new Hono();
  /** Nobody learns that a cluster exists who may not do this with it. */
  const findFor = (context: Context, action: string): ClusterView => {
    const found = find(deps, context);
    if (found && may(deps, context, wish(action, found))) return found;
    const id = context.req.param('id') ?? '';
    if (!found && may(deps, context, wish('get', { server: '*' }))) {
      throw new ArgoError('NotFound', `cluster ${JSON.stringify(id)} not found`);
    }
    throw new ArgoError('PermissionDenied', 'permission denied');
  };

  api.get('/', (context) => {
    const { server, name } = context.req.query();
    const items = describeAll(deps)
      .filter((item) => !server || item.server === trimServer(server))
      .filter((item) => !name || item.name === name)
      .filter((item) => may(deps, context, wish('get', item)));
    return context.json({ metadata: {}, items });
  });

  api.post('/', async (context) => {
    const body = await jsonBody(context);
    const given = { server: trimServer(stringAt(body, 'server') ?? ''), project: stringAt(body, 'project') };
    demand(deps, context, wish('create', given));
    const known = describeAll(deps).find((item) => item.server === given.server);
    if (known) demand(deps, context, wish('update', known));
    const entry = await save(deps, body, { upsert: context.req.query('upsert') === 'true' });
    return context.json(entry);
  });

  api.get('/:id', (context) => context.json(findFor(context, 'get')));

  api.put('/:id', async (context) => {
    const { server, name } = findFor(context, 'update');
    const body = await jsonBody(context);
    demand(deps, context, wish('update', { server, project: stringAt(body, 'project') }));
    return context.json(await save(deps, { name, ...(isRecord(body) ? body : {}), server }, { upsert: true }));
  });

  api.delete('/:id', async (context) => {
    const { server } = findFor(context, 'delete');
    const entry = [...deps.clusters.list().map((cluster) => cluster.entry), ...deps.clusters.broken()].find(
      (candidate) => candidate.server === server,
    );
    if (!entry?.secretName) throw new ArgoError('FailedPrecondition', 'the engine’s own cluster cannot be removed');
    await deps.client.delete(secretRef(deps, entry.secretName));
    return context.json({});
  });
  return api;
}

const secretRef = ({ namespace }: ApiDeps, name: string) => ({
  group: '',
  version: 'v1',
  kind: 'Secret',
  namespace,
  name,
});

interface ClusterView {
  readonly server: string;
  readonly name: string;
  readonly [field: string]: unknown;
}

function describeAll(deps: ApiDeps): ClusterView[] {
  const broken = deps.clusters
    .broken()
    .map((entry) => view(entry, { status: 'Failed', message: entry.problem ?? '' }, 0));
  return [...deps.clusters.list().map((cluster) => describe(deps, cluster)), ...broken].sort((a, b) =>
    a.name < b.name ? -1 : 1,
  );
}

function describe({ store, clusters }: ApiDeps, cluster: Cluster): ClusterView {
  const applications = store.list().filter(({ spec }) => {
    const choice = clusters.find(spec?.destination);
    return choice.ok && choice.cluster === cluster;
  });
  const base = view(cluster.entry, cluster.state, applications.length);
  const { objects, kinds } = cluster.cache.counts;
  const cacheInfo = cluster.isMonitored ? { resourcesCount: objects, apisCount: kinds } : {};
  const serverVersion = cluster.serverVersion ?? '';
  return { ...base, serverVersion, info: { ...recordAt(base, 'info'), serverVersion, cacheInfo } };
}

/** Credentials are left out, as in Argo CD's answers. */
function view(entry: ClusterEntry, connectionState: object, applicationsCount: number): ClusterView {
  const { server, name, labels, annotations, project, isInsecure } = entry;
  const { [secretTypeLabel]: _type, ...others } = labels;
  return {
    server,
    name,
    config: { tlsClientConfig: { insecure: isInsecure } },
    connectionState,
    info: { connectionState, applicationsCount },
    ...(project ? { project } : {}),
    ...(Object.keys(others).length > 0 ? { labels: others } : {}),
    ...(Object.keys(annotations).length > 0 ? { annotations } : {}),
  };
}

/** `{id}` is the server's address, or its name with `?id.type=name`. */
function find(deps: ApiDeps, context: Context): ClusterView | undefined {
  const id = context.req.param('id') ?? '';
  const byName = ['name', 'name_escaped'].includes(context.req.query('id.type') ?? '');
  return describeAll(deps).find((item) => (byName ? item.name === id : item.server === trimServer(id)));
}

async function save(deps: ApiDeps, body: unknown, { upsert }: { upsert: boolean }): Promise<object> {
  const server = trimServer(stringAt(body, 'server') ?? '');
  if (!/^https?:\/\/./.test(server)) {
    throw new ArgoError('InvalidArgument', `server: ${JSON.stringify(server)} is not an http(s) address`);
  }
  const existing = await secretOf(deps, server);
  if (existing && !upsert) {
    throw new ArgoError('InvalidArgument', 'existing cluster spec is different; use upsert flag to force update');
  }
  const name = stringAt(body, 'name') || server;
  const config = recordAt(body, 'config');
  const project = stringAt(body, 'project');
  const secret: KubeObject = {
    apiVersion: 'v1',
    kind: 'Secret',
    metadata: {
      name: existing?.metadata.name ?? (server === inClusterServer ? 'cluster-in-cluster' : clusterSecretName(server)),
      namespace: deps.namespace,
      labels: { ...textsOf(body, 'labels'), [secretTypeLabel]: 'cluster' },
      annotations: { ...textsOf(body, 'annotations'), 'managed-by': 'argocd.argoproj.io' },
    },
    type: 'Opaque',
    stringData: { name, server, config: JSON.stringify(config), ...(project ? { project } : {}) },
  };
  if (!existing) await deps.client.create(secret);
  else if (Object.keys(config).length > 0) await deps.client.update({ ...existing, ...secret });
  else {
    const { config: _kept, ...stringData } = recordAt(secret, 'stringData');
    await deps.client.patch(secretRef(deps, existing.metadata.name), { ...secret, stringData }, { type: 'merge' });
  }
  const isInsecure =
    config['tlsClientConfig'] !== undefined && recordAt(config, 'tlsClientConfig')['insecure'] === true;
  const entry = { server, name, labels: {}, annotations: {}, project, isInsecure };
  return view(entry, { status: 'Unknown', message: 'the cluster was not asked yet' }, 0);
}

const textsOf = (body: unknown, field: string): Record<string, string> =>
  Object.fromEntries(Object.entries(recordAt(body, field)).map(([key, value]) => [key, String(value)]));

async function secretOf(deps: ApiDeps, server: string): Promise<KubeObject | undefined> {
  const known = [...deps.clusters.list().map(({ entry }) => entry), ...deps.clusters.broken()];
  const name = known.find((entry) => entry.server === server)?.secretName ?? clusterSecretName(server);
  try {
    return await deps.client.get(secretRef(deps, name));
  } catch (error) {
    if (isNotFound(error)) return undefined;
    throw error;
  }
}
