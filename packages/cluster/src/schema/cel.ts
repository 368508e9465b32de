// x-kubernetes-validations: rules in CEL over an object and, for rules that name oldSelf, what it was before.
// A rule that cannot be evaluated counts as broken, as in Kubernetes.
import { equalJson, isRecord } from '@fairlead/kube/object';
import { Environment } from '@marcbachmann/cel-js';
import type { Schema } from './schema.ts';
import type { SchemaError } from './validate.ts';

interface Rule {
  readonly rule: string;
  readonly message?: string;
  readonly messageExpression?: string;
  readonly reason?: string;
  readonly fieldPath?: string;
  readonly optionalOldSelf?: boolean;
}

interface Place {
  readonly previous: unknown;
  readonly path: string;
}

type Program = (variables: Record<string, unknown>) => unknown;

/** Compiled rules; a definition has a few dozen, and they are replaced when it changes. */
const programs = new Map<string, Program>();
const maxPrograms = 10_000;

export function programOf(text: string): Program {
  const known = programs.get(text);
  if (known) return known;
  if (programs.size >= maxPrograms) programs.clear();
  const environment = new Environment({ unlistedVariablesAreDyn: true, homogeneousAggregateLiterals: false });
  const program = environment.parse(text) as Program; // its declared type names the same call
  programs.set(text, program);
  return program;
}

export function celErrors(value: unknown, schema: Schema, place: Place): SchemaError[] {
  const own = rulesOf(schema).flatMap((rule) => brokenBy(rule, value, schema, place));
  return [...own, ...inner(value, schema, place)];
}

const rulesOf = (schema: Schema): readonly Rule[] => {
  const rules = schema['x-kubernetes-validations'];
  return Array.isArray(rules) ? (rules as Rule[]) : []; // the definition was validated
};

function inner(value: unknown, schema: Schema, { previous, path }: Place): SchemaError[] {
  if (Array.isArray(value) && schema.items) {
    const { items } = schema;
    return value.flatMap((item, index) =>
      celErrors(item, items, { previous: correlated(item, previous, schema), path: `${path}[${index}]` }),
    );
  }
  if (!isRecord(value)) return [];
  const { properties = {}, additionalProperties } = schema;
  return Object.entries(value).flatMap(([name, member]) => {
    const field = Object.hasOwn(properties, name) ? properties[name] : additionalProperties;
    if (typeof field !== 'object' || member === null) return [];
    const before = isRecord(previous) ? previous[name] : undefined;
    return celErrors(member, field, { previous: before, path: path === '' ? name : `${path}.${name}` });
  });
}

/** The item of the old list that this one is a new form of; only keyed lists know. */
function correlated(item: unknown, previous: unknown, schema: Schema): unknown {
  const keys = schema['x-kubernetes-list-map-keys'];
  if (!Array.isArray(keys) || !Array.isArray(previous) || !isRecord(item)) return undefined;
  return previous.find((old) => isRecord(old) && keys.every((key: string) => equalJson(old[key], item[key])));
}

function brokenBy(rule: Rule, value: unknown, schema: Schema, { previous, path }: Place): SchemaError[] {
  const looksBack = /\boldSelf\b/.test(rule.rule);
  if (looksBack && previous === undefined && !rule.optionalOldSelf) return [];
  const variables = {
    self: celValue(value, schema),
    ...(looksBack ? { oldSelf: celValue(previous, schema) } : {}),
  };
  try {
    if (programOf(rule.rule)(variables) === true) return [];
    return [refusal(rule, value, path, messageOf(rule, variables))];
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    return [refusal(rule, value, path, `rule evaluation error: ${why}`)];
  }
}

function messageOf(rule: Rule, variables: Record<string, unknown>): string {
  if (rule.messageExpression) {
    const text = programOf(rule.messageExpression)(variables);
    if (typeof text === 'string' && text.trim() !== '') return text;
  }
  return rule.message ?? `failed rule: ${rule.rule.trim()}`;
}

const reasons: Readonly<Record<string, SchemaError['type']>> = {
  FieldValueForbidden: 'Forbidden',
  FieldValueRequired: 'Required',
  FieldValueDuplicate: 'Duplicate',
};

function refusal(rule: Rule, value: unknown, path: string, message: string): SchemaError {
  const field = `${path}${rule.fieldPath ?? ''}`.replace(/^\./, '');
  return {
    type: reasons[rule.reason ?? ''] ?? 'Invalid',
    field: field === '' ? '<nil>' : field,
    message,
    value: kindOf(value),
  };
}

function kindOf(value: unknown): string {
  if (Array.isArray(value)) return 'array';
  if (typeof value === 'number') return Number.isInteger(value) ? 'integer' : 'number';
  return typeof value;
}

/** CEL's integers are not JavaScript's numbers. */
function celValue(value: unknown, schema: Schema | undefined): unknown {
  if (typeof value === 'number') {
    const isInteger = schema?.type === 'integer' || (schema?.type !== 'number' && Number.isInteger(value));
    return isInteger ? BigInt(Math.trunc(value)) : value;
  }
  if (Array.isArray(value)) return value.map((item) => celValue(item, schema?.items));
  if (!isRecord(value)) return value;
  const { properties = {}, additionalProperties } = schema ?? {};
  const fieldOf = (name: string) => {
    if (Object.hasOwn(properties, name)) return properties[name];
    return typeof additionalProperties === 'object' ? additionalProperties : undefined;
  };
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, celValue(member, fieldOf(name))]));
}
