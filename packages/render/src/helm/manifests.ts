// Rendered text → documents in the order in which Helm installs them. Hooks come last and keep their annotations: the
// engine maps them as Argo CD does.
import { RenderError } from '../errors.ts';
import type { Manifest } from '../manifest.ts';
import { parseDocuments } from '../yaml/index.ts';
import type { RenderedFile } from './engine.ts';

const installOrder =
  `PriorityClass Namespace NetworkPolicy ResourceQuota LimitRange PodSecurityPolicy PodDisruptionBudget ServiceAccount
  Secret SecretList ConfigMap StorageClass PersistentVolume PersistentVolumeClaim CustomResourceDefinition ClusterRole ClusterRoleList
  ClusterRoleBinding ClusterRoleBindingList Role RoleList RoleBinding RoleBindingList Service DaemonSet Pod ReplicationController
  ReplicaSet Deployment HorizontalPodAutoscaler StatefulSet Job CronJob IngressClass Ingress APIService`
    .trim()
    .split(/\s+/);

const ranks = new Map(installOrder.map((kind, rank) => [kind, rank]));
const rankOf = (kind: string): number => ranks.get(kind) ?? installOrder.length;

export function manifestsOf(files: readonly RenderedFile[], { skipTests }: { skipTests: boolean }): Manifest[] {
  const manifests = [...files]
    .sort((a, b) => (a.name < b.name ? -1 : 1))
    .filter(({ name }) => name.split('/').at(-1) !== 'NOTES.txt')
    .flatMap(({ name, text }) => splitManifests(text).flatMap((part) => documentsOf({ name, text: part })));
  const plain = manifests.filter((manifest) => hookOf(manifest) === undefined);
  const hooks = manifests.filter((manifest) => hookOf(manifest) !== undefined);
  return [...inOrder(plain), ...inOrder(hooks.filter((hook) => !(skipTests && isTest(hook))))];
}

/** Helm cuts at lines that begin with three dashes, whatever follows them, before anything is read as YAML. */
const splitManifests = (text: string): string[] =>
  (text.includes('---') ? text.trim().split(/(?:^|\s*\n)---\s*/) : [text])
    .map((part) => part.trim())
    .filter((part) => part !== '')
    .map((part) => `${part}\n`);

function inOrder(manifests: readonly Manifest[]): Manifest[] {
  return manifests
    .map((manifest, index) => ({ manifest, index }))
    .sort((a, b) => compareKinds(a.manifest.kind, b.manifest.kind) || a.index - b.index)
    .map(({ manifest }) => manifest);
}

function compareKinds(a: string, b: string): number {
  const [left, right] = [rankOf(a), rankOf(b)];
  if (left !== right) return left - right;
  return left < installOrder.length ? 0 : Number(a > b) - Number(a < b);
}

export function documentsOf({ name, text }: RenderedFile): Manifest[] {
  return parseDocuments(text, name).flatMap((document) => {
    if (typeof document !== 'object' || document === null || Array.isArray(document)) {
      throw new RenderError(`${name}: a document is not a Kubernetes object`);
    }
    const fields: Readonly<Record<string, unknown>> = { ...document };
    if (Object.keys(fields).length === 0) return [];
    return [manifestOf(fields, name)];
  });
}

function manifestOf(fields: Readonly<Record<string, unknown>>, file: string): Manifest {
  const { apiVersion, kind, metadata } = fields;
  if (typeof kind !== 'string' || kind === '') throw new RenderError(`${file}: an object has no kind`);
  if (typeof apiVersion !== 'string' || apiVersion === '') throw new RenderError(`${file}: ${kind} has no apiVersion`);
  const given = typeof metadata === 'object' && metadata !== null ? metadata : {};
  const name: unknown = 'name' in given ? given.name : '';
  return { ...fields, apiVersion, kind, metadata: { ...given, name: typeof name === 'string' ? name : '' } };
}

function hookOf({ metadata }: Manifest): string | undefined {
  const { annotations } = metadata;
  if (typeof annotations !== 'object' || annotations === null) return undefined;
  const hook: unknown = 'helm.sh/hook' in annotations ? annotations['helm.sh/hook'] : undefined;
  return typeof hook === 'string' ? hook : undefined;
}

const isTest = (manifest: Manifest): boolean =>
  (hookOf(manifest) ?? '').split(',').some((event) => ['test', 'test-success', 'test-failure'].includes(event.trim()));
