// A chart in memory, made of the files of its folder or archive.
import type { ChartFile } from '../charts/index.ts';
import { RenderError } from '../errors.ts';
import { fromJson, GoMap, type Value } from '../gotemplate/index.ts';
import { parseDocuments } from '../yaml/index.ts';

export interface Dependency {
  readonly name: string;
  readonly version: string;
  readonly repository: string;
  readonly condition: string;
  readonly tags: readonly string[];
  readonly alias: string;
  readonly importValues: readonly unknown[];
}

export interface ChartMetadata {
  readonly name: string;
  readonly version: string;
  readonly type: string;
  readonly kubeVersion: string;
  /** Undefined when the chart declares none at all. */
  readonly dependencies: readonly Dependency[] | undefined;
  /** Chart.yaml as it is written. */
  readonly written: Readonly<Record<string, unknown>>;
}

export interface Chart {
  metadata: ChartMetadata;
  values: GoMap;
  dependencies: Chart[];
  readonly templates: readonly ChartFile[];
  /** Everything that is neither template, value, schema nor subchart. */
  readonly files: readonly ChartFile[];
  readonly schema: string | undefined;
  /** The files it was made of, those of `charts/` included. */
  readonly sources: readonly ChartFile[];
  /** A dependency that was not in `charts/`. */
  isAdded?: true;
}

/** The chart as files below a folder, with its dependencies where `helm dependency build` puts them. */
export function chartFiles(chart: Chart, folder: string): { path: string; content: Buffer }[] {
  const own = chart.sources.map(({ name, content }) => ({ path: `${folder}/${name}`, content }));
  const added = chart.dependencies.filter(({ isAdded }) => isAdded);
  const below = added.flatMap((dependency) => {
    const { name, version } = dependency.metadata;
    return chartFiles(dependency, `${folder}/charts/${name}-${version.replaceAll('/', '_')}`);
  });
  return [...own, ...below];
}

const textField = (value: unknown): string => (typeof value === 'string' ? value : '');
const listField = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);

type Fields = Readonly<Record<string, unknown>>;
const isFields = (value: unknown): value is Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

export function parseMetadata(content: string, file: string, requirements?: Fields): ChartMetadata {
  const [described] = parseDocuments(content, file);
  if (!isFields(described)) throw new RenderError(`${file}: is not a chart description`);
  // Charts of Helm 2 need not say which apiVersion they are of: the first.
  const written = textField(described['apiVersion']) ? described : { ...described, apiVersion: 'v1' };
  const name = textField(written['name']);
  if (name === '') throw new RenderError(`${file}: validation: chart.metadata.name is required`);
  if (name !== name.split('/').at(-1) || name === '.' || name === '..') {
    throw new RenderError(`${file}: validation: chart.metadata.name ${JSON.stringify(name)} is invalid`);
  }
  const version = written['version'];
  if (version === undefined || version === '')
    throw new RenderError(`${file}: validation: chart.metadata.version is required`);
  const declared = written['dependencies'] ?? requirements?.['dependencies'];
  return {
    name,
    version: String(version),
    type: textField(written['type']),
    kubeVersion: textField(written['kubeVersion']),
    dependencies:
      declared === undefined || declared === null
        ? undefined
        : listField(declared).map((item) => dependencyOf(item, file)),
    written,
  };
}

function dependencyOf(item: unknown, file: string): Dependency {
  if (!isFields(item)) throw new RenderError(`${file}: validation: dependencies must not contain empty or null nodes`);
  return {
    name: textField(item['name']),
    version: item['version'] === undefined ? '' : String(item['version']),
    repository: textField(item['repository']),
    condition: textField(item['condition']),
    tags: listField(item['tags']).map(String),
    alias: textField(item['alias']),
    importValues: listField(item['import-values']),
  };
}

/** A values file as Helm reads it: every number a float64; an empty file is an empty map. */
export function parseValues(content: string, file: string): GoMap {
  const [document] = parseDocuments(content, file);
  const value: Value = fromJson(document);
  if (value === null) return new GoMap();
  if (!(value instanceof GoMap)) throw new RenderError(`${file}: cannot unmarshal into a map of values`);
  return value;
}

/** Parent and name, as templates are called: `root/charts/child`. */
export const chartPath = (parent: string, name: string): string => (parent === '' ? name : `${parent}/charts/${name}`);
