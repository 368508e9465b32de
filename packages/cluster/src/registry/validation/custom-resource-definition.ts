// A CustomResourceDefinition, down to its schemas and rules.
import { isRecord, type KubeObject, listAt, recordAt, stringAt } from '@fairlead/kube/object';
import { ruleProblem } from '../../schema/index.ts';
import type { FieldError } from '../resource-type.ts';
import { required, unsupported } from './rules.ts';

const scopes = ['Cluster', 'Namespaced'];
const schemaTypes = ['array', 'boolean', 'integer', 'number', 'object', 'string'];

export function validateCustomResourceDefinition(
  object: KubeObject,
  previous: KubeObject | undefined,
): readonly FieldError[] {
  const spec = recordAt(object, 'spec');
  if (previous && recordAt(previous, 'spec')['group'] !== spec['group']) {
    return [{ type: 'Invalid', field: 'spec.group', message: 'field is immutable', value: spec['group'] }];
  }
  const errors: FieldError[] = [];
  for (const path of [['group'], ['scope'], ['names', 'plural'], ['names', 'kind']]) {
    if (!stringAt(spec, ...path)) errors.push(required(`spec.${path.join('.')}`));
  }
  const versions = listAt(spec, 'versions').filter(isRecord);
  if (versions.filter((version) => version['storage'] === true).length !== 1) {
    const message = 'must have exactly one version marked as storage version';
    errors.push({
      type: 'Invalid',
      field: 'spec.versions',
      message,
      value: versions.map((version) => version['name']),
    });
  }
  if (typeof spec['scope'] === 'string' && spec['scope'] !== '' && !scopes.includes(spec['scope'])) {
    errors.push(unsupported('spec.scope', spec['scope'], scopes));
  }
  errors.push(...versions.flatMap((version, index) => schemaErrors(version, index, versions.length === 1)));
  if (!previous && !versions.some((version) => version['storage'] === true)) {
    const message = 'must have at least one stored version';
    errors.push({ type: 'Invalid', field: 'status.storedVersions', message, value: [] });
  }
  const expected = `${stringAt(spec, 'names', 'plural')}.${stringAt(spec, 'group')}`;
  if (object.metadata.name !== expected) {
    const message = 'must be spec.names.plural+"."+spec.group';
    errors.push({ type: 'Invalid', field: 'metadata.name', message, value: object.metadata.name });
  }
  return errors;
}

function schemaErrors(version: Record<string, unknown>, index: number, isOnly: boolean): FieldError[] {
  const schema = recordAt(version, 'schema')['openAPIV3Schema'];
  if (!isRecord(schema)) return [required(`spec.versions[${index}].schema.openAPIV3Schema`, 'schemas are required')];
  const at = isOnly ? 'spec.validation.openAPIV3Schema' : `spec.versions[${index}].schema.openAPIV3Schema`;
  const { type } = schema;
  const message = 'must be object at the root';
  const isObject = type === 'object' || type === undefined || type === '';
  return [
    ...(isObject ? [] : [{ type: 'Invalid' as const, field: `${at}.type`, message, value: type }]),
    ...structuralErrors(schema, { at, isObject: true }),
  ];
}

interface SchemaPlace {
  readonly at: string;
  /** It describes the whole object. */
  readonly isObject?: boolean;
}

function structuralErrors(schema: Record<string, unknown>, { at, isObject = false }: SchemaPlace): FieldError[] {
  const { type } = schema;
  const isFree =
    schema['x-kubernetes-int-or-string'] === true || schema['x-kubernetes-preserve-unknown-fields'] === true;
  if (typeof type === 'string' && type !== '' && !schemaTypes.includes(type))
    return [unsupported(`${at}.type`, type, schemaTypes)];
  const properties = Object.entries(recordAt(schema, 'properties'));
  return [
    ...(!type && !isFree ? [required(`${at}.type`, 'must not be empty for specified object fields')] : []),
    ...properties.flatMap(([name, inner]) =>
      isRecord(inner) ? structuralErrors(inner, { at: `${at}.properties[${name}]` }) : [],
    ),
    ...(isRecord(schema['items']) ? structuralErrors(schema['items'], { at: `${at}.items` }) : []),
    ...ruleErrors(schema, { at, isObject }),
  ];
}

function ruleErrors(schema: Record<string, unknown>, { at, isObject = false }: SchemaPlace): FieldError[] {
  return listAt(schema, 'x-kubernetes-validations').flatMap((rule, index) => {
    const text = stringAt(rule, 'rule') ?? '';
    const problem = ruleProblem(text, { schema, isObject });
    if (problem === undefined) return [];
    const field = `${at}.x-kubernetes-validations[${index}].rule`;
    const shown = `apiextensions.ValidationRule{Rule:${JSON.stringify(text)}}`;
    return [{ type: 'Invalid' as const, field, message: problem, shown }];
  });
}
