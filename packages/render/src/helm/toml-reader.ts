// TOML 1.0 → values, for fromToml: integers stay 64-bit integers. Dates are refused by name.
import { RenderError } from '../errors.ts';
import { GoInt, GoMap, GoSlice, type Value } from '../gotemplate/index.ts';

const maxDepth = 200;

/** Throws a RenderError that names the line. */
export function parseToml(text: string): GoMap {
  return new Reader(text).document();
}

const bareKey = /[A-Za-z0-9_-]+/y;
const blank = /[ \t]*/y;
const space = /(?:[ \t\r\n]|#[^\n]*)*/y;
const scalar = /[^\s,\]}#=]+/y;
const escapes: Readonly<Record<string, string>> = {
  b: '\b',
  t: '\t',
  n: '\n',
  f: '\f',
  r: '\r',
  e: '\x1b',
  '"': '"',
  '\\': '\\',
};

class Reader {
  readonly #text: string;
  #at = 0;
  readonly #root = new GoMap();
  /** Tables that were written out, and may not be again. */
  readonly #defined = new Set<GoMap>();

  constructor(text: string) {
    this.#text = text;
  }

  document(): GoMap {
    let table = this.#root;
    for (;;) {
      this.#skip(space);
      if (this.#at >= this.#text.length) return this.#root;
      if (this.#take('[[')) table = this.#listTable();
      else if (this.#take('[')) table = this.#table();
      else this.#pair(table);
      this.#skip(blank);
      if (!/^(?:#|\r?\n|$)/.test(this.#text.slice(this.#at, this.#at + 2)))
        this.#fail(`expected a new line, found ${JSON.stringify(this.#text[this.#at])}`);
    }
  }

  #fail(message: string): never {
    throw new RenderError(`toml: line ${this.#text.slice(0, this.#at).split('\n').length}: ${message}`);
  }

  #skip(form: RegExp): string {
    form.lastIndex = this.#at;
    const found = form.exec(this.#text)?.[0] ?? '';
    this.#at += found.length;
    return found;
  }

  #take(text: string): boolean {
    if (!this.#text.startsWith(text, this.#at)) return false;
    this.#at += text.length;
    return true;
  }

  #expect(text: string): void {
    if (!this.#take(text)) this.#fail(`expected ${text}, found ${JSON.stringify(this.#text[this.#at] ?? 'the end')}`);
  }

  #key(): string[] {
    const parts: string[] = [];
    do {
      this.#skip(blank);
      const char = this.#text[this.#at];
      const part = char === '"' || char === "'" ? this.#string(char) : this.#skip(bareKey);
      if (part === '' && char !== '"' && char !== "'") this.#fail('expected a key');
      parts.push(part);
      this.#skip(blank);
    } while (this.#take('.'));
    return parts;
  }

  #table(): GoMap {
    const path = this.#key();
    this.#expect(']');
    const last = path.pop() ?? '';
    const table = this.#child(this.#inside(this.#root, path), last);
    if (this.#defined.has(table)) this.#fail(`table ${last} has already been defined`);
    this.#defined.add(table);
    return table;
  }

  #listTable(): GoMap {
    const path = this.#key();
    this.#expect(']]');
    const last = path.pop() ?? '';
    const parent = this.#inside(this.#root, path);
    const known = parent.entries.get(last) ?? new GoSlice([], 'map[string]interface {}');
    if (!(known instanceof GoSlice)) return this.#fail(`key ${last} is not a list of tables`);
    const table = new GoMap();
    parent.entries.set(last, new GoSlice([...known.items, table], known.elem));
    return table;
  }

  #inside(table: GoMap, path: readonly string[]): GoMap {
    return path.reduce((at, name) => this.#child(at, name), table);
  }

  /** The table of that name, or the last of a list of tables; made when there is none. */
  #child(table: GoMap, name: string): GoMap {
    const known = table.entries.get(name);
    const inner = known instanceof GoSlice ? known.items.at(-1) : known;
    if (inner instanceof GoMap) return inner;
    if (known !== undefined) this.#fail(`key ${name} is not a table`);
    const made = new GoMap();
    table.entries.set(name, made);
    return made;
  }

  #pair(table: GoMap, depth = 0): void {
    const path = this.#key();
    this.#expect('=');
    this.#skip(blank);
    const last = path.pop() ?? '';
    const parent = this.#inside(table, path);
    if (parent.entries.has(last)) this.#fail(`key ${last} has already been defined`);
    parent.entries.set(last, this.#value(depth));
  }

  #value(depth: number): Value {
    if (depth > maxDepth) this.#fail(`nesting exceeds ${maxDepth}`);
    const char = this.#text[this.#at];
    if (char === '"' || char === "'") return this.#string(char);
    if (this.#take('[')) return this.#list(depth);
    if (this.#take('{')) return this.#inlineTable(depth);
    return this.#scalar(this.#skip(scalar));
  }

  #list(depth: number): GoSlice {
    const items: Value[] = [];
    for (;;) {
      this.#skip(space);
      if (this.#take(']')) return new GoSlice(items);
      items.push(this.#value(depth + 1));
      this.#skip(space);
      if (!this.#take(',') && this.#text[this.#at] !== ']') this.#fail('expected a comma or ]');
    }
  }

  #inlineTable(depth: number): GoMap {
    const table = new GoMap();
    for (;;) {
      this.#skip(space);
      if (this.#take('}')) return table;
      this.#pair(table, depth + 1);
      this.#skip(space);
      if (!this.#take(',') && this.#text[this.#at] !== '}') this.#fail('expected a comma or }');
    }
  }

  #scalar(word: string): Value {
    if (word === 'true' || word === 'false') return word === 'true';
    if (/^\d{4}-\d\d-\d\d|^\d\d:\d\d/.test(word)) return this.#fail('dates are not supported by this renderer');
    const digits = word.replace(/(?<=[0-9a-fA-F])_(?=[0-9a-fA-F])/g, '');
    if (/^[-+]?(?:0|[1-9]\d*)$/.test(digits)) return this.#integer(BigInt(digits.replace('+', '')));
    if (/^0(?:x[0-9a-fA-F]+|o[0-7]+|b[01]+)$/.test(digits)) return this.#integer(BigInt(digits));
    if (/^[-+]?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][-+]?\d+)?$/.test(digits)) return Number(digits);
    if (/^[-+]?inf$/.test(word)) return word.startsWith('-') ? -Infinity : Infinity;
    if (/^[-+]?nan$/.test(word)) return Number.NaN;
    return this.#fail(`expected value but found ${JSON.stringify(word || (this.#text[this.#at] ?? 'the end'))}`);
  }

  #integer(value: bigint): GoInt {
    if (BigInt.asIntN(64, value) !== value) this.#fail(`${value} is out of range for int64`);
    return new GoInt(value, 'int64');
  }

  #string(quote: string): string {
    const isLong = this.#take(quote.repeat(3));
    if (!isLong) this.#at++;
    if (isLong) this.#take('\r\n') || this.#take('\n');
    let written = '';
    for (;;) {
      const char = this.#text[this.#at];
      if (char === undefined || (!isLong && char === '\n')) return this.#fail('unterminated string');
      if (isLong ? this.#text.startsWith(quote.repeat(3), this.#at) : char === quote) break;
      this.#at++;
      written += char === '\\' && quote === '"' ? this.#escape(isLong) : char;
    }
    this.#at += isLong ? 3 : 1;
    // Up to two quotes may stand before the closing three.
    while (isLong && this.#take(quote)) written += quote;
    return written;
  }

  #escape(isLong: boolean): string {
    const char = this.#text[this.#at++] ?? '';
    const known = escapes[char];
    if (known !== undefined) return known;
    const size = { u: 4, U: 8, x: 2 }[char];
    if (size !== undefined) {
      const hex = this.#text.slice(this.#at, this.#at + size);
      if (hex.length !== size || !/^[0-9a-fA-F]+$/.test(hex)) this.#fail('invalid escape');
      this.#at += size;
      return String.fromCodePoint(Number.parseInt(hex, 16));
    }
    if (!isLong || !/\s/.test(char)) return this.#fail(`invalid escape \\${char}`);
    this.#skip(/[ \t\r\n]*/y);
    return '';
  }
}
