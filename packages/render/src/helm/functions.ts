// The functions Helm adds to sprig's. `include` and `tpl` need the templates of the render; the rest are values in, text out.
import { errorMessage } from '@fairlead/base';
import { RenderError } from '../errors.ts';
import {
  CallError,
  define,
  fromJson,
  type GoFunction,
  GoMap,
  GoSlice,
  type TemplateSet,
  text,
  toJsonText,
  type Value,
} from '../gotemplate/index.ts';
import { parseDocuments } from '../yaml/index.ts';
import { parseToml } from './toml-reader.ts';
import { toToml } from './toml-writer.ts';
import { toYaml, toYamlPretty } from './yaml-writer.ts';

/** Marks a message that a chart's author wrote: it is shown without the chain of templates around it. */
export const authored = (message: string): CallError => new CallError(`HELM_ERR_START${message}HELM_ERR_END`);

const maxIncludeDepth = 1_000;
const noValue = '<no value>';

const withoutLastBreak = (value: string): string => (value.endsWith('\n') ? value.slice(0, -1) : value);

function readYaml(source: string): Value {
  const [document] = parseDocuments(source, 'yaml');
  return fromJson(document);
}

function parsedOr(wanted: 'map' | 'list', parse: () => Value): Value {
  let problem: string;
  try {
    const value = parse();
    if (wanted === 'map' ? value instanceof GoMap : value instanceof GoSlice) return value;
    if (value === null) return wanted === 'map' ? new GoMap() : new GoSlice([]);
    problem = `json: cannot unmarshal into Go value of type ${wanted === 'map' ? 'map[string]interface {}' : '[]interface {}'}`;
  } catch (cause) {
    // Helm hands the problem to the template as a value.
    if (!(cause instanceof RenderError || cause instanceof SyntaxError)) throw cause;
    problem = errorMessage(cause);
  }
  return wanted === 'map' ? new GoMap([['Error', problem]]) : new GoSlice([problem]);
}

function required(message: string, value: Value): Value {
  if (value === undefined || value === null || value === '') throw authored(message);
  return value;
}

export const helmFunctions: Readonly<Record<string, GoFunction>> = {
  toYaml: define('any', ([value]) => withoutLastBreak(toYaml(value))),
  mustToYaml: define('any', ([value]) => withoutLastBreak(toYaml(value))),
  toYamlPretty: define('any', ([value]) => withoutLastBreak(toYamlPretty(value))),
  fromYaml: define('string', ([source]) => parsedOr('map', () => readYaml(text(source)))),
  fromYamlArray: define('string', ([source]) => parsedOr('list', () => readYaml(text(source)))),
  toJson: define('any', ([value]) => toJsonText(value, { html: true })),
  mustToJson: define('any', ([value]) => toJsonText(value, { html: true })),
  fromJson: define('string', ([source]) => parsedOr('map', () => fromJson(JSON.parse(text(source))))),
  fromJsonArray: define('string', ([source]) => parsedOr('list', () => fromJson(JSON.parse(text(source))))),
  toToml: define('any', ([value]) => toToml(value)),
  fromToml: define('string', ([source]) => parsedOr('map', () => parseToml(text(source)))),
  required: define('string any', ([message, value]) => required(text(message), value)),
  fail: define('string', ([message]) => {
    throw authored(text(message));
  }),
  // There is no cluster to look into.
  lookup: define('string string string string', () => new GoMap()),
};

/** `include` and `tpl` over a set of templates; a set made by `tpl` gets functions of its own over its copy. */
export function templateFunctions(
  set: () => TemplateSet,
  depths: Map<string, number>,
  current: () => string,
): [string, GoFunction][] {
  const include = (name: string, data: Value): string => {
    const depth = depths.get(name) ?? 0;
    if (depth > maxIncludeDepth) {
      throw new CallError(`rendering template has a nested reference name: ${name}: unable to execute template`);
    }
    depths.set(name, depth + 1);
    try {
      return set().execute(name, data);
    } finally {
      depths.set(name, depth);
    }
  };
  const tpl = (source: string, data: Value): string => {
    const inner: { set?: TemplateSet } = {};
    const copied = set().copy(templateFunctions(() => inner.set ?? set(), depths, current));
    inner.set = copied;
    const name = current();
    copied.add(name, source);
    return copied.execute(name, data).replaceAll(noValue, '');
  };
  return [
    ['include', define('string any', ([name, data]) => include(text(name), data))],
    ['tpl', define('string any', ([source, data]) => tpl(text(source), data))],
  ];
}
