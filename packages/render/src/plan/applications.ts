// Application manifests as far as rendering needs them, found in a folder of a tree or given as text.
import type { ApplicationSource } from '@fairlead/contracts';
import { RenderError } from '../errors.ts';
import type { Manifest } from '../manifest.ts';
import { render } from '../renderer.ts';
import type { SourceTree } from '../tree/index.ts';

export interface PlannedApplication {
  readonly name: string;
  /** Of the Application object itself; '' when the manifest names none. */
  readonly namespace: string;
  readonly sources: readonly ApplicationSource[];
  /** Where its manifests would go. */
  readonly destinationNamespace: string | undefined;
}

/** Every Application that the folder renders to, whichever tool it is written with; other objects are passed over. */
export async function applicationsIn(
  tree: SourceTree,
  path: string,
  { signal }: { signal?: AbortSignal } = {},
): Promise<PlannedApplication[]> {
  const asFolder = { repoURL: '', path };
  const found = await render({ tree, source: asFolder }, signal ? { signal } : {});
  if (found.sourceType !== 'Directory') return applicationsOf(found.manifests);
  const deep = { ...asFolder, directory: { recurse: true } };
  return applicationsOf((await render({ tree, source: deep }, signal ? { signal } : {})).manifests);
}

export function applicationsOf(manifests: readonly Manifest[]): PlannedApplication[] {
  return manifests
    .filter(({ apiVersion, kind }) => kind === 'Application' && apiVersion.startsWith('argoproj.io/'))
    .map(applicationOf);
}

function applicationOf({ metadata, ...rest }: Manifest): PlannedApplication {
  const spec = fieldsOf(rest['spec']);
  const given = Array.isArray(spec['sources']) && spec['sources'].length > 0 ? spec['sources'] : [spec['source']];
  const sources = given.map((source) => {
    const { repoURL } = fieldsOf(source);
    if (typeof repoURL !== 'string') throw new RenderError(`Application ${metadata.name}: a source has no repoURL`);
    return source as ApplicationSource; // an object with its one required field; renderers read the rest with care
  });
  const { namespace } = fieldsOf(spec['destination']);
  const destinationNamespace = typeof namespace === 'string' ? namespace : undefined;
  return { name: metadata.name, namespace: metadata.namespace ?? '', sources, destinationNamespace };
}

const fieldsOf = (value: unknown): Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null ? { ...value } : {};
