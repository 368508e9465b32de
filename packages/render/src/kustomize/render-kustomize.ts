// Kustomizations built in process, as kustomize 5.7 would.
//
// Promises: reads only through the traced tree; files stand beside or below their kustomization, folders inside the
// repository, or in another one that is allowed; nothing is run; depth, objects and patterns are bounded; a field that is not supported is an
// error naming it and its file. Not here: plugins, schemas of other kinds.
import { posix } from 'node:path';
import type { ApplicationSource } from '@fairlead/contracts';
import type { TracedCharts } from '../charts/index.ts';
import { UnsupportedSourceError } from '../errors.ts';
import type { Manifest } from '../manifest.ts';
import type { TracedRemotes } from '../remotes/index.ts';
import type { TracedTree } from '../tree/index.ts';
import { withSource } from './argo-source.ts';
import { type Accumulated, build } from './build.ts';
import { childOf, listOf, put } from './fields.ts';
import { hashSuffix } from './hash-suffix.ts';
import { type Kustomization, readKustomization } from './kustomization.ts';
import { followNames } from './name-references.ts';
import { inOrder } from './order.ts';
import type { Resource } from './resource.ts';
import { noConfig } from './transformer-config.ts';
import { resolveVars } from './vars.ts';

export interface KustomizeRequest {
  readonly path: string;
  readonly source: ApplicationSource;
  readonly charts?: TracedCharts | undefined;
  readonly remotes?: TracedRemotes | undefined;
  readonly signal?: AbortSignal | undefined;
}

export async function renderKustomize(
  tree: TracedTree,
  { path, source, charts, remotes, signal }: KustomizeRequest,
): Promise<{ manifests: Manifest[]; warnings: string[] }> {
  const kustomization = withSource(await readKustomization(tree, path), source);
  const accumulated: Accumulated = { config: noConfig, vars: [] };
  const resources = await build(kustomization, {
    tree,
    signal,
    charts,
    remotes,
    repository: '',
    stack: [],
    accumulated,
  });
  for (const resource of resources) {
    if (resource.needsHash) resource.rename(`${resource.name}-${hashSuffix(resource)}`);
  }
  followNames(resources, accumulated.config.nameReferences);
  resolveVars(resources, accumulated.vars, accumulated.config.specs.varReference ?? []);
  if (listOf(kustomization.fields['buildMetadata']).includes('originAnnotations') && remotes?.used().length)
    throw new UnsupportedSourceError(`${kustomization.file}: originAnnotations of remote resources are not supported`);
  addBuildMetadata(resources, kustomization);
  return { manifests: inOrder(resources, kustomization).map((resource) => resource.toManifest()), warnings: [] };
}

function addBuildMetadata(resources: readonly Resource[], { fields, file, folder }: Kustomization): void {
  for (const option of listOf(fields['buildMetadata'])) {
    if (option === 'originAnnotations') {
      for (const resource of resources)
        put(childOf(resource.metadata, 'annotations'), 'config.kubernetes.io/origin', originText(resource, folder));
    } else if (option === 'managedByLabel') {
      for (const { metadata } of resources)
        put(childOf(metadata, 'labels'), 'app.kubernetes.io/managed-by', 'kustomize-v5.7.1');
    } else throw new UnsupportedSourceError(`${file}: buildMetadata ${String(option)} is not supported yet`);
  }
}

function originText({ origin, generator }: Resource, folder: string): string {
  const path = posix.relative(`/${folder}`, `/${origin}`);
  if (generator === '') return `path: ${path}\n`;
  return `configuredIn: ${path}\nconfiguredBy:\n  apiVersion: builtin\n  kind: ${generator}\n`;
}
