// An Application as a form: the YAML is the truth, the form reads from it and writes into it. Fields the form does not know
// stay as they are; only comments are lost when the form changes a value.
import { dump, load } from 'js-yaml';

export interface FormValues {
  readonly name: string;
  readonly project: string;
  readonly repoURL: string;
  readonly targetRevision: string;
  readonly path: string;
  readonly server: string;
  readonly namespace: string;
  readonly automated: boolean;
  readonly prune: boolean;
  readonly selfHeal: boolean;
  readonly createNamespace: boolean;
}

type Tree = Record<string, unknown>;

const treeOf = (value: unknown): Tree =>
  typeof value === 'object' && value !== null && !Array.isArray(value) ? { ...(value as Tree) } : {};
const textOf = (value: unknown): string => (typeof value === 'string' ? value : '');
const createOption = 'CreateNamespace=true';

/** Undefined when the text is no YAML object: then only the text can be edited. */
export function readManifest(text: string): Tree | undefined {
  try {
    const read: unknown = load(text);
    return typeof read === 'object' && read !== null && !Array.isArray(read) ? (read as Tree) : undefined;
  } catch {
    return undefined; // half-typed: the preview tells the line
  }
}

export function valuesOf(manifest: Tree): FormValues {
  const spec = treeOf(manifest['spec']);
  const [source, destination, policy] = [
    treeOf(spec['source']),
    treeOf(spec['destination']),
    treeOf(spec['syncPolicy']),
  ];
  const automated = policy['automated'];
  const options = Array.isArray(policy['syncOptions']) ? policy['syncOptions'] : [];
  return {
    ...{ name: textOf(treeOf(manifest['metadata'])['name']), project: textOf(spec['project']) },
    ...{
      repoURL: textOf(source['repoURL']),
      targetRevision: textOf(source['targetRevision']),
      path: textOf(source['path']),
    },
    ...{ server: textOf(destination['server']), namespace: textOf(destination['namespace']) },
    ...{ automated: automated !== undefined && automated !== null, createNamespace: options.includes(createOption) },
    ...{ prune: treeOf(automated)['prune'] === true, selfHeal: treeOf(automated)['selfHeal'] === true },
  };
}

/** The manifest with the form's values in it; all else as it was. */
export function withValues(manifest: Tree, values: FormValues): Tree {
  const spec = treeOf(manifest['spec']);
  const { automated: before, syncOptions, ...policy } = treeOf(spec['syncPolicy']);
  const others = (Array.isArray(syncOptions) ? syncOptions : []).filter((option) => option !== createOption);
  const options = values.createNamespace ? [...others, createOption] : others;
  const automated = values.automated
    ? { automated: { ...treeOf(before), prune: values.prune, selfHeal: values.selfHeal } }
    : {};
  const syncPolicy = { ...policy, ...automated, ...(options.length > 0 && { syncOptions: options }) };
  const { syncPolicy: _, ...rest } = spec;
  return {
    ...manifest,
    metadata: { ...treeOf(manifest['metadata']), name: values.name },
    spec: {
      ...rest,
      project: values.project,
      source: {
        ...treeOf(spec['source']),
        ...{ repoURL: values.repoURL, targetRevision: values.targetRevision, path: values.path },
      },
      destination: { ...treeOf(spec['destination']), server: values.server, namespace: values.namespace },
      ...(Object.keys(syncPolicy).length > 0 && { syncPolicy }),
    },
  };
}

export const writeManifest = (manifest: Tree): string => dump(manifest, { lineWidth: -1, noRefs: true });

export const newManifest: Tree = {
  apiVersion: 'argoproj.io/v1alpha1',
  kind: 'Application',
  metadata: { name: '' },
  spec: {
    project: 'default',
    source: { repoURL: '', targetRevision: 'main', path: '' },
    destination: { server: 'https://kubernetes.default.svc', namespace: '' },
    syncPolicy: { automated: { prune: true, selfHeal: true }, syncOptions: [createOption] },
  },
};
