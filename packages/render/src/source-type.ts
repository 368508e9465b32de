// Which tool renders a source: what the source says, else what stands at the root of its folder.
import type { ApplicationSource } from '@fairlead/contracts';
import { RenderError, UnsupportedSourceError } from './errors.ts';
import { joinPath, type TracedTree } from './tree/index.ts';

export type SourceType = 'Directory' | 'Helm' | 'Kustomize';

const explicitFields = ['helm', 'kustomize', 'directory', 'plugin'] as const;
const typeOfField = { helm: 'Helm', kustomize: 'Kustomize', directory: 'Directory' } as const;
const kustomizationFiles = ['kustomization.yaml', 'kustomization.yml', 'Kustomization'];

export async function sourceTypeOf(tree: TracedTree, path: string, source: ApplicationSource): Promise<SourceType> {
  const given = source as Readonly<Record<string, unknown>>; // fields the contract does not name pass through it
  const explicit = explicitFields.filter((field) => given[field] !== undefined && given[field] !== null);
  if (explicit.length > 1) {
    throw new RenderError(`source names more than one tool (${explicit.join(', ')}); it may name only one`);
  }
  const [only] = explicit;
  if (source.chart && only !== undefined && only !== 'helm')
    throw new RenderError(`source.${only}: a source with a chart can only be rendered by Helm`);
  if (only === 'plugin') throw new UnsupportedSourceError('source.plugin: plugin is not supported yet');
  if (only) return typeOfField[only];
  if (await tree.isFile(joinPath(path, 'Chart.yaml'))) return 'Helm';
  for (const file of kustomizationFiles) {
    if (await tree.isFile(joinPath(path, file))) return 'Kustomize';
  }
  return 'Directory';
}
