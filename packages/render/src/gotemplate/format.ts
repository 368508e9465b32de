// fmt's Sprint, Sprintln and Sprintf over template values.
import { binaryFloat, floatText, formatFloat, hexFloat } from './float.ts';
import { quoteGo } from './quote.ts';
import { GoFunc, GoInt, GoMap, GoSlice, GoStruct, sortedKeys, typeName, type Value } from './value.ts';

interface Flags {
  readonly minus: boolean;
  readonly plus: boolean;
  readonly sharp: boolean;
  readonly space: boolean;
  readonly zero: boolean;
  /** `%+v`. */
  readonly named?: boolean;
  /** `%#v`. */
  readonly sharpValue?: boolean;
  readonly width: number | undefined;
  readonly precision: number | undefined;
}

const noFlags: Flags = {
  minus: false,
  plus: false,
  sharp: false,
  space: false,
  zero: false,
  width: undefined,
  precision: undefined,
};

// A width or precision is text from a template; fmt itself refuses more than this.
const maxWidth = 1_000_000;

/** %v. */
export const goText = (value: Value): string => (typeof value === 'string' ? value : formatOne(value, 'v', noFlags));

/** fmt.Sprint: spaces between operands when neither is a string. */
export function sprint(values: readonly Value[]): string {
  let text = '';
  let previousIsString = true;
  for (const [index, value] of values.entries()) {
    const isString = typeof value === 'string';
    if (index > 0 && !isString && !previousIsString) text += ' ';
    text += goText(value);
    previousIsString = isString;
  }
  return text;
}

export const sprintln = (values: readonly Value[]): string => `${values.map(goText).join(' ')}\n`;

export function sprintf(format: string, values: readonly Value[]): string {
  const verbs = new VerbReader(format, values);
  return verbs.run();
}

class VerbReader {
  readonly #format: string;
  readonly #values: readonly Value[];
  #at = 0;
  #used = 0;
  #reordered = false;
  #goodIndex = true;
  #bad = '';

  constructor(format: string, values: readonly Value[]) {
    this.#format = format;
    this.#values = values;
  }

  run(): string {
    let text = '';
    for (;;) {
      const percent = this.#format.indexOf('%', this.#at);
      if (percent < 0) break;
      text += this.#format.slice(this.#at, percent);
      this.#at = percent + 1;
      text += this.#verb();
    }
    text += this.#format.slice(this.#at);
    if (!this.#reordered && this.#used < this.#values.length) {
      const extra = this.#values.slice(this.#used).map((v) => (v == null ? '<nil>' : `${typeName(v)}=${goText(v)}`));
      text += `%!(EXTRA ${extra.join(', ')})`;
    }
    return text;
  }

  #verb(): string {
    this.#goodIndex = true;
    this.#bad = '';
    const flags = this.#flags();
    const code = this.#format.codePointAt(this.#at);
    if (code === undefined) return `${this.#bad}%!(NOVERB)`;
    const verb = String.fromCodePoint(code);
    this.#at += verb.length;
    if (verb === '%') return `${this.#bad}%`;
    if (!this.#goodIndex) return `${this.#bad}%!${verb}(BADINDEX)`;
    if (this.#used >= this.#values.length) return `${this.#bad}%!${verb}(MISSING)`;
    return this.#bad + formatOne(this.#values[this.#used++], verb, flags);
  }

  #flags(): Flags {
    const set = new Set<string>();
    while ('+-# 0'.includes(this.#format[this.#at] ?? '!')) set.add(this.#format[this.#at++] ?? '');
    let minus = set.has('-');
    this.#index();
    let width = this.#star('BADWIDTH') ?? this.#digits();
    if (width !== undefined && width < 0) {
      minus = true;
      width = -width;
    }
    let precision: number | undefined;
    if (this.#format[this.#at] === '.') {
      this.#at++;
      this.#index();
      precision = this.#star('BADPREC') ?? this.#digits() ?? 0;
      if (precision < 0) precision = undefined;
    }
    this.#index();
    const zero = set.has('0') && !minus;
    return { minus, plus: set.has('+'), sharp: set.has('#'), space: set.has(' '), zero, width, precision };
  }

  #index(): void {
    const match = /^\[(\d+)\]/.exec(this.#format.slice(this.#at, this.#at + 12));
    if (!match) return;
    this.#at += match[0].length;
    this.#reordered = true;
    const index = Number(match[1]) - 1;
    if (index < 0 || index >= this.#values.length) this.#goodIndex = false;
    else this.#used = index;
  }

  #star(complaint: string): number | undefined {
    if (this.#format[this.#at] !== '*') return undefined;
    this.#at++;
    const value = this.#values[this.#used++];
    const width = value instanceof GoInt ? Number(value.value) : Number.NaN;
    if (Number.isNaN(width) || Math.abs(width) > maxWidth) {
      this.#bad += `%!(${complaint})`;
      return undefined;
    }
    return width;
  }

  #digits(): number | undefined {
    const digits = /^\d+/.exec(this.#format.slice(this.#at, this.#at + 12))?.[0];
    if (digits === undefined) return undefined;
    this.#at += digits.length;
    return Math.min(Number(digits), maxWidth);
  }
}

function pad(text: string, { width, minus, zero }: Flags): string {
  if (width === undefined) return text;
  const missing = width - [...text].length;
  if (missing <= 0) return text;
  if (minus) return text + ' '.repeat(missing);
  return (zero ? '0' : ' ').repeat(missing) + text;
}

/** fmt shows the value as %v would, with width and precision kept. */
const badVerb = (verb: string, value: Value, flags: Flags): string =>
  value == null ? `%!${verb}(<nil>)` : `%!${verb}(${typeName(value)}=${formatValue(value, 'v', flags)})`;

function formatOne(value: Value, verb: string, flags: Flags): string {
  // For %v a plus asks for field names, not for signs.
  if (verb !== 'v' || !(flags.plus || flags.sharp)) return formatValue(value, verb, flags);
  return formatValue(value, verb, { ...flags, plus: false, named: flags.plus, sharpValue: flags.sharp });
}

function formatValue(value: Value, verb: string, flags: Flags): string {
  if (verb === 'T') return pad(typeName(value), flags);
  if (value === undefined || value === null) {
    return verb === 'v' ? pad('<nil>', flags) : badVerb(verb, value, flags);
  }
  if (typeof value === 'boolean')
    return verb === 'v' || verb === 't' ? pad(String(value), flags) : badVerb(verb, value, flags);
  if (typeof value === 'string') return formatText(value, verb, flags);
  if (typeof value === 'number') return formatNumber(value, verb, flags);
  if (value instanceof GoInt) return formatInt(value, verb, flags);
  if (value instanceof GoStruct && value.text !== undefined && 'vsxXq'.includes(verb) && !flags.sharpValue) {
    return formatText(value.text, verb, flags);
  }
  return formatComposite(value, verb, flags);
}

function formatText(text: string, verb: string, flags: Flags): string {
  switch (verb) {
    case 'v':
      return flags.sharpValue ? pad(quoteGo(text), flags) : pad(truncated(text, flags), flags);
    case 's':
      return pad(truncated(text, flags), flags);
    case 'q': {
      const cut = truncated(text, flags);
      if (flags.sharp && !/[`\p{Cc}\ufeff]/u.test(cut.replaceAll('\t', ''))) return pad(`\`${cut}\``, flags);
      return pad(quoteGo(cut, { ascii: flags.plus }), flags);
    }
    case 'x':
    case 'X':
      return pad(hexBytes(Buffer.from(text), verb, flags), flags);
    default:
      return badVerb(verb, text, flags);
  }
}

const truncated = (text: string, { precision }: Flags): string =>
  precision === undefined ? text : [...text].slice(0, precision).join('');

function hexBytes(bytes: Buffer, verb: string, flags: Flags): string {
  const shown = flags.precision === undefined ? bytes : bytes.subarray(0, flags.precision);
  const digits = [...shown].map((byte) => byte.toString(16).padStart(2, '0'));
  const prefix = flags.sharp && digits.length > 0 ? '0x' : '';
  const text = flags.space ? digits.map((pair) => prefix + pair).join(' ') : prefix + digits.join('');
  return verb === 'X' ? text.toUpperCase() : text;
}

function formatNumber(value: number, verb: string, flags: Flags): string {
  let text: string;
  if (verb === 'v')
    text =
      flags.sharpValue || flags.precision === undefined ? floatText(value) : formatFloat(value, 'g', flags.precision);
  else if (verb === 'g' || verb === 'G') text = formatFloat(value, verb, flags.precision);
  else if (verb === 'e' || verb === 'E') text = formatFloat(value, verb, flags.precision ?? 6);
  else if (verb === 'f' || verb === 'F') text = formatFloat(value, 'f', flags.precision ?? 6);
  else if (verb === 'x' || verb === 'X') text = hexFloat(value, verb);
  else if (verb === 'b') text = binaryFloat(value);
  else return badVerb(verb, value, flags);
  if (flags.sharp && verb !== 'b' && !(verb === 'v' && flags.sharpValue)) text = withZeros(text, verb, flags.precision);
  return signed(text, flags, Number.isFinite(value));
}

/** The # flag keeps the point and the zeros behind it. */
function withZeros(text: string, verb: string, precision: number | undefined): string {
  const body = text.replace(/^[+-]/, '');
  const tailAt = body.search(verb === 'x' || verb === 'X' ? /[pP]/ : /[eE]/);
  const [number, tail] = tailAt < 0 ? [body, ''] : [body.slice(0, tailAt), body.slice(tailAt)];
  const wanted = 'gGvxX'.includes(verb) ? (precision ?? 6) : 0;
  const significant = number.replace('.', '').replace(/^0+/, '').length;
  const zeros = Math.max(0, wanted - (number === '0' ? 1 : significant));
  const sign = text.startsWith('-') ? '-' : '';
  return `${sign}${number}${number.includes('.') ? '' : '.'}${'0'.repeat(zeros)}${tail}`;
}

function signed(text: string, flags: Flags, finite: boolean): string {
  const negative = text.startsWith('-');
  const digits = text.replace(/^[+-]/, '');
  const plus = flags.plus || (!finite && text.startsWith('+'));
  const sign = negative ? '-' : plus ? '+' : flags.space ? ' ' : '';
  if (!flags.zero || flags.width === undefined || !finite) return pad(sign + digits, { ...flags, zero: false });
  return sign + digits.padStart(flags.width - sign.length, '0');
}

function formatInt(int: GoInt, verb: string, flags: Flags): string {
  const base = { v: 10, d: 10, b: 2, o: 8, O: 8, x: 16, X: 16 }[verb];
  if (base === undefined) return formatRune(int, verb, flags);
  const negative = int.value < 0n;
  let digits = (negative ? -int.value : int.value).toString(base);
  if (verb === 'X') digits = digits.toUpperCase();
  if (flags.precision !== undefined) {
    digits = flags.precision === 0 && int.value === 0n ? '' : digits.padStart(flags.precision, '0');
    if (digits === '') return pad('', { ...flags, zero: false });
  }
  const prefix = intPrefix(verb, flags, digits);
  const sign = negative ? '-' : flags.plus ? '+' : flags.space ? ' ' : '';
  if (flags.zero && flags.width !== undefined && flags.precision === undefined) {
    return sign + prefix + digits.padStart(flags.width - sign.length, '0');
  }
  return pad(sign + prefix + digits, { ...flags, zero: false });
}

function intPrefix(verb: string, { sharp }: Flags, digits: string): string {
  if (verb === 'O') return '0o';
  if (!sharp) return '';
  if (verb === 'x' || verb === 'X') return `0${verb}`;
  if (verb === 'b') return '0b';
  return verb === 'o' && !digits.startsWith('0') ? '0' : '';
}

function formatRune(int: GoInt, verb: string, flags: Flags): string {
  const code = int.value >= 0n && int.value <= 0x10ffffn ? Number(int.value) : 0xfffd;
  const char = String.fromCodePoint(code >= 0xd800 && code <= 0xdfff ? 0xfffd : code);
  if (verb === 'c') return pad(char, flags);
  if (verb === 'q') return pad(quoteGo(char, { quote: "'", ascii: flags.plus }), flags);
  if (verb === 'U') {
    const name = `U+${BigInt.asUintN(64, int.value)
      .toString(16)
      .toUpperCase()
      .padStart(Math.max(4, flags.precision ?? 0), '0')}`;
    return pad(flags.sharp ? `${name} '${char}'` : name, { ...flags, zero: false });
  }
  return badVerb(verb, int, flags);
}

function formatComposite(value: GoSlice | GoMap | GoStruct | GoFunc, verb: string, flags: Flags): string {
  const sharpV = verb === 'v' && flags.sharpValue;
  const inner = (item: Value): string => {
    if (sharpV) return sharpText(item);
    return item === undefined || item === null ? '<nil>' : formatValue(item, verb, flags);
  };
  if (value instanceof GoFunc) return '0x0';
  if (value instanceof GoSlice) {
    if (value.elem === 'uint8' && 'sqxX'.includes(verb))
      return formatText(bytesOf(value).toString('utf8'), verb, flags);
    const items = value.items.map(inner);
    return sharpV ? `[]${value.elem}{${items.join(', ')}}` : `[${items.join(' ')}]`;
  }
  if (value instanceof GoMap) {
    const pairs = sortedKeys(value).map((key) => `${inner(key)}:${inner(value.entries.get(key))}`);
    return sharpV ? `${value.type}{${pairs.join(', ')}}` : `map[${pairs.join(' ')}]`;
  }
  const named = sharpV || flags.named;
  const fields = [...value.fields].map(([name, field]) => (named ? `${name}:${inner(field)}` : inner(field)));
  if (sharpV) return `${value.pointer ? '&' : ''}${value.type}{${fields.join(', ')}}`;
  return `${value.pointer ? '&' : ''}{${fields.join(' ')}}`;
}

function sharpText(value: Value): string {
  if (value === undefined || value === null) return 'interface {}(nil)';
  if (value instanceof GoInt && value.type.startsWith('uint')) return `0x${value.value.toString(16)}`;
  return formatOne(value, 'v', { ...noFlags, sharp: true, sharpValue: true });
}

/** A []byte as bytes. */
export const bytesOf = (slice: GoSlice): Buffer =>
  Buffer.from(slice.items.map((item) => (item instanceof GoInt ? Number(item.value) : 0)));
