// Loading a chart: from a folder of the traced tree, its subcharts from `charts/` (folders and archives) and, for
// dependencies that are not there, from where Chart.yaml says: beside it (`file://`) or a chart repository.
import { posix } from 'node:path';
import { mapLimit } from '@fairlead/base';
import { type ChartFile, readArchive, type TracedCharts } from '../charts/index.ts';
import { RenderError } from '../errors.ts';
import { GoMap, parseConstraints, parseVersion, satisfies } from '../gotemplate/index.ts';
import { cleanPath, joinPath, type TracedTree } from '../tree/index.ts';
import { parseDocuments } from '../yaml/index.ts';
import { type Chart, type Dependency, parseMetadata, parseValues } from './chart.ts';
import { lockedDependencies } from './chart-lock.ts';
import { ignoreRules } from './ignore.ts';

const maxFiles = 20_000;
const maxBytes = 256 * 1024 * 1024;
const maxNesting = 20;
const parallel = 4;

/** What loading may still take in; shared by a chart and all below it. */
interface Allowance {
  files: number;
  bytes: number;
}

export async function loadChart(tree: TracedTree, path: string, charts?: TracedCharts): Promise<Chart> {
  const allowance: Allowance = { files: maxFiles, bytes: maxBytes };
  return loadFolder(tree, path, { allowance, nesting: 0, charts });
}

async function unpack(content: Buffer, name: string, state: LoadState): Promise<Chart> {
  const files = (await readArchive(content, name)).map((file) => spent(file, state.allowance));
  return chartOf(files, name, state);
}

interface LoadState {
  readonly allowance: Allowance;
  readonly nesting: number;
  readonly charts: TracedCharts | undefined;
}

async function loadFolder(tree: TracedTree, path: string, state: LoadState): Promise<Chart> {
  const ignored = await tree.read(joinPath(path, '.helmignore'));
  const isIgnored = ignoreRules(ignored?.toString('utf8') ?? '');
  const files: ChartFile[] = [];
  await collect(tree, { root: path, inside: '', files, isIgnored, allowance: state.allowance });
  const chart = await chartOf(files, path, state);
  await addMissingDependencies(tree, path, { chart, files, state });
  return chart;
}

interface Collection {
  readonly root: string;
  readonly inside: string;
  readonly files: ChartFile[];
  readonly isIgnored: (name: string, isFolder: boolean) => boolean;
  readonly allowance: Allowance;
}

async function collect(tree: TracedTree, { inside, ...collection }: Collection): Promise<void> {
  const { root, files, isIgnored, allowance } = collection;
  const entries = (await tree.list(joinPath(root, inside), { suffixes: [''], folders: true })) ?? [];
  for (const { name, kind } of entries) {
    const path = joinPath(inside, name);
    const isFolder = kind === 'tree' || (kind === 'link' && (await tree.isFolder(joinPath(root, path))));
    if (isIgnored(path, isFolder)) continue;
    if (path.split('/').length > 64) throw new RenderError(`${joinPath(root, path)}: folders are nested too deep`);
    if (isFolder) {
      await collect(tree, { ...collection, inside: path });
      continue;
    }
    const content = await tree.read(joinPath(root, path));
    if (content) files.push(spent({ name: path, content }, allowance));
  }
}

function spent(file: ChartFile, allowance: Allowance): ChartFile {
  allowance.files--;
  allowance.bytes -= file.content.length;
  if (allowance.files < 0) throw new RenderError(`${file.name}: a chart may hold at most ${maxFiles} files`);
  if (allowance.bytes < 0) throw new RenderError(`${file.name}: a chart may hold at most ${maxBytes} bytes`);
  return file;
}

const byteOrderMark = /^\ufeff/;
const textOf = (content: Buffer): string => content.toString('utf8').replace(byteOrderMark, '');

async function chartOf(files: readonly ChartFile[], path: string, state: LoadState): Promise<Chart> {
  if (state.nesting > maxNesting) throw new RenderError(`${path}: charts are nested deeper than ${maxNesting}`);
  const find = (name: string) => files.find((file) => file.name === name);
  const description = find('Chart.yaml');
  if (!description) throw new RenderError(`${joinPath(path, 'Chart.yaml')}: Chart.yaml file is missing`);
  const metadata = parseMetadata(
    textOf(description.content),
    joinPath(path, 'Chart.yaml'),
    requirementsOf(files, path),
  );
  const values = find('values.yaml');
  const rest = files.filter(({ name }) => !reserved.has(name) && !/^(?:templates|charts)\//.test(name));
  return {
    metadata,
    values: values ? parseValues(textOf(values.content), joinPath(path, 'values.yaml')) : new GoMap(),
    schema: find('values.schema.json')?.content.toString('utf8'),
    templates: files
      .filter(({ name }) => name.startsWith('templates/'))
      .map((file) => ({ ...file, content: Buffer.from(textOf(file.content)) })),
    files: rest,
    dependencies: await subcharts(files, path, state),
    sources: files,
  };
}

const reserved = new Set(['Chart.yaml', 'values.yaml', 'values.schema.json', 'Chart.lock']);

function requirementsOf(files: readonly ChartFile[], path: string): Readonly<Record<string, unknown>> | undefined {
  const file = files.find(({ name }) => name === 'requirements.yaml');
  if (!file) return undefined;
  const [parsed] = parseDocuments(textOf(file.content), joinPath(path, 'requirements.yaml'));
  return typeof parsed === 'object' && parsed !== null ? { ...parsed } : undefined;
}

async function subcharts(files: readonly ChartFile[], path: string, state: LoadState): Promise<Chart[]> {
  const folders = new Map<string, ChartFile[]>();
  const found: [string, Chart][] = [];
  const inner = { ...state, nesting: state.nesting + 1 };
  for (const { name, content } of files) {
    const [, top = '', below] = /^charts\/([^/]+)(?:\/(.+))?$/s.exec(name) ?? [];
    if (top === '' || /^[_.]/.test(top)) continue;
    if (below !== undefined) folders.set(top, [...(folders.get(top) ?? []), { name: below, content }]);
    else if (top.endsWith('.tgz')) {
      found.push([top, await unpack(content, joinPath(path, name), inner)]);
    }
  }
  for (const [name, inside] of folders)
    found.push([name, await chartOf(inside, joinPath(path, `charts/${name}`), inner)]);
  return found.sort(([a], [b]) => (a < b ? -1 : 1)).map(([, chart]) => chart);
}

interface Loaded {
  readonly chart: Chart;
  readonly files: readonly ChartFile[];
  readonly state: LoadState;
}

/** What `helm dependency build` would put into `charts/`. */
async function addMissingDependencies(tree: TracedTree, path: string, { chart, files, state }: Loaded): Promise<void> {
  const declared = chart.metadata.dependencies ?? [];
  // By name alone, as Helm does: a chart in another version is left to `charts/`, whatever Chart.yaml asks for.
  const missing = declared.filter(({ name }) => !chart.dependencies.some(({ metadata }) => metadata.name === name));
  if (missing.length === 0) return;
  if (state.nesting > maxNesting) throw new RenderError(`${path}: charts depend on each other in a circle`);
  const inner = { ...state, nesting: state.nesting + 1 };
  const locked = lockedDependencies(chart, files, path);
  const added = await mapLimit(missing, parallel, async (dependency) => {
    const exact = locked?.find(
      ({ name, repository }) => name === dependency.name && repository === dependency.repository,
    );
    const wanted = { ...dependency, version: exact?.version ?? dependency.version };
    const found = dependency.repository.startsWith('file://')
      ? await loadFolder(tree, cleanPath(posix.join(path || '.', dependency.repository.slice('file://'.length))), inner)
      : await fetched(wanted, path, inner);
    if (isFor(found, dependency)) return found;
    const { name, version } = found.metadata;
    throw new RenderError(
      `${joinPath(path, 'Chart.yaml')}: can't get a valid version for dependency ${dependency.name} ${dependency.version}: ${dependency.repository} gives ${name} ${version}`,
    );
  });
  // One chart under several aliases is there once.
  for (const one of added) one.isAdded = true;
  chart.dependencies.push(
    ...new Map(added.map((one) => [`${one.metadata.name} ${one.metadata.version}`, one])).values(),
  );
}

async function fetched(dependency: Dependency, path: string, state: LoadState): Promise<Chart> {
  const { name, repository, version } = dependency;
  if (repository === '' || !state.charts) {
    const hint = repository === '' ? '' : ` (from ${repository})`;
    throw new RenderError(
      `${joinPath(path, 'Chart.yaml')}: found in Chart.yaml, but missing in charts/ directory: ${name}${hint}`,
    );
  }
  const { content, version: taken } = await state.charts.fetch({ repository, name, version });
  return unpack(content, `${name}-${taken}.tgz`, state);
}

export function isFor({ metadata }: Chart, dependency: Dependency): boolean {
  if (metadata.name !== dependency.name) return false;
  const [version, constraints] = [parseVersion(metadata.version), parseConstraints(dependency.version || '*')];
  return version !== undefined && constraints !== undefined && satisfies(version, constraints);
}
