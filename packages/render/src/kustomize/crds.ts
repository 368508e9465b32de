// `crds`: OpenAPI definitions of kinds that kustomize does not know, whose extensions say which of their members hold
// names, labels and annotations. They are definitions by Go type, not CustomResourceDefinitions.
import { RenderError } from '../errors.ts';
import { parseDocuments } from '../yaml/index.ts';
import type { FieldSpec } from './field-spec.ts';
import { type Fields, fieldsOf, isFields, own } from './fields.ts';
import type { References } from './reference-fields.ts';
import { mergedConfig, noConfig, type TransformerConfig } from './transformer-config.ts';

const maxDepth = 50;
const marks = { noted: 'commonAnnotations', labelled: 'commonLabels', named: 'namePrefix' } as const;
const extensions = {
  noted: 'x-kubernetes-annotation',
  labelled: 'x-kubernetes-label-selector',
  named: 'x-kubernetes-identity',
} as const;

export function configOfCrds(text: string, file: string): TransformerConfig {
  const [definitions = {}] = parseDocuments(text, file);
  if (!isFields(definitions) || !Object.values(definitions).every(isFields))
    throw new RenderError(`${file}: crds: is no map of OpenAPI definitions (CustomResourceDefinitions are resources)`);
  let config = noConfig;
  for (const type of Object.keys(definitions)) {
    const properties = propertiesOf(definitions, type);
    if (!['apiVersion', 'kind', 'metadata'].every((name) => Object.hasOwn(properties, name))) continue;
    const kind = type.split('.').at(-1) ?? '';
    config = mergedConfig(config, configOf(definitions, { type, kind, path: [], file }));
  }
  return config;
}

const propertiesOf = (definitions: Fields, type: string): Fields =>
  fieldsOf(fieldsOf(fieldsOf(own(definitions, type))['Schema'])['properties']);

interface Walk {
  readonly type: string;
  /** Of the objects that the members are in. */
  readonly kind: string;
  readonly path: readonly string[];
  readonly file: string;
}

function configOf(definitions: Fields, { type, kind, path, file }: Walk): TransformerConfig {
  if (path.length > maxDepth) throw new RenderError(`${file}: crds: ${type} is nested deeper than ${maxDepth}`);
  let config = noConfig;
  for (const [name, value] of Object.entries(propertiesOf(definitions, type))) {
    const property = fieldsOf(value);
    const at = [...path, name];
    const spec: FieldSpec = { path: at.join('/'), kind };
    for (const mark of ['noted', 'labelled', 'named'] as const) {
      if (typeof property[extensions[mark]] === 'string')
        config = mergedConfig(config, { specs: { [marks[mark]]: [spec] }, nameReferences: [] });
    }
    const reference = referenceOf(property, kind, at);
    if (reference) config = mergedConfig(config, { specs: {}, nameReferences: [reference] });
    const inner = property['$ref'];
    if (typeof inner === 'string')
      config = mergedConfig(config, configOf(definitions, { type: inner, kind, path: at, file }));
  }
  return config;
}

function referenceOf(property: Fields, kind: string, path: readonly string[]): References | undefined {
  const text = (name: string) => {
    const value = property[`x-kubernetes-object-ref-${name}`];
    return typeof value === 'string' ? value : undefined;
  };
  const [version, target] = [text('api-version'), text('kind')];
  if (version === undefined || target === undefined) return undefined;
  return { kind: target, version, fields: [{ path: [...path, text('name-key') ?? 'name'].join('/'), kind }] };
}
