// Helm's --set syntax: `a.b=1,c[0].d=x,e={1,2},f\.g=h`. Indexes and nesting are bounded as Helm bounds them.
import { RenderError } from '../errors.ts';
import { GoMap, GoSlice, int64, type Value } from '../gotemplate/index.ts';

const maxIndex = 65_536;
const maxDepth = 30;

interface SetOptions {
  /** Every value is text. */
  readonly asText: boolean;
}

/** Applies one `--set` text to `target` in place. */
export function setValues(target: GoMap, text: string, { asText }: SetOptions): void {
  const reader = new Reader(text);
  while (!reader.atEnd) setKey(target, reader, { asText, depth: 0 });
}

class Reader {
  readonly text: string;
  at = 0;

  constructor(text: string) {
    this.text = text;
  }

  get atEnd(): boolean {
    return this.at >= this.text.length;
  }

  /** Text up to one of the stops, which is taken too; a backslash takes the next character as it is. */
  until(stops: string): { word: string; stop: string } {
    let word = '';
    while (this.at < this.text.length) {
      const char = this.text[this.at++] ?? '';
      if (stops.includes(char)) return { word, stop: char };
      if (char === '\\' && this.at < this.text.length) word += this.text[this.at++] ?? '';
      else word += char;
    }
    return { word, stop: '' };
  }
}

interface SetState extends SetOptions {
  readonly depth: number;
}

function refuse(reader: Reader, reason: string): never {
  throw new RenderError(`failed parsing --set data ${JSON.stringify(reader.text.slice(0, 80))}: ${reason}`);
}

function setKey(target: GoMap, reader: Reader, state: SetState): void {
  if (state.depth > maxDepth)
    refuse(reader, `value name nested level is greater than maximum supported nested level of ${maxDepth}`);
  const { word, stop } = reader.until('=[,.');
  switch (stop) {
    case '':
      if (word !== '') refuse(reader, `key ${JSON.stringify(word)} has no value`);
      return;
    case '[': {
      const known = target.entries.get(word);
      const items = known instanceof GoSlice ? [...known.items] : [];
      target.entries.set(word, setIndex(items, reader, state));
      return;
    }
    case '=':
      target.entries.set(word, readValue(reader, state));
      return;
    case ',':
      refuse(reader, `key ${JSON.stringify(word)} has no value (cannot end with ,)`);
      return;
    default: {
      const known = target.entries.get(word);
      const inner = known instanceof GoMap ? known : new GoMap();
      setKey(inner, reader, { ...state, depth: state.depth + 1 });
      target.entries.set(word, inner);
    }
  }
}

function setIndex(items: Value[], reader: Reader, state: SetState): GoSlice {
  const { word, stop } = reader.until(']');
  if (stop === '' || !/^-?\d+$/.test(word)) refuse(reader, `error parsing index: ${JSON.stringify(word)}`);
  const index = Number(word);
  if (index < 0) refuse(reader, `negative ${index} index not allowed`);
  if (index > maxIndex) refuse(reader, `index of ${index} is greater than maximum supported index of ${maxIndex}`);
  while (items.length <= index) items.push(null);
  const next = reader.text[reader.at];
  if (next === '=' || next === '[' || next === '.') reader.at++;
  if (next === '=') items[index] = readValue(reader, state);
  else if (next === '[') {
    const known = items[index];
    items[index] = setIndex(known instanceof GoSlice ? [...known.items] : [], reader, {
      ...state,
      depth: state.depth + 1,
    });
  } else if (next === '.') {
    const known = items[index];
    const inner = known instanceof GoMap ? known : new GoMap();
    setKey(inner, reader, { ...state, depth: state.depth + 1 });
    items[index] = inner;
  } else refuse(reader, `unexpected data after the index ${index}`);
  return new GoSlice(items);
}

function readValue(reader: Reader, { asText }: SetState): Value {
  if (reader.text[reader.at] !== '{') return typed(reader.until(',').word, asText);
  reader.at++;
  const items: Value[] = [];
  for (;;) {
    const { word, stop } = reader.until(',}');
    if (stop === '') refuse(reader, 'list must terminate with }');
    items.push(typed(word, asText));
    if (stop === '}') break;
  }
  if (reader.text[reader.at] === ',') reader.at++;
  return new GoSlice(items);
}

function typed(word: string, asText: boolean): Value {
  if (asText) return word;
  if (/^true$/i.test(word)) return true;
  if (/^false$/i.test(word)) return false;
  if (/^null$/i.test(word)) return null;
  // A leading zero marks text, such as a phone number or a file mode.
  if (word === '0') return int64(0);
  if (/^[-+]?[1-9]\d*$/.test(word)) {
    const value = BigInt(word.replace('+', ''));
    if (value >= -(2n ** 63n) && value < 2n ** 63n) return int64(value);
  }
  return word;
}

/** `--set-file`: the text of a file at a path of values. */
export function setText(target: GoMap, name: string, value: string): void {
  const escaped = value.replace(/[\\,{}]/g, '\\$&');
  setValues(target, `${name}=${escaped}`, { asText: true });
}
