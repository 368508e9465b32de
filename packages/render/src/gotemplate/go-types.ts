// What Go's reflection would say of a value.
import { type GoFunction, GoMap, GoSlice, GoStruct, type ParamType, type Value } from './value.ts';

export function methodOf(receiver: Value, name: string): GoFunction | undefined {
  if (receiver instanceof GoStruct) return receiver.methods.get(name);
  const methods =
    receiver instanceof GoMap ? receiver.methods : receiver instanceof GoSlice ? receiver.named?.methods : undefined;
  return methods && Object.hasOwn(methods, name) ? methods[name] : undefined;
}

/** Elements of these come out as interfaces. */
export const holdsInterfaces = (value: Value): boolean =>
  (value instanceof GoSlice && value.elem === 'interface {}') ||
  (value instanceof GoMap && (value.type.endsWith(']interface {}') || value.type.endsWith('.Values')));

export const canBeNil = (type: ParamType): boolean =>
  type === 'interface {}' || type === 'reflect.Value' || /^(?:map\[|\[\]|\*|func)/.test(type);

/** The zero value of a map's elements. */
export function zeroOf(mapType: string): Value {
  const element = mapType.startsWith('map[string]') ? mapType.slice('map[string]'.length) : 'interface {}';
  if (element === 'string') return '';
  if (element === 'bool') return false;
  return element.startsWith('[]') ? new GoSlice([], element.slice(2)) : null;
}
