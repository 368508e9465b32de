// .Chart: the description of a chart with every field Go gives it, set or not.
import { fromJson, GoMap, GoSlice, GoStruct, strings, type Value } from '../gotemplate/index.ts';
import type { Chart } from './chart.ts';

const textFields = [
  ['Name', 'name'],
  ['Home', 'home'],
  ['Version', 'version'],
  ['Description', 'description'],
  ['Icon', 'icon'],
  ['APIVersion', 'apiVersion'],
  ['Condition', 'condition'],
  ['Tags', 'tags'],
  ['AppVersion', 'appVersion'],
  ['KubeVersion', 'kubeVersion'],
  ['Type', 'type'],
] as const;

const textOf = (value: unknown): string => (value === undefined || value === null ? '' : String(value));
const textsOf = (value: unknown): GoSlice => strings(Array.isArray(value) ? value.map(textOf) : []);

export function chartObject({ metadata }: Chart, isRoot: boolean): GoStruct {
  const { written } = metadata;
  const fields = new Map<string, Value>(textFields.map(([name, key]) => [name, textOf(written[key])]));
  fields.set('Sources', textsOf(written['sources']));
  fields.set('Keywords', textsOf(written['keywords']));
  fields.set('Maintainers', new GoSlice(listOf(written['maintainers']).map(maintainer), '*chart.Maintainer'));
  fields.set('Deprecated', written['deprecated'] === true);
  fields.set('Annotations', annotations(written['annotations']));
  fields.set(
    'Dependencies',
    new GoSlice(
      (metadata.dependencies ?? []).map((d) => fromJson({ ...d })),
      '*chart.Dependency',
    ),
  );
  fields.set('IsRoot', isRoot);
  return new GoStruct({
    type: 'struct { chart.Metadata; IsRoot bool }',
    fields: [...fields],
    json: jsonOf(written, isRoot),
  });
}

const listOf = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);

function maintainer(value: unknown): Value {
  const fields =
    typeof value === 'object' && value !== null ? new Map(Object.entries(value)) : new Map<string, unknown>();
  const shown = (['name', 'email', 'url'] as const).map(
    (key) => [`${key === 'url' ? 'URL' : key[0]?.toUpperCase() + key.slice(1)}`, textOf(fields.get(key))] as const,
  );
  return new GoStruct({ type: 'chart.Maintainer', pointer: true, fields: shown });
}

function annotations(value: unknown): GoMap {
  const entries = typeof value === 'object' && value !== null ? Object.entries(value) : [];
  return new GoMap(
    entries.map(([key, inner]) => [key, textOf(inner)] as const),
    'map[string]string',
  );
}

function jsonOf(written: Readonly<Record<string, unknown>>, isRoot: boolean): Value {
  const plain = fromJson(written);
  if (plain instanceof GoMap) plain.entries.set('IsRoot', isRoot);
  return plain;
}
