// What the user gave, in Helm's order: values files, the inline values, --set, --set-string, --set-file.
import { posix } from 'node:path';
import { RenderError, UnsupportedSourceError } from '../errors.ts';
import { fromJson, GoMap } from '../gotemplate/index.ts';
import { cleanPath, type TracedTree } from '../tree/index.ts';
import { parseValues } from './chart.ts';
import { setText, setValues } from './set-values.ts';
import type { HelmSource } from './source.ts';
import { copyOf, mergeMaps } from './values.ts';

/** Where files may be taken from: the chart's own repository, and the sources that lend theirs by name. */
export interface ValuePlaces {
  readonly tree: TracedTree;
  readonly chartPath: string;
  readonly refs: ReadonlyMap<string, TracedTree>;
}

interface Place {
  readonly tree: TracedTree;
  readonly path: string;
}

export async function givenValues(places: ValuePlaces, source: HelmSource): Promise<GoMap> {
  let values = new GoMap();
  for (const file of source.valueFiles) {
    const place = placeOf(places, file);
    const content = await valuesFile(place, file, source);
    if (content) values = mergeMaps(values, parseValues(content.toString('utf8'), place.path));
  }
  if (source.valuesObject !== undefined && source.valuesObject !== null) {
    const given = fromJson(source.valuesObject);
    if (!(given instanceof GoMap)) throw new RenderError('source.helm.valuesObject: must be a map');
    values = mergeMaps(values, given);
  } else if (source.values !== '') values = mergeMaps(values, parseValues(source.values, 'source.helm.values'));
  const merged = copyOf(values);
  for (const asText of [false, true]) {
    for (const { name, value } of source.parameters.filter(({ forceString }) => forceString === asText)) {
      setValues(merged, `${name}=${escapedCommas(value)}`, { asText });
    }
  }
  for (const { name, content } of await fileParameters(places, source)) setText(merged, name, content.toString('utf8'));
  return merged;
}

/** The same as files: those of values in their order, and those of parameters by name. */
export async function givenFiles(places: ValuePlaces, source: HelmSource) {
  const values: Buffer[] = [];
  for (const file of source.valueFiles) {
    const content = await valuesFile(placeOf(places, file), file, source);
    if (content) values.push(content);
  }
  const { valuesObject, values: text } = source;
  if (valuesObject !== undefined && valuesObject !== null) values.push(Buffer.from(JSON.stringify(valuesObject)));
  else if (text !== '') values.push(Buffer.from(text));
  return { values, parameters: await fileParameters(places, source) };
}

async function fileParameters(places: ValuePlaces, source: HelmSource): Promise<{ name: string; content: Buffer }[]> {
  const found: { name: string; content: Buffer }[] = [];
  for (const { name, path: file } of source.fileParameters) {
    const { tree, path } = placeOf(places, file);
    const content = await tree.read(path);
    if (!content) throw new RenderError(`source.helm.fileParameters: ${file} does not exist`);
    found.push({ name, content });
  }
  return found;
}

async function valuesFile(
  { tree, path }: Place,
  file: string,
  { ignoreMissingValueFiles }: HelmSource,
): Promise<Buffer | undefined> {
  const content = await tree.read(path);
  if (content || ignoreMissingValueFiles) return content;
  throw new RenderError(`source.helm.valueFiles: ${file} does not exist`);
}

/**
 * Relative to the chart; with a leading slash, to the root of the repository; `$name/…` to the root of the source with
 * that `ref`. What leads out of a repository is refused.
 */
function placeOf({ tree, chartPath, refs }: ValuePlaces, file: string): Place {
  if (/^[a-zA-Z][a-zA-Z0-9+.-]*:\/\//.test(file)) {
    throw new UnsupportedSourceError(`${JSON.stringify(file)}: files by URL are not supported`);
  }
  const [, name, rest = ''] = /^\$([^/]+)\/?(.*)$/s.exec(file) ?? [];
  if (name !== undefined) {
    const lender = refs.get(name);
    if (!lender) throw new RenderError(`source.helm: ${file} names no source: none has ref: ${name}`);
    return { tree: lender, path: cleanPath(rest.replace(/^\/+/, '')) };
  }
  if (file.startsWith('/')) return { tree, path: cleanPath(file.replace(/^\/+/, '')) };
  return { tree, path: cleanPath(posix.join(chartPath === '' ? '.' : chartPath, file)) };
}

/** Argo CD keeps commas inside a value unless it is a list. */
export function escapedCommas(value: string): string {
  if (value.startsWith('{') && value.endsWith('}')) return value;
  return value.replace(/(^|[^\\]),/g, '$1\\,').replace(/(^|[^\\]),/g, '$1\\,');
}
