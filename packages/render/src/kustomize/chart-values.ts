// The values of a chart in `helmCharts`: a file (the chart's own unless another is named) and those written in place, one
// laid over the other as `valuesMerge` says; further files over both, as Helm lays one file over another.
import { RenderError } from '../errors.ts';
import { cleanPath, joinPath, type TracedTree } from '../tree/index.ts';
import { parseDocuments } from '../yaml/index.ts';
import { type Fields, isFields, listOf, own, put, textOf } from './fields.ts';
import type { Kustomization } from './kustomization.ts';

interface Places {
  readonly kustomization: Kustomization;
  /** Of the kustomization. */
  readonly tree: TracedTree;
  /** Where the chart stands. */
  readonly chart: { readonly tree: TracedTree; readonly path: string };
  readonly where: string;
}

/** What Helm is given as its values beside the chart's own. */
export async function chartValues(chart: Fields, places: Places): Promise<Fields> {
  const { where, kustomization, tree } = places;
  const way = textOf(chart['valuesMerge']) || 'override';
  if (!['merge', 'override', 'replace'].includes(way))
    throw new RenderError(`${where}: valuesMerge must be one of merge, override, replace`);
  const beside = (file: string) => readValues(tree, cleanPath(joinPath(kustomization.folder, file)), where);
  const file = textOf(chart['valuesFile']);
  const inline = chart['valuesInline'];
  let values: Fields = {};
  if (isFields(inline) && Object.keys(inline).length > 0) {
    const given = async () => (file === '' ? chartsOwn(places) : beside(file));
    if (way === 'replace') values = inline;
    else if (way === 'override') values = overlaid(await given(), inline);
    else values = overlaid(inline, await given());
  } else if (file !== '') values = await beside(file);
  for (const further of listOf(chart['additionalValuesFiles']))
    values = laidByHelm(values, await beside(textOf(further)));
  return values;
}

async function chartsOwn({ chart: { tree, path }, where }: Places): Promise<Fields> {
  const file = joinPath(path, 'values.yaml');
  return (await tree.isFile(file)) ? readValues(tree, file, where) : {};
}

async function readValues(tree: TracedTree, file: string, where: string): Promise<Fields> {
  const content = await tree.read(file);
  if (!content) throw new RenderError(`${where}: values file ${file} does not exist`);
  const [values = {}] = parseDocuments(content.toString('utf8'), file);
  if (!isFields(values)) throw new RenderError(`${file}: is not a map of values`);
  return values;
}

/** Kustomize's merge: maps into each other, null takes away, everything else replaces. */
function overlaid(under: Fields, over: Fields): Fields {
  const merged: Fields = { ...under };
  for (const [key, value] of Object.entries(over)) {
    const below = own(merged, key);
    if (value === null) delete merged[key];
    else put(merged, key, isFields(value) ? overlaid(isFields(below) ? below : {}, value) : value);
  }
  return merged;
}

/** Helm's: null is a value, which takes the chart's own away. */
function laidByHelm(under: Fields, over: Fields): Fields {
  const merged: Fields = { ...under };
  for (const [key, value] of Object.entries(over)) {
    const below = own(merged, key);
    put(merged, key, isFields(value) && isFields(below) ? laidByHelm(below, value) : value);
  }
  return merged;
}
