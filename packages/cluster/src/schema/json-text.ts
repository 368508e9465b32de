// JSON as Go reads it: the same texts are refused, with the same words, and members that come twice are told.

export class JsonTextError extends Error {}

/** Deeper than this is no document but an attack; Go has the same bound. */
const maxDepth = 10_000;

const whitespace = new Set([0x20, 0x09, 0x0a, 0x0d]);
const [quote, backslash, openBrace, closeBrace, openBracket, closeBracket, comma, colon] = [
  0x22, 0x5c, 0x7b, 0x7d, 0x5b, 0x5d, 0x2c, 0x3a,
];

interface Open {
  readonly isObject: boolean;
  readonly names: Set<string>;
  name: string;
  index: number;
}

/** Paths of members that come twice, in the order of the text (which is known to be JSON). */
export function repeatedMembers(text: string): readonly string[] {
  const repeated: string[] = [];
  const open: Open[] = [];
  let isName = false;
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at);
    const top = open.at(-1);
    if (code === quote) {
      const end = endOfString(text, at);
      if (isName && top) {
        top.name = text.slice(at + 1, end);
        if (top.names.has(top.name)) repeated.push(pathOf(open));
        top.names.add(top.name);
        isName = false;
      }
      at = end;
    } else if (code === openBrace || code === openBracket) {
      open.push({ isObject: code === openBrace, names: new Set(), name: '', index: 0 });
      isName = code === openBrace;
    } else if (code === closeBrace || code === closeBracket) {
      open.pop();
      isName = false;
    } else if (code === comma && top) {
      top.index++;
      isName = top.isObject;
    }
  }
  return repeated;
}

const pathOf = (open: readonly Open[]) =>
  open.reduce((path, { isObject, name, index }) => {
    if (!isObject) return `${path}[${index}]`;
    return path === '' ? name : `${path}.${name}`;
  }, '');

function endOfString(text: string, start: number): number {
  for (let at = start + 1; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (code === backslash) at++;
    else if (code === quote) return at;
  }
  return text.length;
}

/** Why Go does not read the text; called only for texts that JSON.parse has refused or that are too deep. */
export function jsonProblem(text: string): string {
  const reader = new Reader(text);
  try {
    reader.value(0);
    reader.skip();
    if (reader.at < text.length) return `invalid character ${reader.shown()} after top-level value`;
  } catch (error) {
    if (error instanceof JsonTextError) return error.message;
    throw error;
  }
  return 'unexpected end of JSON input';
}

/** Whether the text nests deeper than Go goes. */
export function isTooDeep(text: string): boolean {
  if (text.length <= maxDepth) return false;
  let depth = 0;
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (code === quote) at = endOfString(text, at);
    else if (code === openBrace || code === openBracket) {
      if (++depth > maxDepth) return true;
    } else if (code === closeBrace || code === closeBracket) depth--;
  }
  return false;
}

class Reader {
  readonly #text: string;
  at = 0;

  constructor(text: string) {
    this.#text = text;
  }

  skip(): void {
    while (whitespace.has(this.#text.charCodeAt(this.at))) this.at++;
  }

  shown(): string {
    const character = String.fromCodePoint(this.#text.codePointAt(this.at) ?? 0);
    return character === "'" ? "'\\''" : character === '"' ? `'"'` : `'${JSON.stringify(character).slice(1, -1)}'`;
  }

  /** Iterative over the containers that are open, so that depth costs no stack. */
  value(start: number): void {
    this.at = start;
    const open: number[] = [];
    let wants: 'value' | 'name' | 'next' = 'value';
    for (;;) {
      this.skip();
      const code = this.#code();
      if (wants === 'value' && (code === openBrace || code === openBracket)) {
        if (open.push(code) > maxDepth) throw new JsonTextError(`invalid character ${this.shown()} exceeded max depth`);
        this.at++;
        this.skip();
        wants = code === openBrace ? 'name' : 'value';
        if (this.#code() === (code === openBrace ? closeBrace : closeBracket)) wants = 'next';
      } else if (wants === 'value') {
        this.#scalar();
        wants = 'next';
      } else if (wants === 'name') {
        if (code !== quote) this.#refuse('looking for beginning of object key string');
        this.#string();
        this.skip();
        if (this.#code() !== colon) this.#refuse('after object key');
        this.at++;
        wants = 'value';
      } else wants = this.#next(open, code);
      if (open.length === 0 && wants === 'next') return;
    }
  }

  #next(open: number[], code: number): 'value' | 'name' | 'next' {
    const isObject = open.at(-1) === openBrace;
    const close = isObject ? closeBrace : closeBracket;
    if (code !== close && code !== comma)
      this.#refuse(isObject ? 'after object key:value pair' : 'after array element');
    this.at++;
    if (code === comma) return isObject ? 'name' : 'value';
    open.pop();
    return 'next';
  }

  #code(): number {
    if (this.at >= this.#text.length) throw new JsonTextError('unexpected end of JSON input');
    return this.#text.charCodeAt(this.at);
  }

  #refuse(where: string): never {
    throw new JsonTextError(`invalid character ${this.shown()} ${where}`);
  }

  #scalar(): void {
    const code = this.#code();
    const word = ({ 116: 'true', 102: 'false', 110: 'null' } as Readonly<Record<number, string>>)[code];
    if (code === quote) this.#string();
    else if (word) this.#word(word);
    else if (code === 0x2d || (code >= 0x30 && code <= 0x39)) this.#number();
    else this.#refuse('looking for beginning of value');
  }

  #word(word: string): void {
    for (const letter of word) {
      if (this.#code() !== letter.charCodeAt(0)) this.#refuse(`in literal ${word} (expecting '${letter}')`);
      this.at++;
    }
  }

  #number(): void {
    const [number = ''] =
      /^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?/.exec(this.#text.slice(this.at, this.at + 64)) ?? [];
    this.at += Math.max(1, number.length);
    if (number === '') {
      this.#code();
      this.#refuse('in numeric literal');
    }
  }

  #string(): void {
    for (this.at++; ; this.at++) {
      const code = this.#code();
      if (code < 0x20) this.#refuse('in string literal');
      if (code === backslash) this.at++;
      else if (code === quote) {
        this.at++;
        return;
      }
    }
  }
}
