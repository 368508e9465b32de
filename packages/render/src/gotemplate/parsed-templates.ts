// Parsed templates by their text: one chart is rendered again and again with other values, and `tpl` parses the same text
// many times in one render. What is parsed never changes. Bounded by the length of the texts; at the bound the least
// recently used goes.
import { BoundedCache } from '@fairlead/base';
import type { ParsedTemplate } from './parse.ts';

/** A parsed template takes some ten times the room of its text. */
const bytesPerChar = 10;

export class ParsedTemplates {
  readonly #cache: BoundedCache<string, readonly ParsedTemplate[]>;

  constructor(maxBytes: number) {
    this.#cache = new BoundedCache(maxBytes);
  }

  get sizeBytes(): number {
    return this.#cache.size;
  }

  /** `name` and `functions` are part of what a text means: positions name the one, unknown words are errors by the other. */
  get(
    key: { readonly name: string; readonly source: string; readonly functions: string },
    parse: () => readonly ParsedTemplate[],
  ): readonly ParsedTemplate[] {
    const text = `${key.functions}\0${key.name}\0${key.source}`;
    const known = this.#cache.get(text);
    if (known) return known;
    const parsed = parse();
    this.#cache.set(text, parsed, text.length * bytesPerChar);
    return parsed;
  }
}
