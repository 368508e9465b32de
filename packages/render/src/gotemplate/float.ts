// strconv.FormatFloat for float64.

interface Digits {
  readonly negative: boolean;
  readonly digits: string;
  /** Power of ten of the first digit. */
  readonly exponent: number;
}

function shortest(value: number): Digits {
  const [mantissa = '0', power = '0'] = Math.abs(value).toExponential().split('e');
  return { negative: value < 0 || Object.is(value, -0), digits: mantissa.replace('.', ''), exponent: Number(power) };
}

/** `precision` undefined means the fewest digits that read back as the same number. */
export function formatFloat(value: number, verb: 'e' | 'E' | 'f' | 'g' | 'G', precision?: number): string {
  if (Number.isNaN(value)) return 'NaN';
  if (!Number.isFinite(value)) return value > 0 ? '+Inf' : '-Inf';
  if (verb === 'f') return precision === undefined ? plain(shortest(value)) : toFixed(value, precision);
  if (verb === 'e' || verb === 'E') return exponential(value, verb, precision);
  return general(value, verb, precision);
}

function toFixed(value: number, precision: number): string {
  // toFixed turns to exponents from 1e21 on; such numbers are whole.
  if (Math.abs(value) < 1e21) {
    const text =
      Math.min(precision, 100) === precision ? value.toFixed(precision) : value.toFixed(100).padEnd(precision, '0');
    return Object.is(value, -0) || (value < 0 && !text.startsWith('-')) ? `-${text.replace('-', '')}` : text;
  }
  return BigInt(value).toString() + (precision > 0 ? `.${'0'.repeat(precision)}` : '');
}

function plain({ negative, digits, exponent }: Digits): string {
  const sign = negative ? '-' : '';
  if (exponent < 0) return `${sign}0.${'0'.repeat(-exponent - 1)}${digits}`;
  const whole = digits.slice(0, exponent + 1).padEnd(exponent + 1, '0');
  const fraction = digits.slice(exponent + 1);
  return sign + whole + (fraction === '' ? '' : `.${fraction}`);
}

function exponential(value: number, verb: 'e' | 'E', precision?: number): string {
  const text = precision === undefined ? value.toExponential() : value.toExponential(Math.min(precision, 100));
  const [mantissa = '', power = '0'] = text.split('e');
  const sign = Object.is(value, -0) ? '-' : '';
  const exponent = Number(power);
  return `${sign}${mantissa}${verb}${exponent < 0 ? '-' : '+'}${String(Math.abs(exponent)).padStart(2, '0')}`;
}

function general(value: number, verb: 'g' | 'G', precision?: number): string {
  const e = verb === 'g' ? 'e' : 'E';
  if (precision === undefined) {
    const digits = shortest(value);
    // strconv takes a precision of 6 for this decision when digits are the shortest.
    return digits.exponent < -4 || digits.exponent >= 6 ? exponential(value, e) : plain(digits);
  }
  const significant = Math.max(precision, 1);
  const [mantissa = '', power = '0'] = value.toExponential(Math.min(significant - 1, 100)).split('e');
  const digits = mantissa.replace(/[-.]/g, '').replace(/0+$/, '') || '0';
  const exponent = Number(power);
  if (exponent < -4 || exponent >= significant) return exponential(value, e, digits.length - 1);
  return plain({ negative: value < 0 || Object.is(value, -0), digits, exponent });
}

/** fmt's %v. */
export const floatText = (value: number): string => formatFloat(value, 'g');

/** fmt's %x: a binary exponent, the shortest mantissa. */
export function hexFloat(value: number, verb: 'x' | 'X'): string {
  if (!Number.isFinite(value)) return formatFloat(value, 'g');
  const sign = value < 0 || Object.is(value, -0) ? '-' : '';
  let [mantissa, exponent] = [Math.abs(value), 0];
  if (mantissa !== 0) {
    exponent = Math.floor(Math.log2(mantissa));
    mantissa /= 2 ** exponent;
    if (mantissa >= 2) [mantissa, exponent] = [mantissa / 2, exponent + 1];
    if (mantissa < 1) [mantissa, exponent] = [mantissa * 2, exponent - 1];
  }
  const power = `${exponent < 0 ? '-' : '+'}${String(Math.abs(exponent)).padStart(2, '0')}`;
  const text = `0x${mantissa.toString(16)}p${power}`;
  return sign + (verb === 'X' ? text.toUpperCase() : text);
}

/** fmt's %b: the 53 bits of the mantissa as a whole number, and its binary exponent. */
export function binaryFloat(value: number): string {
  if (!Number.isFinite(value)) return formatFloat(value, 'g');
  const view = new DataView(new ArrayBuffer(8));
  view.setFloat64(0, value);
  const bits = view.getBigUint64(0);
  const biased = Number((bits >> 52n) & 0x7ffn);
  const fraction = bits & 0xfffffffffffffn;
  const mantissa = biased === 0 ? fraction : fraction | (1n << 52n);
  const exponent = Math.max(biased, 1) - 1075;
  return `${bits >> 63n === 1n ? '-' : ''}${mantissa}p${exponent < 0 ? '' : '+'}${exponent}`;
}
