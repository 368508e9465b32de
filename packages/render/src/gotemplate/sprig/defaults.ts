import { CallError } from '../errors.ts';
import { fromJson, kindName, typeName, type Value } from '../value.ts';
import { deepEqual, define, type Functions, isEmpty, text } from './define.ts';
import { toJsonText } from './json.ts';

function parsedJson(source: string): Value {
  try {
    return fromJson(JSON.parse(source));
  } catch (cause) {
    if (cause instanceof SyntaxError) throw new CallError(jsonComplaint(source));
    throw cause;
  }
}

/** encoding/json's words for what it cannot read, as far as they depend on the place alone. */
function jsonComplaint(source: string): string {
  if (source.trim() === '') return 'unexpected end of JSON input';
  const char = source.trim()[0] ?? '';
  return /[\d{["tfn-]/.test(char)
    ? 'unexpected end of JSON input'
    : `invalid character '${char}' looking for beginning of value`;
}

function orNothing(parse: () => Value): Value {
  try {
    return parse();
  } catch (cause) {
    // fromJson of sprig swallows what it cannot read.
    if (cause instanceof CallError) return null;
    throw cause;
  }
}

export const defaultFunctions: Functions = {
  default: define('any ...any', ([fallback, given]) => (isEmpty(given) ? fallback : given)),
  empty: define('any', ([value]) => isEmpty(value)),
  coalesce: define('...any', (args) => args.find((arg) => !isEmpty(arg)) ?? null),
  all: define('...any', (args) => args.every((arg) => !isEmpty(arg))),
  any: define('...any', (args) => args.some((arg) => !isEmpty(arg))),
  ternary: define('any any bool', ([yes, no, test]) => (test === true ? yes : no)),
  fail: define('string', ([message]) => {
    throw new CallError(text(message));
  }),
  fromJson: define('string', ([source]) => orNothing(() => parsedJson(text(source)))),
  mustFromJson: define('string', ([source]) => parsedJson(text(source))),
  toJson: define('any', ([value]) => toJsonText(value, { html: true })),
  mustToJson: define('any', ([value]) => toJsonText(value, { html: true })),
  toPrettyJson: define('any', ([value]) => toJsonText(value, { html: true, indent: '  ' })),
  mustToPrettyJson: define('any', ([value]) => toJsonText(value, { html: true, indent: '  ' })),
  toRawJson: define('any', ([value]) => toJsonText(value, { html: false })),
  mustToRawJson: define('any', ([value]) => toJsonText(value, { html: false })),
};

export const reflectionFunctions: Functions = {
  typeOf: define('any', ([value]) => typeName(value)),
  typeIs: define('string any', ([wanted, value]) => wanted === typeName(value)),
  typeIsLike: define(
    'string any',
    ([wanted, value]) => wanted === typeName(value) || `*${text(wanted)}` === typeName(value),
  ),
  kindOf: define('any', ([value]) => kindName(value)),
  kindIs: define('string any', ([wanted, value]) => wanted === kindName(value)),
  deepEqual: define('any any', ([a, b]) => deepEqual(a, b)),
};
