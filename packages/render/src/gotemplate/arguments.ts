// What a function is given: literals as its parameters want them, and values that must be assignable to them, with the
// words of Go's executor where they are not. Pure; `fail` says where.
import { canBeNil } from './go-types.ts';
import { type NumberNode, type Operand, show } from './nodes.ts';
import { GoInt, GoMap, type ParamType, typeName, type Value } from './value.ts';

type Fail = (message: string) => never;

/** A number whose type only its syntax tells. */
export function idealNumber({ text, int: integer, float }: NumberNode, fail: Fail): Value {
  const isHex = /^0[xX]/.test(text) && !/[pP]/.test(text);
  if (float !== undefined && !isHex && !text.startsWith("'") && /[.eEpP]/.test(text)) return float;
  if (integer === undefined) return undefined;
  if (integer >= 2n ** 63n) fail(`${text} overflows int`);
  return new GoInt(integer);
}

type Literal = Extract<Operand, { kind: 'bool' | 'number' | 'string' }>;

export function literalArgument(node: Literal, type: ParamType | undefined, fail: Fail): Value {
  if (type === undefined || type === 'interface {}' || type === 'reflect.Value') {
    if (node.kind === 'number') return idealNumber(node, fail);
    return node.kind === 'bool' ? node.value : node.text;
  }
  if (type === 'bool') return node.kind === 'bool' ? node.value : fail(`expected bool; found ${show(node)}`);
  if (type === 'string') return node.kind === 'string' ? node.text : fail(`expected string; found ${show(node)}`);
  if (type === 'float64') {
    return node.kind === 'number' && node.float !== undefined
      ? node.float
      : fail(`expected float; found ${show(node)}`);
  }
  if (/^u?int\d*$/.test(type)) {
    const expected = type.startsWith('u') ? 'unsigned integer' : 'integer';
    if (node.kind !== 'number' || node.int === undefined) return fail(`expected ${expected}; found ${show(node)}`);
    return new GoInt(node.int, type as GoInt['type']); // the pattern above names exactly these types
  }
  return fail(`can't handle ${show(node)} for arg of type ${type}`);
}

export function assignable(value: Value, type: ParamType | undefined, fail: Fail): Value {
  if (type === undefined || type === 'reflect.Value') return value;
  if (value === undefined) return canBeNil(type) ? null : fail(`invalid value; expected ${type}`);
  if (type === 'interface {}') return value;
  if (value === null) return fail(`wrong type for value; expected ${type}; got interface {}`);
  const actual = typeName(value);
  const isValues = type === 'map[string]interface {}' && value instanceof GoMap && value.type.endsWith('.Values');
  return actual === type || isValues ? value : fail(`wrong type for value; expected ${type}; got ${actual}`);
}
