// A Git Source: an Argo CD Application that syncs a folder of manifests, itself a file of the Shared Configuration
// Repository. Deleting one leaves the applications that it brought running (it has no resources finalizer).
import {
  type Application,
  applicationsProjectAnnotation,
  argoApiVersion,
  entityLabel,
  entityOf,
  inClusterServer,
  internalLabel,
} from '@fairlead/contracts';
import { InvalidConfigurationError } from './errors.ts';
import { assertName } from './layout.ts';
import { assertFolder, assertHttpRepository } from './shared-config-url.ts';

export interface GitSource {
  readonly name: string;
  readonly repoURL: string;
  readonly branch: string;
  /** '' for the root. */
  readonly path: string;
  readonly include: string;
  readonly exclude: string;
  /** Of a restricted one: the project that its applications are kept in. */
  readonly applicationsProject?: string | undefined;
}

export type GitSourceInput = Pick<GitSource, 'name' | 'repoURL'> & Partial<GitSource>;

/** Fills in defaults; refuses what could never work, by field. */
export function readGitSource(input: GitSourceInput): GitSource {
  const { name, repoURL, branch = 'main', path = '', include = '*', exclude = '', applicationsProject } = input;
  if (!/^[^\s~^:?*[\\]+$/.test(branch) || branch.startsWith('-') || branch.includes('..')) {
    throw new InvalidConfigurationError('branch', `${JSON.stringify(branch)} is not the name of a branch`);
  }
  return {
    name: assertName('name', name),
    repoURL: assertHttpRepository('repoURL', repoURL),
    branch,
    path: assertFolder('path', path),
    include: include === '' ? '*' : include,
    exclude,
    ...(applicationsProject ? { applicationsProject } : {}),
  };
}

/** The project that a restricted Git Source itself is in. */
export const bringingProjectName = (gitSource: string): string => `${gitSource}-restricted`;

/** Over what is there already, so that what people added by hand stays. */
export function gitSourceApplication(
  source: GitSource,
  { namespace, before }: { readonly namespace: string; readonly before?: Application | undefined },
): Application {
  const { name, repoURL, branch, path, include, exclude, applicationsProject } = source;
  return {
    apiVersion: argoApiVersion,
    kind: 'Application',
    metadata: {
      ...before?.metadata,
      name,
      namespace,
      labels: { ...before?.metadata.labels, [entityLabel]: 'git-source', [internalLabel]: 'false' },
      ...(applicationsProject
        ? { annotations: { ...before?.metadata.annotations, [applicationsProjectAnnotation]: applicationsProject } }
        : {}),
    },
    spec: {
      project: 'default',
      ...before?.spec,
      ...(applicationsProject ? { project: bringingProjectName(name) } : {}),
      source: {
        ...before?.spec.source,
        repoURL,
        targetRevision: branch,
        path: path === '' ? '.' : path,
        directory: { recurse: true, include, exclude },
      },
      destination: { server: inClusterServer, namespace },
      syncPolicy: before?.spec.syncPolicy ?? { automated: { prune: true, selfHeal: true, allowEmpty: true } },
    },
  };
}

/** Undefined for an Application that is no Git Source. */
export function gitSourceOf(application: Application): GitSource | undefined {
  const { metadata, spec } = application;
  if (entityOf(metadata.labels) !== 'git-source' || !spec.source) return undefined;
  const { repoURL, targetRevision = 'HEAD', path = '', directory } = spec.source;
  const applicationsProject = metadata.annotations?.[applicationsProjectAnnotation];
  return {
    name: metadata.name,
    repoURL,
    branch: targetRevision,
    path: path === '.' ? '' : path,
    include: directory?.include || '*',
    exclude: directory?.exclude ?? '',
    ...(applicationsProject ? { applicationsProject } : {}),
  };
}
