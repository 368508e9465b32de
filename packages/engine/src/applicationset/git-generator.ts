// The git generator: one set of parameters per folder, or per file (and its content), that matches.
import { isRecord, listAt, stringAt, valueAt } from '@fairlead/kube';
import { parseDocuments, type SourceTree } from '@fairlead/render';
import picomatch from 'picomatch';
import { normalizeName, type Parameters } from './parameters.ts';

export interface RepositoryReader {
  readonly openTree: (url: string, revision: string) => Promise<SourceTree>;
}

/** Entries one repository may make us look at. */
const maxEntries = 100_000;

type GitSpec = Readonly<Record<string, unknown>>;

export async function gitDirectories(spec: GitSpec, reader: RepositoryReader): Promise<Parameters[]> {
  const { folders } = await walk(spec, reader);
  const isWanted = matcher(listAt(spec, 'directories'));
  return folders.filter(isWanted).map((path) => underPrefix(spec, pathParameters(path)));
}

export async function gitFiles(spec: GitSpec, reader: RepositoryReader): Promise<Parameters[]> {
  const { files, tree } = await walk(spec, reader);
  const isWanted = matcher(listAt(spec, 'files'));
  const found: Parameters[] = [];
  for (const file of files.filter(isWanted)) {
    const entry = await tree.entry(file);
    if (!entry) continue;
    const text = (await tree.read(entry)).toString('utf8');
    const folder = file.split('/').slice(0, -1).join('/');
    const name = file.split('/').at(-1) ?? '';
    const path = { ...pathParameters(folder).path, filename: name, filenameNormalized: normalizeName(name) };
    for (const document of parseDocuments(text, file).flat()) {
      if (isRecord(document)) found.push({ ...document, ...underPrefix(spec, { path }) });
    }
  }
  return found;
}

/** Excludes win; folders whose name begins with a dot are passed over, as in Argo CD. */
function matcher(rules: readonly unknown[]): (path: string) => boolean {
  const compiled = rules.map((rule) => ({
    matches: picomatch(stringAt(rule, 'path') ?? '', { dot: true }),
    isExcluded: valueAt(rule, 'exclude') === true,
  }));
  return (path) =>
    compiled.some(({ matches, isExcluded }) => !isExcluded && matches(path)) &&
    !compiled.some(({ matches, isExcluded }) => isExcluded && matches(path));
}

async function walk(
  spec: GitSpec,
  reader: RepositoryReader,
): Promise<{ folders: string[]; files: string[]; tree: SourceTree }> {
  const tree = await reader.openTree(stringAt(spec, 'repoURL') ?? '', stringAt(spec, 'revision') || 'HEAD');
  const folders: string[] = [];
  const files: string[] = [];
  const open = [''];
  for (let at = open.shift(); at !== undefined; at = open.shift()) {
    for (const entry of (await tree.list(at)) ?? []) {
      const path = at ? `${at}/${entry.name}` : entry.name;
      if (entry.kind === 'tree' && !entry.name.startsWith('.')) {
        folders.push(path);
        open.push(path);
      } else if (entry.kind !== 'tree') files.push(path);
      if (folders.length + files.length > maxEntries)
        throw new Error(`the repository holds more than ${maxEntries} entries`);
    }
  }
  return { folders: folders.sort(), files: files.sort(), tree };
}

/** Go templates say `.path.path` and `index .path.segments 0`; the older ones `path` and `path[0]` (see `flatten`). */
function pathParameters(path: string): { path: Readonly<Record<string, unknown>> } {
  const segments = path.split('/');
  const basename = segments.at(-1) ?? '';
  return { path: { path, basename, basenameNormalized: normalizeName(basename), segments } };
}

function underPrefix(spec: GitSpec, parameters: { path: Readonly<Record<string, unknown>> }): Parameters {
  const prefix = stringAt(spec, 'pathParamPrefix');
  return prefix ? { [prefix]: parameters } : parameters;
}
