// What spf13/cast makes of a value where a number is asked for: nothing is refused, what cannot be read is 0.

import { goText } from '../format.ts';
import { parseInteger } from '../literal.ts';
import { GoInt, int, int64, type Value } from '../value.ts';
import { define, type Functions, text } from './define.ts';

export function toInt64(value: Value): bigint {
  if (value instanceof GoInt) return BigInt.asIntN(64, value.value);
  if (typeof value === 'number') return truncated(value);
  if (typeof value === 'boolean') return value ? 1n : 0n;
  if (typeof value !== 'string') return 0n;
  const parsed = parseInteger(decimalPart(value));
  return parsed === undefined || parsed > 2n ** 63n - 1n ? 0n : parsed;
}

// Go leaves conversions out of range to the processor; on amd64 they give the smallest int64.
const truncated = (value: number): bigint =>
  Number.isFinite(value) && Math.abs(value) < 2 ** 63 ? BigInt(Math.trunc(value)) : -(2n ** 63n);

/** cast drops a fraction of zeros. */
const decimalPart = (value: string): string => value.replace(/\.0+$/, '');

export const toInt = (value: Value): number => Number(toInt64(value));

export function toFloat64(value: Value): number {
  if (typeof value === 'number') return value;
  if (value instanceof GoInt) return Number(value.value);
  if (typeof value === 'boolean') return value ? 1 : 0;
  if (typeof value !== 'string') return 0;
  if (/^[+-]?(?:[0-9]+\.?[0-9]*|\.[0-9]+)(?:[eE][+-]?[0-9]+)?$/.test(value)) return Number(value);
  const special = /^([+-]?)(inf|infinity|nan)$/i.exec(value);
  if (!special) return 0;
  if (special[2]?.toLowerCase() === 'nan') return Number.NaN;
  return special[1] === '-' ? Number.NEGATIVE_INFINITY : Number.POSITIVE_INFINITY;
}

export const conversionFunctions: Functions = {
  atoi: define('string', ([value]) =>
    int(/^[+-]?[0-9]+$/.test(text(value)) ? BigInt(text(value).replace('+', '')) : 0),
  ),
  int64: define('any', ([value]) => int64(toInt64(value))),
  int: define('any', ([value]) => int(toInt64(value))),
  float64: define('any', ([value]) => toFloat64(value)),
  toDecimal: define('any', ([value]) => {
    const digits = goText(value);
    return int64(/^[+-]?[0-7]+$/.test(digits) ? Number.parseInt(digits, 8) : 0);
  }),
};
