// Chart.lock: the versions that a chart's author settled on. It counts only while it belongs to the dependencies as they
// are written now, which its digest tells.
import { sha256Hex } from '@fairlead/base';
import type { ChartFile } from '../charts/index.ts';
import { RenderError } from '../errors.ts';
import { joinPath } from '../tree/index.ts';
import { parseDocuments } from '../yaml/index.ts';
import type { Chart } from './chart.ts';

export interface LockedDependency {
  readonly name: string;
  readonly repository: string;
  readonly version: string;
}

type Fields = Readonly<Record<string, unknown>>;
const fieldsOf = (value: unknown): Fields => (typeof value === 'object' && value !== null ? { ...value } : {});
const listOf = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);

/** Undefined when the chart has no lock file. */
export function lockedDependencies(
  { metadata }: Chart,
  files: readonly ChartFile[],
  path: string,
): readonly LockedDependency[] | undefined {
  const isOld = metadata.written['apiVersion'] === 'v1';
  const [name, beside] = isOld ? ['requirements.lock', 'requirements.yaml'] : ['Chart.lock', 'Chart.yaml'];
  const file = files.find((one) => one.name === name);
  if (!file) return undefined;
  const lock = fieldsOf(parseDocuments(file.content.toString('utf8'), joinPath(path, name))[0]);
  const locked = listOf(lock['dependencies']).map(fieldsOf);
  const declared = isOld ? requirements(files, path) : metadata.written['dependencies'];
  const digest = `sha256:${sha256Hex(goJson([listOf(declared).map(fieldsOf).map(asGo), locked.map(asGo)]))}`;
  if (digest !== lock['digest']) {
    throw new RenderError(
      `${joinPath(path, name)}: the lock file (${name}) is out of sync with the dependencies file (${beside}). Please update the dependencies`,
    );
  }
  return locked.map((one) => ({
    name: String(one['name'] ?? ''),
    repository: String(one['repository'] ?? ''),
    version: String(one['version'] ?? ''),
  }));
}

function requirements(files: readonly ChartFile[], path: string): unknown {
  const file = files.find(({ name }) => name === 'requirements.yaml');
  if (!file) return [];
  return fieldsOf(parseDocuments(file.content.toString('utf8'), joinPath(path, 'requirements.yaml'))[0])[
    'dependencies'
  ];
}

/** The members that Helm hashes, in its order; those that are empty are left out. */
function asGo(dependency: Fields): Fields {
  const text = (name: string) => String(dependency[name] ?? '');
  const list = (name: string) => listOf(dependency[name]);
  return {
    name: text('name'),
    ...(text('version') !== '' && { version: text('version') }),
    repository: text('repository'),
    ...(text('condition') !== '' && { condition: text('condition') }),
    ...(list('tags').length > 0 && { tags: list('tags') }),
    ...(dependency['enabled'] === true && { enabled: true }),
    ...(list('import-values').length > 0 && { 'import-values': list('import-values').map(sorted) }),
    ...(text('alias') !== '' && { alias: text('alias') }),
  };
}

/** Go writes the keys of a map in order. */
function sorted(value: unknown): unknown {
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1)));
}

const escapes: Readonly<Record<string, string>> = {
  '<': '\\u003c',
  '>': '\\u003e',
  '&': '\\u0026',
  '\u2028': '\\u2028',
  '\u2029': '\\u2029',
};

const goJson = (value: unknown): string =>
  JSON.stringify(value).replace(/[<>&\u2028\u2029]/g, (char) => escapes[char] ?? char);
