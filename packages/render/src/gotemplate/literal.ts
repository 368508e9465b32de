// Go's literals as templates write them: quoted and raw strings, characters, numbers.

const simpleEscapes: Readonly<Record<string, string>> = {
  a: '\x07',
  b: '\b',
  f: '\f',
  n: '\n',
  r: '\r',
  t: '\t',
  v: '\v',
  '\\': '\\',
  "'": "'",
  '"': '"',
};

/** strconv.Unquote; undefined when it is no valid Go literal. */
export function unquote(literal: string): string | undefined {
  const quote = literal[0];
  const body = literal.slice(1, -1);
  if (quote === '`') return body.replaceAll('\r', '');
  const text = unescapeBody(body, quote ?? '');
  if (text === undefined || (quote === "'" && [...text].length !== 1)) return undefined;
  return text;
}

function unescapeBody(body: string, quote: string): string | undefined {
  const bytes: number[] = [];
  let text = '';
  const flush = () => {
    if (bytes.length > 0) text += Buffer.from(bytes.splice(0)).toString('utf8');
  };
  for (let i = 0; i < body.length; i++) {
    const char = body[i] ?? '';
    if (char !== '\\') {
      flush();
      text += char;
      continue;
    }
    const match = /^(?:x([0-9a-fA-F]{2})|u([0-9a-fA-F]{4})|U([0-9a-fA-F]{8})|([0-7]{3})|([abfnrtv\\'"]))/.exec(
      body.slice(i + 1),
    );
    if (!match) return undefined;
    i += match[0].length;
    const [, hex, short, long, octal, simple] = match;
    if (hex !== undefined || octal !== undefined) {
      const byte = hex !== undefined ? Number.parseInt(hex, 16) : Number.parseInt(octal ?? '', 8);
      if (byte > 255) return undefined;
      bytes.push(byte);
      continue;
    }
    flush();
    if (simple !== undefined) {
      if ((simple === "'" || simple === '"') && simple !== quote) return undefined;
      text += simpleEscapes[simple];
      continue;
    }
    const code = Number.parseInt(short ?? long ?? '', 16);
    if (code > 0x10ffff || (code >= 0xd800 && code <= 0xdfff)) return undefined;
    text += String.fromCodePoint(code);
  }
  flush();
  return text;
}

export interface NumberValue {
  readonly int?: bigint;
  readonly float?: number;
}

/** undefined when it is no number. A float that is whole counts as an integer too, where an integer is asked for. */
export function parseNumber(text: string): NumberValue | undefined {
  if (text.startsWith("'")) {
    const char = unquote(text);
    return char === undefined ? undefined : { int: BigInt(char.codePointAt(0) ?? 0), float: char.codePointAt(0) ?? 0 };
  }
  const int = parseInteger(text);
  if (int !== undefined) return { int, float: Number(int) };
  const float = parseFloatLiteral(text);
  if (float === undefined || !Number.isFinite(float)) return undefined;
  const whole = Number.isInteger(float) && Math.abs(float) < 2 ** 63 && /[.eEpP]/.test(text);
  return whole ? { int: BigInt(float), float } : { float };
}

const integerForm = /^([+-]?)(0[xX][0-9a-fA-F_]+|0[oO][0-7_]+|0[bB][01_]+|[0-9][0-9_]*)$/;

/** strconv.ParseInt with base 0; undefined outside what uint64 and int64 hold. */
export function parseInteger(text: string): bigint | undefined {
  const match = integerForm.exec(text);
  if (!match || /__|_$/.test(text)) return undefined;
  const digits = (match[2] ?? '').replaceAll('_', '');
  if (/^0[0-9]/.test(digits) && !/^[0-7]+$/.test(digits)) return undefined;
  const magnitude = BigInt(/^0[0-7]+$/.test(digits) ? `0o${digits.slice(1)}` : digits);
  const value = match[1] === '-' ? -magnitude : magnitude;
  return value >= -(2n ** 63n) && value < 2n ** 64n ? value : undefined;
}

function parseFloatLiteral(text: string): number | undefined {
  if (/__|_$|_\.|\._/.test(text)) return undefined;
  const plain = text.replaceAll('_', '');
  if (/^[+-]?(?:[0-9]+\.?[0-9]*|\.[0-9]+)(?:[eE][+-]?[0-9]+)?$/.test(plain)) return Number(plain);
  const hex = /^([+-]?)0[xX]([0-9a-fA-F]*)\.?([0-9a-fA-F]*)[pP]([+-]?[0-9]+)$/.exec(plain);
  if (!hex) return undefined;
  const [, sign, whole = '', fraction = '', power = '0'] = hex;
  const magnitude = Number.parseInt(`${whole}${fraction}` || '0', 16) * 2 ** (Number(power) - 4 * fraction.length);
  return sign === '-' ? -magnitude : magnitude;
}
