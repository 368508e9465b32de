// eq, ne, lt, le, gt, ge: kinds must agree, signed and unsigned integers may be mixed.
import { CallError } from '../errors.ts';
import { goText, sprintf } from '../format.ts';
import {
  compareText,
  GoFunc,
  type GoFunction,
  GoInt,
  GoMap,
  GoSlice,
  GoStruct,
  typeName,
  type Value,
} from '../value.ts';

type BasicKind = 'bool' | 'int' | 'uint' | 'float' | 'string';

function basicKind(value: Value): BasicKind | undefined {
  if (typeof value === 'boolean') return 'bool';
  if (typeof value === 'string') return 'string';
  if (typeof value === 'number') return 'float';
  if (value instanceof GoInt) return value.type.startsWith('u') ? 'uint' : 'int';
  return undefined;
}

const isInteger = (kind: BasicKind | undefined): boolean => kind === 'int' || kind === 'uint';

const incompatible = (a: Value, b: Value): CallError =>
  new CallError(`incompatible types for comparison: ${typeName(a)} and ${typeName(b)}`);

export function equal(first: Value, others: readonly Value[]): boolean {
  if (others.length === 0) throw new CallError('missing argument for comparison');
  return others.some((other) => equalPair(first, other));
}

function equalPair(a: Value, b: Value): boolean {
  const [left, right] = [basicKind(a), basicKind(b)];
  if (left !== right) {
    if (isInteger(left) && isInteger(right)) return integerOf(a) === integerOf(b);
    if (a != null && b != null) throw incompatible(a, b);
    return false;
  }
  if (left !== undefined) return a instanceof GoInt ? a.value === integerOf(b) : a === b;
  return equalComposite(a, b);
}

function equalComposite(a: Value, b: Value): boolean {
  if (a == null || b == null) return a == null && b == null;
  if (kindOf(a) !== kindOf(b)) {
    throw new CallError(`non-comparable types ${sprintf('%s', [a])}: ${typeName(a)}, ${typeName(b)}: ${goText(b)}`);
  }
  if (b instanceof GoSlice || b instanceof GoMap || b instanceof GoFunc) {
    throw new CallError(`non-comparable type ${sprintf('%s', [b])}: ${typeName(b)}`);
  }
  return a === b;
}

function kindOf(value: Value): string {
  if (value instanceof GoSlice) return 'slice';
  if (value instanceof GoMap) return 'map';
  if (value instanceof GoStruct) return value.pointer ? 'ptr' : 'struct';
  return 'func';
}

const integerOf = (value: Value): bigint => (value instanceof GoInt ? value.value : 0n);

export function less(a: Value, b: Value): boolean {
  const [left, right] = [basicKind(a), basicKind(b)];
  if (left === undefined || right === undefined) throw new CallError('invalid type for comparison');
  if (left !== right && !(isInteger(left) && isInteger(right))) throw incompatible(a, b);
  if (left === 'bool') throw new CallError('invalid type for comparison');
  if (typeof a === 'string' && typeof b === 'string') return compareText(a, b) < 0;
  if (typeof a === 'number' && typeof b === 'number') return a < b;
  return integerOf(a) < integerOf(b);
}

const pair = (compare: (a: Value, b: Value) => boolean): GoFunction => ({
  params: ['reflect.Value', 'reflect.Value'],
  call: ([a, b]) => compare(a, b),
});

export const comparisons: Readonly<Record<string, GoFunction>> = {
  eq: { params: ['reflect.Value'], rest: 'reflect.Value', call: ([first, ...others]) => equal(first, others) },
  ne: pair((a, b) => !equal(a, [b])),
  lt: pair(less),
  le: pair((a, b) => less(a, b) || equal(a, [b])),
  gt: pair((a, b) => !(less(a, b) || equal(a, [b]))),
  ge: pair((a, b) => !less(a, b)),
};
