// A CustomResourceDefinition read as kinds: one per served version, all of them kept in one place.
import { isRecord, type JsonRecord, type KubeObject, listAt, recordAt, stringAt, valueAt } from '@fairlead/kube/object';
import { customShape } from '@fairlead/kube/patch';
import { fillDefaults, type Schema, validateBySchema } from '../schema/index.ts';
import { ageColumn, ageOf, nameColumn } from './columns.ts';
import { type Column, type ResourceType, resourceType } from './resource-type.ts';

export interface CustomKinds {
  readonly served: readonly ResourceType[];
  readonly storageVersion: string;
}

export function customKinds(definition: KubeObject): CustomKinds {
  const spec = recordAt(definition, 'spec');
  const names = recordAt(spec, 'names');
  const strings = (key: string) => listAt(names, key).map(String);
  const group = stringAt(spec, 'group') ?? '';
  const versions = listAt(spec, 'versions').filter(isRecord);
  const served = versions
    .filter((version) => version['served'] === true)
    .map((version) =>
      resourceType({
        ...rulesOf(version),
        group,
        version: stringAt(version, 'name') ?? '',
        kind: stringAt(names, 'kind') ?? '',
        plural: stringAt(names, 'plural') ?? '',
        singular: stringAt(names, 'singular') ?? '',
        shortNames: strings('shortNames'),
        categories: strings('categories'),
        namespaced: spec['scope'] === 'Namespaced',
        hasGeneration: true,
        hasStatus: isRecord(valueAt(version, 'subresources', 'status')),
        scale: scaleOf(version),
        shape: customShape,
        isBuiltIn: false,
        selectableFields: listAt(version, 'selectableFields').map((field) =>
          (stringAt(field, 'jsonPath') ?? '').replace(/^\./, ''),
        ),
        columns: columnsOf(version),
      }),
    );
  const storage = versions.find((version) => version['storage'] === true);
  return { served, storageVersion: stringAt(storage, 'name') ?? '' };
}

/** What the version's schema makes of its objects; without one, they are taken as they come. */
function rulesOf(version: JsonRecord): Partial<ResourceType> {
  const given = valueAt(version, 'schema', 'openAPIV3Schema');
  if (!isRecord(given)) return {};
  const schema = withMetadata(given as Schema); // the definition was validated as one
  return {
    schema,
    defaults: (object) => fillDefaults(object, schema) as KubeObject, // identity members stay
    validate: (object, previous) => validateBySchema(object, schema, previous),
  };
}

const metadata: Schema = { $ref: 'io.k8s.apimachinery.pkg.apis.meta.v1.ObjectMeta' };
const text: Schema = { type: 'string' };

/** Every object has these, whatever its schema says of them. */
const withMetadata = (schema: Schema): Schema => ({
  ...schema,
  properties: { ...schema.properties, apiVersion: text, kind: text, metadata },
});

const pathOf = (text: unknown) => (typeof text === 'string' ? text.split('.').filter((part) => part !== '') : []);

function scaleOf(version: JsonRecord): ResourceType['scale'] {
  const scale = valueAt(version, 'subresources', 'scale');
  if (!isRecord(scale)) return undefined;
  return {
    specReplicas: pathOf(scale['specReplicasPath']),
    statusReplicas: pathOf(scale['statusReplicasPath']),
    selector: pathOf(scale['labelSelectorPath']),
  };
}

function columnsOf(version: JsonRecord): readonly Column[] {
  const given = listAt(version, 'additionalPrinterColumns').filter(isRecord);
  if (given.length === 0) return [nameColumn, { ...ageColumn, type: 'date' }];
  return [nameColumn, ...given.map(customColumn)];
}

function customColumn(row: JsonRecord): Column {
  const path = stringAt(row, 'jsonPath') ?? '';
  const type = stringAt(row, 'type') ?? 'string';
  return {
    name: stringAt(row, 'name') ?? '',
    type: type as Column['type'], // the CRD's own schema admits these types only
    priority: typeof row['priority'] === 'number' ? row['priority'] : 0,
    ...(stringAt(row, 'format') ? { format: stringAt(row, 'format') ?? '' } : {}),
    description: stringAt(row, 'description') ?? '',
    value: (object, { nowMs }) => {
      const value = readJsonPath(object, path);
      if (value === undefined) return type === 'date' ? '<unknown>' : undefined;
      if (type === 'date') return ageOf(value, nowMs);
      return typeof value === 'object' ? JSON.stringify(value) : value;
    },
  };
}

const step =
  /\.((?:[A-Za-z0-9_$/-]|\\.)+)|\['([^']+)'\]|\[(\d+)\]|\[\?\(@\.([A-Za-z0-9_.-]+)\s*==\s*["']([^"']*)["']\)\]/y;

/** The part of JSONPath that printer columns use: members (dots escaped or quoted), indexes, `[?(@.type=="Ready")]`. */
export function readJsonPath(object: unknown, path: string): unknown {
  let value = object;
  step.lastIndex = 0;
  for (let match = step.exec(path); match; match = step.exec(path)) {
    const [, name, quoted, index, field = '', wanted] = match;
    if (name !== undefined) value = valueAt(value, name.replaceAll('\\', ''));
    else if (quoted !== undefined) value = valueAt(value, quoted);
    else if (!Array.isArray(value)) return undefined;
    else if (index !== undefined) value = value[Number(index)];
    else value = value.find((item) => String(valueAt(item, ...field.split('.'))) === wanted);
    if (value === undefined || value === null) return undefined;
    if (step.lastIndex >= path.length) return value;
  }
  return undefined;
}
