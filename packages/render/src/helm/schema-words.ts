// What is wrong with a value, in the words of Helm 3.17 (gojsonschema), from what ajv found. Pure.
import type { ErrorObject } from 'ajv';

type Params = Readonly<Record<string, unknown>>;
type Words = (params: Params, error: ErrorObject) => string;

const limit =
  (before: string, after = ''): Words =>
  ({ limit: bound }) =>
    `${before} ${String(bound)}${after}`;

const words: Readonly<Record<string, Words>> = {
  type: ({ type }, { data }) => `Invalid type. Expected: ${typesText(type)}, given: ${typeOf(data)}`,
  required: ({ missingProperty }) => `${String(missingProperty)} is required`,
  additionalProperties: ({ additionalProperty }) => `Additional property ${String(additionalProperty)} is not allowed`,
  enum: ({ allowedValues }, error) =>
    `${placeOf(error)} must be one of the following: ${listOf(allowedValues).map(jsonText).join(', ')}`,
  const: ({ allowedValue }, error) => `${placeOf(error)} does not match: ${jsonText(allowedValue)}`,
  minimum: limit('Must be greater than or equal to'),
  exclusiveMinimum: limit('Must be greater than'),
  maximum: limit('Must be less than or equal to'),
  exclusiveMaximum: limit('Must be less than'),
  multipleOf: ({ multipleOf }) => `Must be a multiple of ${String(multipleOf)}`,
  minLength: limit('String length must be greater than or equal to'),
  maxLength: limit('String length must be less than or equal to'),
  pattern: ({ pattern }) => `Does not match pattern '${String(pattern)}'`,
  format: ({ format }) => `Does not match format '${String(format)}'`,
  minItems: limit('Array must have at least', ' items'),
  maxItems: limit('Array must have at most', ' items'),
  uniqueItems: ({ i, j }) => `array items[${String(j)},${String(i)}] must be unique`,
  contains: () => 'At least one of the items must match',
  minProperties: limit('Must have at least', ' properties'),
  maxProperties: limit('Must have at most', ' properties'),
  propertyNames: ({ propertyName }) => `Property name of ${jsonText(propertyName)} does not match`,
  dependencies: ({ missingProperty }) => `Has a dependency on ${String(missingProperty)}`,
  anyOf: () => 'Must validate at least one schema (anyOf)',
  oneOf: () => 'Must validate one and only one schema (oneOf)',
  not: () => 'Must not validate the schema (not)',
  if: ({ failingKeyword }) =>
    failingKeyword === 'then' ? 'Must validate "then" as "if" was valid' : 'Must validate "else" as "if" was not valid',
};

/** One line an error, each once; `verbose` of ajv is needed for the values. */
export function schemaComplaints(errors: readonly ErrorObject[]): string[] {
  const lines = errors.flatMap((error) => {
    const known = words[error.keyword];
    const line = `${placeOf(error)}: ${known ? known(error.params, error) : (error.message ?? error.keyword)}`;
    const isOfAll = /\/allOf\/\d+\/[^/]+$/.test(error.schemaPath);
    return isOfAll ? [line, `${placeOf(error)}: Must validate all the schemas (allOf)`] : [line];
  });
  return [...new Set(lines)];
}

/** `/a/0/b` → `a.0.b`. */
function placeOf({ instancePath }: ErrorObject): string {
  if (instancePath === '') return '(root)';
  return instancePath
    .slice(1)
    .split('/')
    .map((part) => part.replaceAll('~1', '/').replaceAll('~0', '~'))
    .join('.');
}

function typesText(type: unknown): string {
  if (!Array.isArray(type) && !String(type).includes(',')) return String(type);
  return `[${Array.isArray(type) ? type.join(',') : String(type)}]`;
}

function typeOf(value: unknown): string {
  if (value === null) return 'null';
  if (Array.isArray(value)) return 'array';
  if (typeof value === 'number') return Number.isInteger(value) ? 'integer' : 'number';
  return typeof value;
}

const listOf = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);
const jsonText = (value: unknown): string => JSON.stringify(value) ?? 'null';
