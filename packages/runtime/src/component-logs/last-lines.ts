interface Line {
  readonly text: string;
}

interface Bounds {
  readonly maxLines: number;
  /** Characters of all lines together; beyond it the oldest go. */
  readonly maxLength: number;
}

/** The last of many lines; holds no more than it is to give. */
export class LastLines<T extends Line> {
  readonly #bounds: Bounds;
  readonly #lines: T[] = [];
  #length = 0;

  constructor(bounds: Bounds) {
    this.#bounds = bounds;
  }

  add(line: T): void {
    this.#lines.push(line);
    this.#length += line.text.length;
    while (this.#lines.length > this.#bounds.maxLines || this.#length > this.#bounds.maxLength) {
      this.#length -= this.#lines.shift()?.text.length ?? 0;
    }
  }

  all(): readonly T[] {
    return this.#lines;
  }
}
