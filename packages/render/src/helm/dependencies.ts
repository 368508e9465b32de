// Which subcharts take part, under which name, and what they hand up to their parent.
import { GoMap } from '../gotemplate/index.ts';
import type { Chart, Dependency } from './chart.ts';
import { isFor } from './load.ts';
import { coalesceTables, coalesceValues, copyOf, tableAt, valueAt } from './values.ts';

/** Changes `chart`: dependencies renamed and left out, values imported. */
export function processDependencies(chart: Chart, given: GoMap): void {
  enableDependencies(chart, given, '');
  importValues(chart);
}

function enableDependencies(chart: Chart, given: GoMap, path: string): void {
  const declared = chart.metadata.dependencies;
  if (!declared) return;
  const undeclared = chart.dependencies.filter((known) => !declared.some((dependency) => isFor(known, dependency)));
  const taken = declared.flatMap((dependency) => {
    const found = chart.dependencies.find((known) => isFor(known, dependency));
    return found ? [underAlias(found, dependency)] : [];
  });
  chart.dependencies = [...undeclared, ...taken];
  const named = declared.map((dependency) => ({ ...dependency, name: dependency.alias || dependency.name }));
  const values = coalesceValues(chart, given);
  const isEnabled = (dependency: Dependency) =>
    enabledByCondition(dependency, values, path) ?? enabledByTags(dependency, values);
  const disabled = new Set(named.filter((dependency) => !isEnabled(dependency)).map(({ name }) => name));
  chart.dependencies = chart.dependencies.filter(({ metadata }) => !disabled.has(metadata.name));
  chart.metadata = { ...chart.metadata, dependencies: named.filter(({ name }) => !disabled.has(name)) };
  for (const subchart of chart.dependencies) enableDependencies(subchart, values, `${path}${subchart.metadata.name}.`);
}

/** One chart may be there several times under other names; each is a chart of its own. */
function underAlias(chart: Chart, { alias }: Dependency): Chart {
  const name = alias || chart.metadata.name;
  const dependencies = chart.dependencies.map((inner) => underAlias(inner, noAlias));
  return {
    ...chart,
    values: copyOf(chart.values),
    dependencies,
    metadata: { ...chart.metadata, name, written: { ...chart.metadata.written, name } },
  };
}

const noAlias: Dependency = {
  name: '',
  version: '',
  repository: '',
  condition: '',
  tags: [],
  alias: '',
  importValues: [],
};

/** The first path of the condition that holds a boolean decides; undefined when none does. */
function enabledByCondition({ condition }: Dependency, values: GoMap, path: string): boolean | undefined {
  for (const part of condition.trim().split(',')) {
    if (part === '') continue;
    const value = valueAt(values, path + part);
    if (typeof value === 'boolean') return value;
  }
  return undefined;
}

function enabledByTags({ tags }: Dependency, values: GoMap): boolean {
  const known = tableAt(values, 'tags');
  const said = tags.map((tag) => known?.entries.get(tag)).filter((value) => typeof value === 'boolean');
  return said.length === 0 || said.includes(true);
}

const keepNulls = { keepNulls: true };

function importValues(chart: Chart): void {
  for (const subchart of chart.dependencies) importValues(subchart);
  const declared = chart.metadata.dependencies;
  if (!declared) return;
  const values = coalesceValues(chart, new GoMap(), keepNulls);
  const imported = new GoMap();
  for (const dependency of declared) {
    for (const wanted of dependency.importValues) importOne(imported, values, { name: dependency.name, wanted });
  }
  chart.values = coalesceTables(values, imported, keepNulls);
}

function importOne(imported: GoMap, values: GoMap, { name, wanted }: { name: string; wanted: unknown }): void {
  if (typeof wanted === 'string') {
    const exported = tableAt(values, `${name}.exports.${wanted}`);
    if (exported) coalesceTables(imported, copyOf(exported), keepNulls);
    return;
  }
  if (typeof wanted !== 'object' || wanted === null) return;
  const { child, parent } = wanted as { child?: unknown; parent?: unknown }; // read as text below
  if (typeof child !== 'string' || typeof parent !== 'string') return;
  const table = tableAt(values, `${name}.${child}`);
  if (table) coalesceTables(imported, nested(parent, copyOf(table)), keepNulls);
}

function nested(path: string, map: GoMap): GoMap {
  if (path === '.') return map;
  return path.split('.').reduceRight((inner, name) => new GoMap([[name, inner]]), map);
}
