// `kustomize build` on PATH in place of our own, over the folder of the application and every folder outside it that its
// kustomizations name. What `spec.source.kustomize` says is laid over the kustomization before the program sees it.

import { manifestsOfText } from '../directory/index.ts';
import { RenderError } from '../errors.ts';
import {
  isFields,
  type KustomizeRequest,
  listOf,
  localTarget,
  looseKustomization,
  textOf,
  withSource,
} from '../kustomize/index.ts';
import type { Manifest } from '../manifest.ts';
import type { TracedTree } from '../tree/index.ts';
import { CollectedFiles } from './collect-files.ts';
import type { ProgramSource } from './program-source.ts';

const maxFolders = 1000;
const folderFields = ['resources', 'bases', 'components', 'generators', 'transformers', 'validators'];

export async function renderWithKustomize(
  tree: TracedTree,
  { path, source, signal }: KustomizeRequest,
  programs: Pick<ProgramSource, 'run'>,
): Promise<{ manifests: Manifest[]; warnings: string[] }> {
  const files = new CollectedFiles(tree, signal);
  await addFolders(tree, path, files);
  const kustomization = await looseKustomization(tree, path);
  if (!kustomization) throw new RenderError(`${path || '.'}: has no kustomization file`);
  const changed = withSource(kustomization, source);
  if (changed.fields !== kustomization.fields) files.put(changed.file, Buffer.from(JSON.stringify(changed.fields)));
  const call = { program: 'kustomize', args: ['build', `./${path}`], files: files.all() } as const;
  const text = await programs.run(call, { signal });
  return { manifests: manifestsOfText(text, 'kustomize build'), warnings: [] };
}

/** Each folder once; those inside another that is there already are only looked into. */
async function addFolders(tree: TracedTree, start: string, files: CollectedFiles): Promise<void> {
  const waiting = [start];
  const seen = new Set<string>();
  const whole: string[] = [];
  for (let folder = waiting.pop(); folder !== undefined; folder = waiting.pop()) {
    if (seen.has(folder)) continue;
    seen.add(folder);
    if (seen.size > maxFolders) throw new RenderError(`${start}: names more than ${maxFolders} folders`);
    const at = folder;
    if (!whole.some((root) => root === '' || `${at}/`.startsWith(`${root}/`))) {
      await files.addFolder(at);
      whole.push(at);
    }
    waiting.push(...(await foldersNamedBy(tree, at)));
  }
}

async function foldersNamedBy(tree: TracedTree, folder: string): Promise<string[]> {
  const kustomization = await looseKustomization(tree, folder);
  if (!kustomization) return [];
  const { fields } = kustomization;
  const globals = isFields(fields['helmGlobals']) ? textOf(fields['helmGlobals']['chartHome']) : '';
  const named = [...folderFields.flatMap((field) => listOf(fields[field])), ...(globals === '' ? [] : [globals])];
  const found: string[] = [];
  for (const entry of named) {
    const target = typeof entry === 'string' ? localTarget(folder, entry) : undefined;
    if (target !== undefined && (await tree.isFolder(target))) found.push(target);
  }
  return found;
}
