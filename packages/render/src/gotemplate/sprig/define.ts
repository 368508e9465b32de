// Declaring functions with Go's signatures, and taking arguments that the executor has already checked against them.
import { CallError } from '../errors.ts';
import { goText } from '../format.ts';
import { type GoFunction, GoInt, GoMap, GoSlice, GoStruct, kindName, type Value } from '../value.ts';

const names: Readonly<Record<string, string>> = {
  any: 'interface {}',
  map: 'map[string]interface {}',
};

/** `'string int ...any'`: parameter types in order, a last one with dots being variadic. */
export function define(signature: string, call: (args: Value[]) => Value): GoFunction {
  const words = signature.split(' ').filter((word) => word !== '');
  const last = words.at(-1);
  const rest = last?.startsWith('...') ? last.slice(3) : undefined;
  const params = (rest === undefined ? words : words.slice(0, -1)).map((word) => names[word] ?? word);
  return { params, call, ...(rest !== undefined && { rest: names[rest] ?? rest }) };
}

export type Functions = Readonly<Record<string, GoFunction>>;

export const text = (value: Value): string => (typeof value === 'string' ? value : '');
export const whole = (value: Value): number => (value instanceof GoInt ? Number(value.value) : 0);
export const mapOf = (value: Value): GoMap => (value instanceof GoMap ? value : new GoMap());

/** sprig's strval: a Stringer by its text, bytes as text, the rest as %v. */
export function textOf(value: Value): string {
  if (typeof value === 'string') return value;
  if (value instanceof GoSlice && value.elem === 'uint8') {
    return Buffer.from(value.items.map(whole)).toString('utf8');
  }
  return goText(value);
}

/** The items of a list; refuses other kinds with sprig's words. */
export function itemsOf(value: Value, refusal: string): Value[] {
  if (value instanceof GoSlice) return value.items;
  if (value === null || value === undefined) {
    throw new CallError('runtime error: invalid memory address or nil pointer dereference');
  }
  throw new CallError(`${refusal} type ${kindName(value)}`);
}

export function isEmpty(value: Value): boolean {
  if (value === undefined || value === null) return true;
  if (typeof value === 'string') return value === '';
  if (typeof value === 'boolean') return !value;
  if (typeof value === 'number') return value === 0;
  if (value instanceof GoInt) return value.value === 0n;
  if (value instanceof GoSlice) return value.items.length === 0;
  if (value instanceof GoMap) return value.entries.size === 0;
  return false;
}

/** reflect.DeepEqual. */
export function deepEqual(a: Value, b: Value): boolean {
  if (a == null || b == null) return a == null && b == null;
  if (a instanceof GoInt) return b instanceof GoInt && a.type === b.type && a.value === b.value;
  if (a instanceof GoSlice) {
    if (!(b instanceof GoSlice) || a.elem !== b.elem || a.items.length !== b.items.length) return false;
    return a.items.every((item, index) => deepEqual(item, b.items[index]));
  }
  if (a instanceof GoMap) {
    if (!(b instanceof GoMap) || a.type !== b.type || a.entries.size !== b.entries.size) return false;
    return [...a.entries].every(([key, value]) => b.entries.has(key) && deepEqual(value, b.entries.get(key)));
  }
  if (a instanceof GoStruct) {
    if (!(b instanceof GoStruct) || a.type !== b.type) return false;
    return a.text === b.text && [...a.fields].every(([key, value]) => deepEqual(value, b.fields.get(key)));
  }
  return a === b;
}

/** Text that a function would make is bounded before it is made. */
export const maxText = 32 * 1024 * 1024;
export const maxItems = 5_000_000;

export function refuseOver(size: number, limit: number, what: string): void {
  if (size > limit) throw new CallError(`${what} exceeds the limit of ${limit}`);
}
