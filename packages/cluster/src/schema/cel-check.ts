// Rules are looked at when their definition comes in: what cannot be read, or names a field that is not there, is refused then
// and not when the first object meets it. Costs are not estimated.
import { programOf } from './cel.ts';
import type { Schema } from './schema.ts';

/** Why the rule does not compile, in the words Kubernetes uses; undefined when it does. */
export function ruleProblem(rule: string, { schema, isObject }: RuleAt): string | undefined {
  try {
    programOf(rule);
  } catch (error) {
    const [why = ''] = (error instanceof Error ? error.message : String(error)).split('\n');
    return compilationError(rule, 0, `Syntax error: ${why}`);
  }
  return undeclaredField(rule, isObject ? withIdentity(schema) : schema);
}

interface RuleAt {
  readonly schema: Schema;
  /** The rule stands at a whole object. */
  readonly isObject: boolean;
}

/** What every object has needs no declaration. */
function withIdentity(schema: Schema): Schema {
  const text: Schema = { type: 'string' };
  const named = { type: 'object', properties: { name: text, generateName: text } };
  const { properties } = schema;
  const metadata = { ...named, properties: { ...named.properties, ...properties?.['metadata']?.properties } };
  return { ...schema, properties: { apiVersion: text, kind: text, ...properties, metadata } };
}

function undeclaredField(rule: string, schema: Schema): string | undefined {
  const plain = withoutTexts(rule);
  for (const match of plain.matchAll(/\b(?:self|oldSelf)((?:\.[A-Za-z_]\w*)+)(?!\w*\s*\()/g)) {
    let place: Schema | undefined = schema;
    let at = match.index + match[0].indexOf('.');
    for (const name of (match[1] ?? '').slice(1).split('.')) {
      if (!place || isOpen(place)) break;
      const field: Schema | undefined = place.properties?.[unescaped(name)];
      if (!field) return compilationError(rule, at, `undefined field '${name}'`);
      place = field;
      at += name.length + 1;
    }
  }
  return undefined;
}

const isOpen = (schema: Schema) =>
  (schema.type !== 'object' && schema.properties === undefined) ||
  schema.additionalProperties !== undefined ||
  schema['x-kubernetes-preserve-unknown-fields'] === true ||
  schema['x-kubernetes-embedded-resource'] === true;

/** Names that CEL cannot say are written with escapes. */
const unescaped = (name: string) =>
  name.replace(/__(underscores|dot|dash|slash)__/g, (_all, word: string) => escapes[word] ?? '');
const escapes: Readonly<Record<string, string>> = { underscores: '__', dot: '.', dash: '-', slash: '/' };

const withoutTexts = (rule: string) =>
  rule.replace(/"(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*'/g, (text) => ' '.repeat(text.length));

const compilationError = (rule: string, column: number, why: string) =>
  `compilation failed: ERROR: <input>:1:${column + 1}: ${why}\n | ${rule}\n | ${'.'.repeat(column)}^`;
