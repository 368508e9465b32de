// Repositories and credential templates: Secrets in the engine's namespace. Credentials go in and never come out.
import { errorMessage, fnv1a, toKubeTime } from '@fairlead/base';
import { isSameRepository, redactUrl } from '@fairlead/git';
import { isRecord, type KubeObject, stringAt } from '@fairlead/kube';
import { type Context, Hono } from 'hono';
import { sourcesOf } from '../application/index.ts';
import { secretTypeLabel } from '../clusters/index.ts';
import type { ApiDeps } from './api-deps.ts';
import { ArgoError } from './argo-error.ts';
import { demand, may, scopedObject } from './authorize.ts';
import { jsonBody } from './read-body.ts';

type SecretType = 'repository' | 'repo-creds';
const secretFields = [
  'username',
  'password',
  'bearerToken',
  'sshPrivateKey',
  'tlsClientCertData',
  'tlsClientCertKey',
  'proxy',
  'noProxy',
] as const;
const plainFields = ['type', 'name', 'project', 'insecure', 'insecureIgnoreHostKey'] as const;

const wish = (action: string, url: string, project?: string) =>
  ({ resource: 'repositories', action, object: scopedObject(project, url) }) as const;
const wishOf = (action: string, secret: KubeObject) => wish(action, urlOf(secret), field(secret, 'project'));

export function repositoryRoutes(deps: ApiDeps): Hono {
  const api = secretRoutes(deps, 'repository');
  api.post('/:url/validate', async (context) => {
    const url = context.req.param('url');
    demand(deps, context, wish('create', url, context.req.query('project')));
    const body = await jsonBody(context, {});
    const given = (name: string) => context.req.query(name) ?? (isRecord(body) ? stringAt(body, name) : undefined);
    const credentials = { username: given('username'), password: given('password'), bearerToken: given('bearerToken') };
    const hasAny = Object.values(credentials).some((value) => value !== undefined);
    try {
      await deps.sources.probe(url, hasAny ? credentials : undefined, deps.signal);
    } catch (error) {
      throw new ArgoError('InvalidArgument', `Unable to connect to repository: ${errorMessage(error)}`);
    }
    return context.json({});
  });
  return api;
}

export const repositoryCredentialRoutes = (deps: ApiDeps): Hono => secretRoutes(deps, 'repo-creds');

function secretRoutes(deps: ApiDeps, type: SecretType): Hono {
  const api = new Hono();
  api.get('/', async (context) => {
    const secrets = (await list(deps, type)).filter((secret) => may(deps, context, wishOf('get', secret)));
    return context.json({ metadata: {}, items: secrets.map((secret) => view(deps, secret, type)) });
  });
  api.post('/', async (context) => {
    const body = await jsonBody(context);
    return context.json(
      await save(deps, context, { body, type, action: 'create', upsert: context.req.query('upsert') === 'true' }),
    );
  });
  api.put('/:url', async (context) => {
    const body = await jsonBody(context);
    const key = type === 'repository' ? 'repo' : 'url';
    const named = { ...(isRecord(body) ? body : {}), [key]: context.req.param('url') };
    return context.json(await save(deps, context, { body: named, type, action: 'update', upsert: true }));
  });
  api.get('/:url', async (context) =>
    context.json(view(deps, await find(deps, context, { type, action: 'get' }), type)),
  );
  api.delete('/:url', async (context) => {
    const { metadata } = await find(deps, context, { type, action: 'delete' });
    await deps.client.delete({
      group: '',
      version: 'v1',
      kind: 'Secret',
      namespace: deps.namespace,
      name: metadata.name,
    });
    return context.json({});
  });
  return api;
}

async function list({ client, namespace, signal }: ApiDeps, type: SecretType): Promise<readonly KubeObject[]> {
  const labelSelector = `${secretTypeLabel}=${type}`;
  return (await client.list({ apiVersion: 'v1', kind: 'Secret', namespace, labelSelector }, { signal })).items;
}

function field(secret: KubeObject, name: string): string | undefined {
  const encoded = stringAt(secret, 'data', name);
  return encoded === undefined ? undefined : Buffer.from(encoded, 'base64').toString('utf8');
}

async function find(
  deps: ApiDeps,
  context: Context,
  { type, action }: { readonly type: SecretType; readonly action: string },
): Promise<KubeObject> {
  const url = context.req.param('url') ?? '';
  const found = (await list(deps, type)).find((secret) => isSameRepository(urlOf(secret), url));
  demand(deps, context, found ? wishOf(action, found) : wish(action, url));
  if (!found) throw new ArgoError('NotFound', `repo '${redactUrl(url)}' not found`);
  return found;
}

function view(deps: ApiDeps, secret: KubeObject, type: SecretType): object {
  const url = field(secret, 'url') ?? '';
  const plain = Object.fromEntries(
    plainFields.flatMap((name) => {
      const value = field(secret, name);
      return value === undefined ? [] : [[name, name.startsWith('insecure') ? value === 'true' : value]];
    }),
  );
  const username = field(secret, 'username');
  const base = { ...plain, ...(username ? { username } : {}) };
  return type === 'repo-creds'
    ? { url, ...base }
    : { repo: url, type: 'git', ...base, connectionState: connectionState(deps, url) };
}

/** As the applications that use the repository saw it last; nobody is asked for a list. */
function connectionState({ store, controller, clock }: ApiDeps, url: string): object {
  const seen = store
    .list()
    .filter((application) => sourcesOf(application).some((source) => isSameRepository(source.repoURL, url)))
    .flatMap(({ metadata }) => controller.comparisonOf(metadata.name) ?? []);
  const attemptedAt = toKubeTime(clock.now());
  if (seen.some(({ loaded }) => loaded !== undefined)) return { status: 'Successful', message: '', attemptedAt };
  const failed = seen.find(({ loaded }) => !loaded);
  if (failed) return { status: 'Failed', message: failed.conditions[0]?.message ?? '', attemptedAt };
  return { status: 'Unknown', message: 'no application uses the repository', attemptedAt };
}

interface Saving {
  readonly body: unknown;
  readonly type: SecretType;
  readonly action: 'create' | 'update';
  readonly upsert: boolean;
}

async function save(deps: ApiDeps, context: Context, { body, type, action, upsert }: Saving): Promise<object> {
  const key = type === 'repository' ? 'repo' : 'url';
  const url = stringAt(body, key) ?? '';
  if (url === '') throw new ArgoError('InvalidArgument', `${key}: is required`);
  demand(deps, context, wish(action, url, isRecord(body) ? stringAt(body, 'project') : undefined));
  const existing = (await list(deps, type)).find((secret) => isSameRepository(urlOf(secret), url));
  if (existing) demand(deps, context, wishOf('update', existing));
  if (existing && !upsert) {
    throw new ArgoError('InvalidArgument', 'existing repository spec is different; use upsert flag to force update');
  }
  const given = [...secretFields, ...plainFields].flatMap((name) => {
    const value = isRecord(body) ? body[name] : undefined;
    return value === undefined || value === null || value === '' ? [] : [[name, String(value)]];
  });
  const prefix = type === 'repository' ? 'repo' : 'creds';
  const secret: KubeObject = {
    apiVersion: 'v1',
    kind: 'Secret',
    metadata: {
      name: existing?.metadata.name ?? `${prefix}-${fnv1a(url)}`,
      namespace: deps.namespace,
      labels: { [secretTypeLabel]: type },
      annotations: { 'managed-by': 'argocd.argoproj.io' },
    },
    type: 'Opaque',
    stringData: { url, ...Object.fromEntries(given) },
  };
  const ref = { group: '', version: 'v1', kind: 'Secret', namespace: deps.namespace, name: secret.metadata.name };
  const saved = existing ? await deps.client.patch(ref, secret, { type: 'merge' }) : await deps.client.create(secret);
  return view(deps, saved, type);
}

const urlOf = (secret: KubeObject) => field(secret, 'url') ?? '';
