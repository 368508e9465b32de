// Values → JSON, as text and as plain values.
import { JsonnetError } from './errors.ts';
import { isFunction, JsonnetArray, JsonnetObject, type JsonnetValue } from './values.ts';

/** Go's %.17g, and whole numbers in full. */
export function numberText(value: number): string {
  if (value === 0) return Object.is(value, -0) ? '-0' : '0';
  if (Number.isInteger(value)) return Math.abs(value) < 1e21 ? value.toFixed(0) : BigInt(value).toString();
  const [digits = '', exponent = '0'] = value.toExponential(16).split('e');
  const power = Number(exponent);
  if (power >= -4 && power < 17) return trimmed(value.toFixed(Math.min(100, 16 - power)));
  const sign = power < 0 ? '-' : '+';
  return `${trimmed(digits)}e${sign}${String(Math.abs(power)).padStart(2, '0')}`;
}

const trimmed = (digits: string): string => (digits.includes('.') ? digits.replace(/\.?0+$/, '') : digits);

/** The shortest digits that mean the number, without an exponent. */
export function shortNumberText(value: number): string {
  const text = String(value);
  if (!text.includes('e')) return Object.is(value, -0) ? '-0' : text;
  if (Number.isInteger(value)) return BigInt(value).toString();
  const [digits = '', exponent = '0'] = text.split('e');
  const fraction = digits.includes('.') ? digits.length - digits.indexOf('.') - 1 : 0;
  return value.toFixed(Math.min(100, fraction - Number(exponent)));
}

/** A string as it is, anything else as JSON on one line. */
export const toText = (value: JsonnetValue): string =>
  typeof value === 'string'
    ? value
    : jsonText(value, { indent: undefined, newline: '', separator: ': ', comma: ', ', number: numberText });

export interface JsonStyle {
  /** Undefined: everything on one line. */
  readonly indent: string | undefined;
  readonly newline: string;
  readonly separator: string;
  readonly comma: string;
  readonly number: (value: number) => string;
}

export const quoted = (text: string): string =>
  JSON.stringify(text).replace(/[\u007f-\u009f]/g, (char) => `\\u${char.charCodeAt(0).toString(16).padStart(4, '0')}`);

export function jsonText(value: JsonnetValue, style: JsonStyle, pad = ''): string {
  if (typeof value === 'string') return quoted(value);
  if (typeof value === 'number') return style.number(value);
  if (value === null || typeof value === 'boolean') return String(value);
  if (isFunction(value)) throw new JsonnetError('function cannot be manifested');
  const inner = style.indent === undefined ? '' : pad + style.indent;
  const [open, close] = value instanceof JsonnetArray ? ['[', ']'] : ['{', '}'];
  const members =
    value instanceof JsonnetArray
      ? value.items.map((item) => jsonText(item.force(), style, inner))
      : membersOf(value).map(([name, member]) => `${quoted(name)}${style.separator}${jsonText(member, style, inner)}`);
  if (members.length === 0) return emptyText(open, close, { style, pad });
  if (style.indent === undefined) return `${open}${members.join(style.comma)}${close}`;
  const lines = members.map((member) => inner + member).join(`,${style.newline}`);
  return `${open}${style.newline}${lines}${style.newline}${pad}${close}`;
}

function emptyText(open: string, close: string, { style, pad }: { style: JsonStyle; pad: string }): string {
  if (style.indent === undefined) return style.comma === ',' ? `${open}${close}` : `${open} ${close}`;
  return style.newline === '' ? `${open}${close}` : `${open}${style.newline}${style.newline}${pad}${close}`;
}

export function membersOf(object: JsonnetObject): [string, JsonnetValue][] {
  object.check();
  return object.names({ hidden: false }).map((name) => [name, object.get(name)]);
}

/** Out of the program, for good. `budget` counts values. */
export function plainValue(value: JsonnetValue, budget: { values: number }): unknown {
  if (--budget.values < 0) throw new JsonnetError('the output holds too many values');
  if (value instanceof JsonnetArray) return value.items.map((item) => plainValue(item.force(), budget));
  if (value instanceof JsonnetObject)
    return Object.fromEntries(membersOf(value).map(([name, member]) => [name, plainValue(member, budget)]));
  if (isFunction(value)) throw new JsonnetError("couldn't manifest function as JSON");
  return value;
}
