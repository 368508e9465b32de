// A folder of plain manifests: `*.yaml`, `*.yml`, `*.json`, `*.jsonnet`, in order of path, each file of one or more objects.
import picomatch from 'picomatch';
import { RenderError } from '../errors.ts';
import { evaluateFile, type JsonnetSettings } from '../jsonnet/index.ts';
import type { Manifest } from '../manifest.ts';
import { joinPath, type TracedTree } from '../tree/index.ts';
import { manifestsOfFile, manifestsOfValue } from './manifest-file.ts';

interface DirectoryOptions {
  readonly recurse?: boolean | undefined;
  readonly include?: string | undefined;
  readonly exclude?: string | undefined;
}

interface DirectoryInput extends DirectoryOptions {
  readonly path: string;
  /** All files together; Argo CD's own default. */
  readonly maxBytes?: number;
  readonly jsonnet?: JsonnetSettings;
  readonly signal?: AbortSignal | undefined;
}

interface DirectoryOutput {
  readonly manifests: readonly Manifest[];
  readonly warnings: readonly string[];
}

const suffixes = ['.yaml', '.yml', '.json', '.jsonnet'];
const noSettings: JsonnetSettings = { extVars: [], tlas: [], libs: [] };
const defaultMaxBytes = 10 * 1024 * 1024;

export async function renderDirectory(tree: TracedTree, input: DirectoryInput): Promise<DirectoryOutput> {
  const { maxBytes = defaultMaxBytes } = input;
  const isWanted = directorySelection(input);
  const manifests: Manifest[] = [];
  const warnings: string[] = [];
  let sizeBytes = 0;
  for (const relative of await filesUnder(tree, input)) {
    if (!isWanted(relative)) continue;
    const file = joinPath(input.path, relative);
    if (file.endsWith('.jsonnet')) {
      const { jsonnet: settings = noSettings, path, signal } = input;
      manifests.push(...manifestsOfValue(await evaluateFile(tree, file, { settings, path, signal }), file));
      continue;
    }
    const content = await tree.read(file);
    if (!content) throw new RenderError(`${file}: symbolic link points to nothing`);
    sizeBytes += content.length;
    if (sizeBytes > maxBytes) throw new RenderError(`${file}: the manifests of the folder exceed ${maxBytes} bytes`);
    const found = manifestsOfFile(content.toString('utf8'), file);
    manifests.push(...found.manifests);
    warnings.push(...found.warnings);
  }
  return { manifests, warnings };
}

/** Paths relative to the application's folder, in order. */
async function filesUnder(tree: TracedTree, { path, recurse = false }: DirectoryInput): Promise<string[]> {
  const files: string[] = [];
  const visit = async (relative: string): Promise<void> => {
    const entries = (await tree.list(joinPath(path, relative), { suffixes, folders: recurse })) ?? [];
    for (const entry of entries) {
      const at = joinPath(relative, entry.name);
      if (entry.kind === 'tree') await visit(at);
      else files.push(at);
    }
  };
  await visit('');
  return files;
}

/** Argo CD's globs know no separators: `*` crosses folders, and a leading dot is a letter like any other. */
export function directorySelection({ include = '', exclude = '' }: DirectoryOptions): (relative: string) => boolean {
  const matcher = (glob: string) => picomatch(glob, { bash: true, dot: true, nonegate: true });
  const isExcluded = exclude === '' ? () => false : matcher(exclude);
  const isIncluded = include === '' ? () => true : matcher(include);
  return (relative) => !isExcluded(relative) && isIncluded(relative);
}
