// The YAML that manifests and values files are made of, read in one pass: block maps and lists, plain and quoted scalars
// on one line (plain ones also folded over several), literal blocks, flow collections.
//
// Promises: an answer equal to js-yaml's, or none (undefined): anchors, tags, merge keys, folded blocks, odd keys and
// whatever is not well formed is left to js-yaml, whose errors people then see. One exception, as go-yaml has it: flow
// collections may close at any indentation. Nesting and size are bounded.
import { noteEmptyMember } from './empty-members.ts';
import { FlowReader } from './flow-reader.ts';
import { leftToOthers } from './left-to-others.ts';
import { closingQuote, unquoted } from './quoted.ts';
import { type Booleans, plainValue } from './scalar.ts';

/** Neither a value nor the word null. */
const empty = Symbol('empty');
const maxDepth = 60;
const maxNodes = 1_000_000;
const maxKeyLength = 1000;

// Tabs are looked at where they stand; carriage returns, surrogates, white space that YAML does not take for space (which
// trimEnd would cut off) and what YAML forbids is left to others.
const unusual =
  /[^\t\n\x20-\x7e\xa1-\u167f\u1681-\u1fff\u200b-\u2027\u202a-\u202e\u2030-\u205e\u2060-\u2fff\u3001-\ud7ff\ue000-\ufefe\uff00-\ufffd]/;
/** What a plain scalar cannot begin with, or what begins something else. */
const indicators = new Set([...',[]{}#&*!|>\'"%@`?:-'].map((char) => char.charCodeAt(0)));
const [space, newline, hash, dash, colon, tab] = [0x20, 0x0a, 0x23, 0x2d, 0x3a, 0x09];
const [doubleQuote, singleQuote, pipe, bracket, brace] = [0x22, 0x27, 0x7c, 0x5b, 0x7b];

/** The documents of a stream, empty ones as null; undefined when the text is not of the kind read here. */
export function readBlocks(text: string, booleans: Booleans): unknown[] | undefined {
  if (unusual.test(text)) return undefined;
  try {
    return new BlockReader(text, booleans).documents();
  } catch (thrown) {
    if (thrown === leftToOthers) return undefined;
    throw thrown;
  }
}

class BlockReader {
  readonly #text: string;
  readonly #booleans: Booleans;
  /** Where the content of the current line begins, and how far it is indented; -1 at the end of a document. */
  #pos = 0;
  #indent = -1;
  #end = 0;
  #nodes = 0;

  constructor(text: string, booleans: Booleans) {
    this.#text = text;
    this.#booleans = booleans;
  }

  documents(): unknown[] {
    const found: unknown[] = [];
    this.#toLine(0);
    if (this.#indent < 0 && this.#pos < this.#text.length) this.#passMarker();
    for (;;) {
      found.push(this.#indent < 0 ? null : this.#node(-1, 0));
      if (this.#indent >= 0) throw leftToOthers;
      if (this.#pos >= this.#text.length) return found;
      this.#passMarker();
    }
  }

  /** From `---` to the line after it. */
  #passMarker(): void {
    const line = this.#text.slice(this.#pos, this.#end);
    if (line.trimEnd() !== '---') throw leftToOthers;
    this.#toLine(this.#end + 1);
  }

  /** Goes to the first line from `start` on that holds more than space and comment. */
  #toLine(start: number): void {
    const text = this.#text;
    for (let at = start; at < text.length; ) {
      let pos = at;
      while (text.charCodeAt(pos) === space) pos++;
      const code = text.charCodeAt(pos);
      if (code === tab) throw leftToOthers;
      let end = text.indexOf('\n', pos);
      if (end < 0) end = text.length;
      if (pos < end && code !== hash) {
        this.#pos = pos;
        this.#end = end;
        this.#indent = pos - at;
        if (pos === at && /^(?:---|\.\.\.|%)/.test(text.slice(pos, pos + 3))) this.#indent = -1;
        return;
      }
      at = end + 1;
    }
    this.#pos = text.length;
    this.#end = text.length;
    this.#indent = -1;
  }

  /** What begins at the current place; `parent` is the indentation that continued lines must exceed. */
  #node(parent: number, depth: number): unknown {
    if (depth > maxDepth || ++this.#nodes > maxNodes) throw leftToOthers;
    const code = this.#text.charCodeAt(this.#pos);
    if (code === dash && this.#isItem()) return this.#list(this.#indent, depth);
    const key = this.#keyEnd();
    return key >= 0 ? this.#map(this.#indent, depth) : this.#scalar(parent);
  }

  #isItem(): boolean {
    const next = this.#text.charCodeAt(this.#pos + 1);
    return this.#text.charCodeAt(this.#pos) === dash && (next === space || next === newline || Number.isNaN(next));
  }

  /** The place of the colon that ends a key on this line; -1 when the line holds none. */
  #keyEnd(): number {
    const text = this.#text;
    const first = text.charCodeAt(this.#pos);
    if (first === doubleQuote || first === singleQuote) {
      const close = closingQuote(text, this.#pos, this.#end);
      if (close < 0) return -1;
      let at = close + 1;
      while (text.charCodeAt(at) === space) at++;
      return text.charCodeAt(at) === colon && isBlank(text.charCodeAt(at + 1)) ? at : -1;
    }
    if (first === bracket || first === brace) return -1;
    // Searched in the line alone: a search in the text would go on to its end.
    const line = text.slice(this.#pos, this.#end);
    for (let at = line.indexOf(':'); at >= 0; at = line.indexOf(':', at + 1)) {
      if (at + 1 < line.length && line.charCodeAt(at + 1) !== space) continue;
      const comment = line.indexOf(' #');
      return comment >= 0 && comment < at ? -1 : this.#pos + at;
    }
    return -1;
  }

  #map(indent: number, depth: number): unknown {
    const map: Record<string, unknown> = {};
    while (this.#indent === indent) {
      const end = this.#keyEnd();
      if (end < 0 || this.#isItem()) throw leftToOthers;
      const key = this.#key(end);
      const value = this.#valueAfter(end + 1, { indent, depth, listMayBegin: true });
      map[key] = value === empty ? null : value;
      if (value === empty) noteEmptyMember(map, key);
    }
    if (this.#indent > indent) throw leftToOthers;
    return map;
  }

  #key(end: number): string {
    const text = this.#text;
    if (end - this.#pos > maxKeyLength) throw leftToOthers;
    const first = text.charCodeAt(this.#pos);
    if (first === doubleQuote || first === singleQuote) {
      const close = closingQuote(text, this.#pos, this.#end);
      return checkedKey(unquoted(text.slice(this.#pos, close + 1)));
    }
    const written = text.slice(this.#pos, end);
    const key = written.trimEnd();
    if (indicators.has(first) || key === '' || written.includes('\t')) throw leftToOthers;
    if (typeof plainValue(key, this.#booleans) !== 'string') throw leftToOthers;
    return checkedKey(key);
  }

  #list(indent: number, depth: number): unknown[] {
    const list: unknown[] = [];
    while (this.#indent === indent && this.#isItem()) {
      let at = this.#pos + 1;
      while (this.#text.charCodeAt(at) === space) at++;
      const code = this.#text.charCodeAt(at);
      if (at >= this.#end || code === hash) {
        const value = this.#valueAfter(at, { indent, depth, listMayBegin: false });
        list.push(value === empty ? null : value);
      } else if (code === pipe) list.push(this.#inline(at, indent));
      else {
        // What stands after the dash is a node of its own, as far in as it stands.
        this.#indent += at - this.#pos;
        this.#pos = at;
        list.push(this.#node(indent, depth + 1));
      }
    }
    if (this.#indent > indent) throw leftToOthers;
    return list;
  }

  /** The value of a key or of an empty item: on the same line, on the lines below, or nothing. */
  #valueAfter(
    from: number,
    { indent, depth, listMayBegin }: { indent: number; depth: number; listMayBegin: boolean },
  ): unknown {
    const text = this.#text;
    let at = from;
    while (text.charCodeAt(at) === space) at++;
    const code = text.charCodeAt(at);
    if (code === tab) throw leftToOthers;
    if (at < this.#end && !(code === hash && text.charCodeAt(at - 1) === space)) return this.#inline(at, indent);
    this.#toLine(this.#end + 1);
    if (this.#indent > indent) return this.#node(indent, depth + 1);
    if (listMayBegin && this.#indent === indent && this.#isItem()) return this.#list(indent, depth + 1);
    return empty;
  }

  #inline(at: number, parent: number): unknown {
    if (++this.#nodes > maxNodes) throw leftToOthers;
    this.#pos = at;
    if (this.#text.charCodeAt(at) === pipe) return this.#literal(parent);
    if (this.#keyEnd() >= 0) throw leftToOthers;
    return this.#scalar(parent);
  }

  /** A quoted, flow or plain value at the current place, up to the end of its last line. */
  #scalar(parent: number): unknown {
    const text = this.#text;
    const first = text.charCodeAt(this.#pos);
    if (first === bracket || first === brace) {
      const flow = new FlowReader(text, this.#pos, { booleans: this.#booleans, nodes: maxNodes - this.#nodes });
      const value = flow.value(0);
      this.#nodes = maxNodes - flow.nodesLeft;
      this.#finishLine(flow.pos);
      return value;
    }
    if (first === doubleQuote || first === singleQuote) {
      const close = closingQuote(text, this.#pos, this.#end);
      if (close < 0) throw leftToOthers;
      const value = unquoted(text.slice(this.#pos, close + 1));
      this.#finishLine(close + 1);
      return value;
    }
    return this.#plain(parent);
  }

  #plain(parent: number): unknown {
    const startsNegative = this.#text.charCodeAt(this.#pos) === dash && !isBlank(this.#text.charCodeAt(this.#pos + 1));
    if (this.#text.startsWith('---', this.#pos)) throw leftToOthers;
    if (!startsNegative && indicators.has(this.#text.charCodeAt(this.#pos))) throw leftToOthers;
    let { value, isCut } = this.#plainLine();
    let lineEnd = this.#end;
    this.#toLine(this.#end + 1);
    if (this.#indent <= parent) return plainValue(value, this.#booleans);
    while (this.#indent > parent) {
      if (parent < 0 || isCut) throw leftToOthers;
      const between = this.#text.slice(lineEnd + 1, this.#pos);
      if (between.includes('#')) throw leftToOthers;
      const blank = between.split('\n').length - 1;
      const next = this.#plainLine();
      value += (blank === 0 ? ' ' : '\n'.repeat(blank)) + next.value;
      isCut = next.isCut;
      lineEnd = this.#end;
      this.#toLine(this.#end + 1);
    }
    return value;
  }

  /** The text of a plain scalar on this line, and whether a comment ends it. */
  #plainLine(): { value: string; isCut: boolean } {
    const line = this.#text.slice(this.#pos, this.#end);
    if (line.includes('\t')) throw leftToOthers;
    const comment = line.indexOf(' #');
    const value = (comment < 0 ? line : line.slice(0, comment)).trimEnd();
    if (value.endsWith(':') || value.includes(': ')) throw leftToOthers;
    return { value, isCut: comment >= 0 };
  }

  #finishLine(from: number): void {
    const text = this.#text;
    let end = text.indexOf('\n', from);
    if (end < 0) end = text.length;
    const rest = text.slice(from, end);
    if (rest !== '' && !/^(?: *| +#.*)$/.test(rest)) throw leftToOthers;
    this.#toLine(end + 1);
  }

  /** `|`, `|-`, `|+`: lines as they are, without the indentation of the first. */
  #literal(parent: number): string {
    const text = this.#text;
    const [, chomp, extra] = /^\|([-+]?)( *| +#.*)$/.exec(text.slice(this.#pos, this.#end)) ?? [];
    if (chomp === undefined || extra === undefined) throw leftToOthers;
    const lines: string[] = [];
    let at = this.#end + 1;
    let indent = -1;
    for (; at < text.length; ) {
      let end = text.indexOf('\n', at);
      if (end < 0) end = text.length;
      let pos = at;
      while (text.charCodeAt(pos) === space) pos++;
      if (pos >= end) {
        // Space that goes further in than the block belongs to its text, or is an error before the first line.
        if (indent < 0 && pos - at > Math.max(0, parent + 1)) throw leftToOthers;
        lines.push(indent >= 0 && pos - at > indent ? text.slice(at + indent, end) : '');
      } else {
        if (indent < 0) {
          if (pos - at <= parent) break;
          indent = pos - at;
          if (text.charCodeAt(pos) === tab) throw leftToOthers;
        } else if (pos - at < indent) break;
        lines.push(text.slice(at + indent, end));
      }
      at = end + 1;
    }
    // A text that ends without a line break, and one without content, have rules of their own.
    if (indent < 0 || (at > text.length && !text.endsWith('\n'))) throw leftToOthers;
    if (indent <= 0) throw leftToOthers;
    this.#toLine(at);
    if (this.#indent > parent) throw leftToOthers;
    return chomped(lines, chomp);
  }
}

function chomped(lines: readonly string[], chomp: string): string {
  let last = lines.length;
  while (last > 0 && lines[last - 1] === '') last--;
  if (last === 0) throw leftToOthers;
  const body = lines.slice(0, last).join('\n');
  if (chomp === '-') return body;
  return chomp === '+' ? `${body}${'\n'.repeat(lines.length - last + 1)}` : `${body}\n`;
}

const isBlank = (code: number): boolean => code === space || code === newline || Number.isNaN(code);

/** Keys with a meaning of their own are left to others. */
function checkedKey(key: string): string {
  if (key === '<<' || key === '__proto__') throw leftToOthers;
  return key;
}
