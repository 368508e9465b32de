// `std.format` and `%`: Python's conversion of values into text.
import { JsonnetError } from './errors.ts';
import { toText } from './manifest.ts';
import { JsonnetArray, JsonnetObject, type JsonnetValue, typeOf } from './values.ts';

const directive = /%(?:\(([^)]*)\))?([#0\- +]*)(\*|\d+)?(?:\.(\*|\d+))?[hlL]*([diouxXeEfFgGcrsa%])/y;

interface Directive {
  readonly flags: string;
  readonly width: number;
  readonly precision: number | undefined;
  readonly conversion: string;
}

const maxWidth = 100_000;

export function formatText(form: string, given: JsonnetValue): string {
  const values = given instanceof JsonnetArray ? given.values() : [given];
  let next = 0;
  const take = (): JsonnetValue => {
    if (next >= values.length) throw new JsonnetError(`not enough values to format, got ${values.length}`);
    return values[next++] ?? null;
  };
  const size = (text: string | undefined): number | undefined => {
    if (text === undefined) return undefined;
    const value = text === '*' ? numberOf(take(), '*') : Number(text);
    if (value > maxWidth) throw new JsonnetError(`a width of ${value} exceeds the limit of ${maxWidth}`);
    return value;
  };
  let written = '';
  for (let at = 0; at < form.length; ) {
    const percent = form.indexOf('%', at);
    if (percent < 0) return finish(written + form.slice(at));
    directive.lastIndex = percent;
    const found = directive.exec(form);
    if (!found) throw new JsonnetError(`unrecognised conversion in format: ${form.slice(percent, percent + 10)}`);
    const [whole, key, flags = '', width, precision, conversion = ''] = found;
    const parsed = { flags, width: size(width) ?? 0, precision: size(precision), conversion };
    written += form.slice(at, percent);
    at = percent + whole.length;
    if (conversion === '%') written += '%';
    else written += padded(convert(key === undefined ? take() : memberOf(given, key), parsed), parsed);
  }
  return finish(written);

  function finish(text: string): string {
    if (next < values.length && !(given instanceof JsonnetObject))
      throw new JsonnetError(`too many values to format: ${values.length}, expected ${next}`);
    return text;
  }
}

function memberOf(given: JsonnetValue, key: string): JsonnetValue {
  if (!(given instanceof JsonnetObject)) throw new JsonnetError('mapping keys required');
  if (!given.has(key, { hidden: true })) throw new JsonnetError(`no such field: ${key}`);
  return given.get(key);
}

function numberOf(value: JsonnetValue, conversion: string): number {
  if (typeof value === 'number') return value;
  throw new JsonnetError(`format required number at %${conversion}, got ${typeOf(value)}`);
}

/** A sign or a 0x stands before the zeros that fill the width. */
function padded({ head = '', body }: { head?: string; body: string }, { flags, width, conversion }: Directive): string {
  const missing = Math.max(0, width - [...head, ...body].length);
  if (flags.includes('-')) return head + body + ' '.repeat(missing);
  if (flags.includes('0') && !/[csra]/.test(conversion)) return head + '0'.repeat(missing) + body;
  return ' '.repeat(missing) + head + body;
}

function convert(value: JsonnetValue, directive: Directive): { head?: string; body: string } {
  const { conversion, flags, precision } = directive;
  if (conversion === 's' || conversion === 'r' || conversion === 'a') return { body: toText(value) };
  if (conversion === 'c') return { body: typeof value === 'number' ? String.fromCodePoint(value) : toText(value) };
  const number = numberOf(value, conversion);
  const isNegative = number < 0 || Object.is(number, -0);
  const sign = isNegative ? '-' : flags.includes('+') ? '+' : flags.includes(' ') ? ' ' : '';
  const size = Math.abs(number);
  if (/[diu]/.test(conversion)) return { head: sign, body: whole(size, 10).padStart(precision ?? 0, '0') };
  if (conversion === 'o') {
    const prefix = flags.includes('#') ? '0' : '';
    return { head: sign, body: (prefix + whole(size, 8)).padStart(precision ?? 0, '0') };
  }
  if (/x/i.test(conversion)) {
    const digits = whole(size, 16).padStart(precision ?? 0, '0');
    const head = sign + (flags.includes('#') ? `0${conversion}` : '');
    return { head, body: conversion === 'X' ? digits.toUpperCase() : digits };
  }
  return { head: sign, body: float(size, directive) };
}

const whole = (value: number, base: number): string => BigInt(Math.floor(value)).toString(base);

function float(value: number, { conversion, flags, precision = 6 }: Directive): string {
  const digits = Math.min(precision, 100);
  const isUpper = conversion === conversion.toUpperCase();
  let text: string;
  if (/f/i.test(conversion)) text = fixed(value, digits);
  else if (/e/i.test(conversion)) text = scientific(value, digits);
  else text = general(value, digits, flags.includes('#'));
  if (flags.includes('#') && digits === 0 && !text.includes('.')) text += '.';
  return isUpper ? text.toUpperCase() : text;
}

const fixed = (value: number, digits: number): string =>
  value < 1e21 ? value.toFixed(digits) : `${BigInt(value)}${digits > 0 ? `.${'0'.repeat(digits)}` : ''}`;

function scientific(value: number, digits: number): string {
  const [mantissa = '', exponent = '0'] = value.toExponential(digits).split('e');
  const power = Number(exponent);
  return `${mantissa}e${power < 0 ? '-' : '+'}${String(Math.abs(power)).padStart(2, '0')}`;
}

function general(value: number, digits: number, keepZeros: boolean): string {
  const precision = digits === 0 ? 1 : digits;
  const power = value === 0 ? 0 : Math.floor(Math.log10(value));
  const isPlain = power >= -4 && power < precision;
  const text = isPlain ? fixed(value, Math.max(0, precision - 1 - power)) : scientific(value, precision - 1);
  if (keepZeros) return text;
  const [mantissa = '', exponent] = text.split('e');
  const short = mantissa.includes('.') ? mantissa.replace(/\.?0+$/, '') : mantissa;
  return exponent === undefined ? short : `${short}e${exponent}`;
}
