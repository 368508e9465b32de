// Takes away what a runtime has put into a cluster that is not its own, so that the Argo CD there is as it was before.
// Its components must have stopped: they would write again. What applications still need stays and is named: Git Sources, which
// are applications, and the credentials that remaining applications are read with. May be run again after any failure.
import { argoApiVersion, argoGroup, asApplication, entityOf } from '@fairlead/contracts';
import { normalizeRepositoryUrl } from '@fairlead/git';
import { isNotFound, type KubeClient, type KubeObject } from '@fairlead/kube';
import { changeRevisionAnnotation } from '../change-revision/index.ts';
import { configurationApplicationName } from '../configuration/index.ts';
import { fieldsOf, partOfFairlead, readIdentity } from '../identity/index.ts';
import { unlinkedClusters } from '../managed-clusters/index.ts';

interface RemovalOptions {
  readonly client: KubeClient;
  readonly runtimeNamespace: string;
  readonly engineNamespace: string;
  readonly signal: AbortSignal;
}

export interface Removal {
  /** `Secret fairlead/fairlead-runtime` and so on. */
  readonly removed: readonly string[];
  /** With the reason. */
  readonly kept: readonly string[];
}

type Kind = 'Secret' | 'ConfigMap' | 'Namespace' | 'Application';

export async function removeRuntime(options: RemovalOptions): Promise<Removal> {
  const { client, runtimeNamespace, engineNamespace, signal } = options;
  const identity = await readIdentity(client, { namespace: runtimeNamespace, signal });
  const removed: string[] = [];
  const remove = async (kind: Kind, { metadata }: KubeObject) => {
    if (await gone(client, kind, { metadata, signal })) removed.push(`${kind} ${placeOf(metadata)}`);
  };
  const list = async (kind: Kind, namespace?: string, labelSelector?: string) => {
    const apiVersion = kind === 'Application' ? argoApiVersion : 'v1';
    return (await client.list({ apiVersion, kind, namespace, labelSelector }, { signal })).items;
  };
  const applications = await list('Application', engineNamespace);
  const own = identity ? configurationOf(applications, identity.runtimeName) : [];
  for (const application of own) await remove('Application', application);
  const left = applications.filter((application) => !own.includes(application));
  for (const application of left) {
    if (application.metadata.annotations?.[changeRevisionAnnotation] === undefined) continue;
    await withoutAnnotation(client, application, signal);
    removed.push(`annotation ${changeRevisionAnnotation} of Application ${placeOf(application.metadata)}`);
  }
  const kept = left.filter(({ metadata }) => entityOf(metadata.labels) === 'git-source').map(keptSource);
  for (const secret of await list('Secret', engineNamespace, partOfFairlead)) {
    const user = left.find((application) => isReadWith(application, secret));
    if (user) kept.push(`Secret ${placeOf(secret.metadata)}: Application ${user.metadata.name} is read with it`);
    else await remove('Secret', secret);
  }
  for (const secret of await list('Secret', engineNamespace, unlinkedClusters)) await remove('Secret', secret);
  for (const kind of ['ConfigMap', 'Secret'] as const) {
    for (const object of await list(kind, runtimeNamespace, partOfFairlead)) await remove(kind, object);
  }
  const namespaces = await list('Namespace', undefined, partOfFairlead);
  for (const each of namespaces) if (each.metadata.name === runtimeNamespace) await remove('Namespace', each);
  return { removed, kept };
}

/** The one that follows Git first: it would bring the others back. */
function configurationOf(applications: readonly KubeObject[], runtime: string): KubeObject[] {
  const first = configurationApplicationName(runtime);
  return applications
    .filter(
      ({ metadata }) => entityOf(metadata.labels) === 'internal-config' && metadata.name.startsWith(`${runtime}-`),
    )
    .sort((a, b) => Number(b.metadata.name === first) - Number(a.metadata.name === first));
}

const placeOf = ({ namespace, name }: KubeObject['metadata']) => (namespace ? `${namespace}/${name}` : name);
const keptSource = ({ metadata }: KubeObject) =>
  `Application ${placeOf(metadata)}: a Git Source, which goes on bringing its applications; delete it if it should not`;

function isReadWith(application: KubeObject, secret: KubeObject): boolean {
  const { url } = fieldsOf(secret);
  if (!url) return false;
  const prefix = normalizeRepositoryUrl(url);
  const { spec } = asApplication(application);
  const sources = [...(spec.source ? [spec.source] : []), ...(spec.sources ?? [])];
  return sources.some(({ repoURL }) => `${normalizeRepositoryUrl(repoURL)}/`.startsWith(`${prefix}/`));
}

async function withoutAnnotation(client: KubeClient, { metadata }: KubeObject, signal: AbortSignal): Promise<void> {
  const patch = { metadata: { annotations: { [changeRevisionAnnotation]: null } } };
  await client.patch(refOf('Application', metadata), patch, { type: 'merge', signal });
}

const refOf = (kind: Kind, { namespace, name }: KubeObject['metadata']) => ({
  ...(kind === 'Application' ? { group: argoGroup, version: 'v1alpha1' } : { group: '', version: 'v1' }),
  ...{ kind, name },
  ...(namespace ? { namespace } : {}),
});

async function gone(
  client: KubeClient,
  kind: Kind,
  { metadata, signal }: Pick<KubeObject, 'metadata'> & { readonly signal: AbortSignal },
): Promise<boolean> {
  try {
    await client.delete(refOf(kind, metadata), { signal });
    return true;
  } catch (error) {
    if (isNotFound(error)) return false;
    throw error;
  }
}
