// `configurations`: where else than in built-in kinds the transformers of a kustomization have work to do. What a base
// configures holds for those who use it too.
import { RenderError } from '../errors.ts';
import { parseDocuments } from '../yaml/index.ts';
import type { FieldSpec } from './field-spec.ts';
import { type Fields, isFields, listOf } from './fields.ts';
import type { References } from './reference-fields.ts';

const sections = [
  'namePrefix',
  'nameSuffix',
  'namespace',
  'labels',
  'commonLabels',
  'templateLabels',
  'commonAnnotations',
  'images',
  'replicas',
  'varReference',
] as const;
type Section = (typeof sections)[number];

export interface TransformerConfig {
  readonly specs: Readonly<Partial<Record<Section, readonly FieldSpec[]>>>;
  readonly nameReferences: readonly References[];
}

export const noConfig: TransformerConfig = { specs: {}, nameReferences: [] };

export function mergedConfig(a: TransformerConfig, b: TransformerConfig): TransformerConfig {
  const specs = sections.map(
    (section) => [section, [...(a.specs[section] ?? []), ...(b.specs[section] ?? [])]] as const,
  );
  return { specs: Object.fromEntries(specs), nameReferences: [...a.nameReferences, ...b.nameReferences] };
}

export function parseConfig(text: string, file: string): TransformerConfig {
  return parseDocuments(text, file)
    .map((document) => configOf(document, file))
    .reduce(mergedConfig, noConfig);
}

function configOf(document: unknown, file: string): TransformerConfig {
  if (!isFields(document)) throw new RenderError(`${file}: is not a transformer configuration`);
  const specs: Partial<Record<Section, readonly FieldSpec[]>> = {};
  for (const [name, value] of Object.entries(document)) {
    const section = sections.find((one) => one === name);
    if (section) specs[section] = listOf(value).map((item) => fieldSpecOf(item, `${file}: ${name}`));
    else if (name !== 'nameReference') throw new RenderError(`${file}: unknown section "${name}"`);
  }
  const nameReferences = listOf(document['nameReference']).map((item): References => {
    const where = `${file}: nameReference`;
    if (!isFields(item) || typeof item['kind'] !== 'string') throw new RenderError(`${where}: an entry has no kind`);
    const fields = listOf(item['fieldSpecs']).map((spec) => fieldSpecOf(spec, where));
    return { kind: item['kind'], fields, ...(typeof item['group'] === 'string' && { group: item['group'] }) };
  });
  return { specs, nameReferences };
}

export function fieldSpecOf(item: unknown, where: string): FieldSpec {
  const entry: Fields = isFields(item) ? item : {};
  const text = (field: string) => (typeof entry[field] === 'string' ? entry[field] : undefined);
  const path = text('path');
  if (path === undefined) throw new RenderError(`${where}: an entry has no path`);
  return { path, group: text('group'), version: text('version'), kind: text('kind'), create: entry['create'] === true };
}
