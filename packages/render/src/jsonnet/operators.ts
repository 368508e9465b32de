// What operators mean for each pair of types.
import { JsonnetError } from './errors.ts';
import { formatText } from './format.ts';
import { toText } from './manifest.ts';
import { byCodePoint, isFunction, JsonnetArray, JsonnetObject, type JsonnetValue, typeOf } from './values.ts';

export function add(left: JsonnetValue, right: JsonnetValue): JsonnetValue {
  if (typeof left === 'string' || typeof right === 'string') return textLimited(toText(left) + toText(right));
  if (typeof left === 'number' && typeof right === 'number') return finite(left + right);
  if (left instanceof JsonnetArray && right instanceof JsonnetArray)
    return new JsonnetArray([...left.items, ...right.items]);
  if (left instanceof JsonnetObject && right instanceof JsonnetObject) return left.extend(right);
  throw new JsonnetError(`binary operator + requires matching types, got ${typeOf(left)} and ${typeOf(right)}.`);
}

const maxText = 32 * 1024 * 1024;

export function textLimited(text: string): string {
  if (text.length > maxText) throw new JsonnetError(`text exceeds the limit of ${maxText}`);
  return text;
}

export function finite(value: number): number {
  if (Number.isNaN(value)) throw new JsonnetError('not a number');
  if (!Number.isFinite(value)) throw new JsonnetError('overflow');
  return value;
}

type Arithmetic = (left: number, right: number) => number;

function integer(value: number): bigint {
  if (Math.abs(value) >= 2 ** 63) throw new JsonnetError(`bitwise operator argument ${value} is out of range`);
  return BigInt(Math.trunc(value));
}
const bits =
  (operation: (left: bigint, right: bigint) => bigint): Arithmetic =>
  (left, right) =>
    Number(BigInt.asIntN(64, operation(integer(left), integer(right))));

const arithmetic: Readonly<Record<string, Arithmetic>> = {
  '-': (left, right) => left - right,
  '*': (left, right) => left * right,
  '/': (left, right) => {
    if (right === 0) throw new JsonnetError('division by zero.');
    return left / right;
  },
  '%': (left, right) => {
    if (right === 0) throw new JsonnetError('division by zero.');
    return left % right;
  },
  '&': bits((left, right) => left & right),
  '|': bits((left, right) => left | right),
  '^': bits((left, right) => left ^ right),
  '<<': bits((left, right) => left << shiftBy(right)),
  '>>': bits((left, right) => left >> shiftBy(right)),
};

function shiftBy(count: bigint): bigint {
  if (count < 0n) throw new JsonnetError('shift by negative exponent');
  return count % 64n;
}

export function operate(operator: string, left: JsonnetValue, right: JsonnetValue): JsonnetValue {
  switch (operator) {
    case '+':
      return add(left, right);
    case '==':
      return equals(left, right);
    case '!=':
      return !equals(left, right);
    case '<':
      return compare(left, right) < 0;
    case '<=':
      return compare(left, right) <= 0;
    case '>':
      return compare(left, right) > 0;
    case '>=':
      return compare(left, right) >= 0;
    case 'in':
      if (typeof left === 'string' && right instanceof JsonnetObject) return right.has(left, { hidden: true });
      throw new JsonnetError(`"in" requires a string and an object, got ${typeOf(left)} and ${typeOf(right)}`);
    default:
      return compute(operator, left, right);
  }
}

function compute(operator: string, left: JsonnetValue, right: JsonnetValue): JsonnetValue {
  if (operator === '%' && typeof left === 'string') return textLimited(formatText(left, right));
  const operation = arithmetic[operator];
  if (operation && typeof left === 'number' && typeof right === 'number') return finite(operation(left, right));
  throw new JsonnetError(`binary operator ${operator} does not work on ${typeOf(left)} and ${typeOf(right)}.`);
}

export function unary(operator: string, operand: JsonnetValue): JsonnetValue {
  if (operator === '!' && typeof operand === 'boolean') return !operand;
  if (operator !== '!' && typeof operand === 'number') {
    if (operator === '-') return -operand;
    return operator === '+' ? operand : Number(~integer(operand));
  }
  throw new JsonnetError(`unary operator ${operator} does not work on ${typeOf(operand)}`);
}

export function equals(left: JsonnetValue, right: JsonnetValue): boolean {
  if (isFunction(left) || isFunction(right)) throw new JsonnetError('cannot test equality of functions');
  if (typeof left !== 'object' || typeof right !== 'object' || left === null || right === null) return left === right;
  if (left instanceof JsonnetArray) {
    if (!(right instanceof JsonnetArray) || left.items.length !== right.items.length) return false;
    return left.items.every((item, index) => equals(item.force(), right.items[index]?.force() ?? null));
  }
  if (!(right instanceof JsonnetObject)) return false;
  const names = left.names({ hidden: false });
  const others = right.names({ hidden: false });
  if (names.length !== others.length || names.some((name, index) => name !== others[index])) return false;
  return names.every((name) => equals(left.get(name), right.get(name)));
}

export function compare(left: JsonnetValue, right: JsonnetValue): number {
  if (typeof left === 'number' && typeof right === 'number') return left - right;
  if (typeof left === 'string' && typeof right === 'string') return byCodePoint(left, right);
  if (left instanceof JsonnetArray && right instanceof JsonnetArray) {
    for (const [index, item] of left.items.entries()) {
      const other = right.items[index];
      if (!other) return 1;
      const order = compare(item.force(), other.force());
      if (order !== 0) return order;
    }
    return left.items.length - right.items.length;
  }
  throw new JsonnetError(`cannot compare ${typeOf(left)} with ${typeOf(right)}`);
}
