// `std`: the standard library as an object, one for each file because `std.thisFile` differs.
import { JsonnetError } from '../errors.ts';
import type { Evaluator } from '../evaluator.ts';
import { toText } from '../manifest.ts';
import { equals } from '../operators.ts';
import { type Field, isFunction, JsonnetObject, type JsonnetValue, Scope, Thunk, typeOf } from '../values.ts';
import { arrayFunctions } from './arrays.ts';
import { type Args, type Builtins, builtin, functionOf } from './define.ts';
import { encodingFunctions } from './encodings.ts';
import { manifestFunctions } from './manifests.ts';
import { numberFunctions } from './numbers.ts';
import { objectFunctions } from './objects.ts';
import { stringFunctions } from './strings.ts';

const isOf = (type: string) => builtin('v', (args) => typeOf(args.value(0)) === type);

function assertEqual(args: Args): JsonnetValue {
  const [left, right] = [args.value(0), args.value(1)];
  if (equals(left, right)) return true;
  throw new JsonnetError(`Assertion failed. ${toText(left)} != ${toText(right)}`);
}

const basicFunctions: Builtins = {
  type: builtin('x', (args) => typeOf(args.value(0))),
  isString: isOf('string'),
  isNumber: isOf('number'),
  isBoolean: isOf('boolean'),
  isObject: isOf('object'),
  isArray: isOf('array'),
  isFunction: builtin('v', (args) => isFunction(args.value(0))),
  isNull: isOf('null'),
  equals: builtin('a b', (args) => equals(args.value(0), args.value(1))),
  primitiveEquals: builtin('x y', (args) => equals(args.value(0), args.value(1))),
  assertEqual: builtin('a b', assertEqual),
  id: builtin('x', (args) => args.value(0)),
  // Messages of a program go nowhere: manifests are all it gives.
  trace: builtin('str rest', (args) => args.value(1)),
  native: builtin('name', () => null),
  resolvePath: builtin('f r', (args) => args.text(0).replace(/[^/]*$/, '') + args.text(1)),
};

const functions: Builtins = {
  ...basicFunctions,
  ...arrayFunctions,
  ...objectFunctions,
  ...stringFunctions,
  ...numberFunctions,
  ...encodingFunctions,
  ...manifestFunctions,
};

interface LibraryInput {
  readonly file: string;
  readonly extVars: ReadonlyMap<string, Thunk>;
}

export function standardLibrary(evaluator: Evaluator, { file, extVars }: LibraryInput): JsonnetObject {
  const extVar = builtin('x', (args) => {
    const found = extVars.get(args.text(0));
    if (!found) throw new JsonnetError(`undefined external variable: ${args.text(0)}`);
    return found.force();
  });
  const members: [string, Thunk][] = Object.entries({ ...functions, extVar }).map(([name, called]) => [
    name,
    Thunk.of(functionOf(name, called, evaluator)),
  ]);
  members.push(['thisFile', Thunk.of(file)], ['pi', Thunk.of(Math.PI)]);
  const scope = { outer: new Scope(), locals: [] };
  const fields = members.map(([name, body]): [string, Field] => [
    name,
    { visibility: 'hidden', plus: false, scope, body },
  ]);
  return new JsonnetObject([{ fields: new Map(fields), asserts: [] }], evaluator);
}
