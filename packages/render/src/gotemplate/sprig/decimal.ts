// Decimal arithmetic as sprig's float functions do it: numbers by their shortest decimal form, 16 digits after the point
// in divisions.
import { CallError } from '../errors.ts';

export interface Decimal {
  readonly digits: bigint;
  /** Power of ten. */
  readonly exponent: number;
}

export function decimalOf(value: number): Decimal {
  if (!Number.isFinite(value)) throw new CallError(`Cannot create a Decimal from ${value}`);
  const [mantissa = '0', power = '0'] = value.toExponential().split('e');
  const [whole = '0', fraction = ''] = mantissa.split('.');
  return { digits: BigInt(whole + fraction), exponent: Number(power) - fraction.length };
}

export const numberOf = ({ digits, exponent }: Decimal): number => Number(`${digits}e${exponent}`);

function aligned(a: Decimal, b: Decimal): [bigint, bigint, number] {
  const exponent = Math.min(a.exponent, b.exponent);
  return [a.digits * 10n ** BigInt(a.exponent - exponent), b.digits * 10n ** BigInt(b.exponent - exponent), exponent];
}

export function plus(a: Decimal, b: Decimal): Decimal {
  const [x, y, exponent] = aligned(a, b);
  return { digits: x + y, exponent };
}

export function minus(a: Decimal, b: Decimal): Decimal {
  const [x, y, exponent] = aligned(a, b);
  return { digits: x - y, exponent };
}

export const times = (a: Decimal, b: Decimal): Decimal => ({
  digits: a.digits * b.digits,
  exponent: a.exponent + b.exponent,
});

const divisionDigits = 16;

export function over(a: Decimal, b: Decimal): Decimal {
  if (b.digits === 0n) throw new CallError('decimal division by 0');
  const [x, y] = aligned(a, b);
  const scaled = x * 10n ** BigInt(divisionDigits + 1);
  const quotient = scaled / y;
  const rounded = (quotient + (quotient < 0n ? -5n : 5n)) / 10n;
  return { digits: rounded, exponent: -divisionDigits };
}
