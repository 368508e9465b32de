// Flow collections: `[a, "b", {c: 1}]`, over one line or several, with comments. Indentation does not count inside.
import { leftToOthers } from './left-to-others.ts';
import { closingQuote, unquoted } from './quoted.ts';
import { type Booleans, plainValue } from './scalar.ts';

const maxDepth = 60;
const [space, newline, hash, colon, comma] = [0x20, 0x0a, 0x23, 0x3a, 0x2c];
const [openList, closeList, openMap, closeMap] = [0x5b, 0x5d, 0x7b, 0x7d];
const [doubleQuote, singleQuote] = [0x22, 0x27];
const indicators = new Set([...',[]{}#&*!|>\'"%@`?:-'].map((char) => char.charCodeAt(0)));

export class FlowReader {
  readonly #text: string;
  readonly #booleans: Booleans;
  pos: number;
  nodesLeft: number;

  constructor(text: string, pos: number, { booleans, nodes }: { booleans: Booleans; nodes: number }) {
    this.#text = text;
    this.#booleans = booleans;
    this.pos = pos;
    this.nodesLeft = nodes;
  }

  value(depth: number): unknown {
    if (depth > maxDepth || --this.nodesLeft < 0) throw leftToOthers;
    const code = this.#text.charCodeAt(this.pos);
    if (code === openList) return this.#list(depth);
    if (code === openMap) return this.#map(depth);
    if (code === doubleQuote || code === singleQuote) return this.#quoted();
    return plainValue(this.#plain(), this.#booleans);
  }

  #list(depth: number): unknown[] {
    const list: unknown[] = [];
    this.pos++;
    for (;;) {
      this.#skip();
      if (this.#text.charCodeAt(this.pos) === closeList) break;
      list.push(this.value(depth + 1));
      this.#separator(closeList);
    }
    this.pos++;
    return list;
  }

  #map(depth: number): Record<string, unknown> {
    const map: Record<string, unknown> = {};
    this.pos++;
    for (;;) {
      this.#skip();
      const code = this.#text.charCodeAt(this.pos);
      if (code === closeMap) break;
      const isQuoted = code === doubleQuote || code === singleQuote;
      const key = isQuoted ? this.#quoted() : this.#plain();
      if (!isQuoted && typeof plainValue(key, this.#booleans) !== 'string') throw leftToOthers;
      if (key === '<<' || key === '__proto__') throw leftToOthers;
      this.#colon(isQuoted);
      this.#skip();
      const next = this.#text.charCodeAt(this.pos);
      map[key] = next === comma || next === closeMap ? null : this.value(depth + 1);
      this.#separator(closeMap);
    }
    this.pos++;
    return map;
  }

  #colon(mayTouch: boolean): void {
    while (this.#text.charCodeAt(this.pos) === space) this.pos++;
    if (this.#text.charCodeAt(this.pos) !== colon) throw leftToOthers;
    this.pos++;
    const next = this.#text.charCodeAt(this.pos);
    if (!mayTouch && next !== space && next !== newline) throw leftToOthers;
  }

  #separator(close: number): void {
    this.#skip();
    const code = this.#text.charCodeAt(this.pos);
    if (code === comma) this.pos++;
    else if (code !== close) throw leftToOthers;
  }

  #quoted(): string {
    const newlineAt = this.#text.indexOf('\n', this.pos);
    const close = closingQuote(this.#text, this.pos, newlineAt < 0 ? this.#text.length : newlineAt);
    if (close < 0) throw leftToOthers;
    const value = unquoted(this.#text.slice(this.pos, close + 1));
    this.pos = close + 1;
    return value;
  }

  #plain(): string {
    const text = this.#text;
    const start = this.pos;
    const first = text.charCodeAt(start);
    const isNumber = first === 0x2d && /\d/.test(text.charAt(start + 1));
    if ((indicators.has(first) && !isNumber) || Number.isNaN(first)) throw leftToOthers;
    let at = start;
    for (; at < text.length; at++) {
      const code = text.charCodeAt(at);
      if (code === comma || code === closeList || code === closeMap || code === newline) break;
      if (code === openList || code === openMap || code === 0x09) throw leftToOthers;
      if (code === hash && text.charCodeAt(at - 1) === space) throw leftToOthers;
      if (code === colon) {
        const next = text.charCodeAt(at + 1);
        if (next === space || next === newline) break;
        if (next === comma || next === closeList || next === closeMap) throw leftToOthers;
      }
    }
    this.pos = at;
    const value = text.slice(start, at).trimEnd();
    // Text that goes on in the next line is folded by others.
    if (text.charCodeAt(at) === newline) {
      this.#skip();
      const next = text.charCodeAt(this.pos);
      if (next !== comma && next !== closeList && next !== closeMap) throw leftToOthers;
    }
    return value;
  }

  /** Passes space, line breaks and comments. */
  #skip(): void {
    const text = this.#text;
    for (;;) {
      const code = text.charCodeAt(this.pos);
      if (code === space) this.pos++;
      else if (code === newline) {
        this.pos++;
        if (/^(?:---|\.\.\.)/.test(text.slice(this.pos, this.pos + 3))) throw leftToOthers;
      } else if (code === hash && /\s/.test(text.charAt(this.pos - 1))) {
        const end = text.indexOf('\n', this.pos);
        this.pos = end < 0 ? text.length : end;
      } else return;
    }
  }
}
