// Who works now and who waits: so many at once, so many of them for one key, the others in the order in which they came,
// past those whose key has its share. The caller bounds how many may wait.

interface Waiting {
  readonly key: string;
  readonly begin: () => void;
}

export class Turns {
  readonly #atOnce: number;
  readonly #perKey: number;
  readonly #working = new Map<string, number>();
  #total = 0;
  #waiting: Waiting[] = [];

  constructor({ atOnce, perKey }: { readonly atOnce: number; readonly perKey: number }) {
    this.#atOnce = atOnce;
    this.#perKey = perKey;
  }

  async inTurn<T>(key: string, work: () => Promise<T>): Promise<T> {
    if (this.#isFree(key)) this.#count(key, 1);
    else await new Promise<void>((begin) => this.#waiting.push({ key, begin }));
    try {
      return await work();
    } finally {
      this.#count(key, -1);
      this.#next();
    }
  }

  /** The one that begins is counted here, so that nobody takes its place before it runs. */
  #next(): void {
    const index = this.#waiting.findIndex(({ key }) => this.#isFree(key));
    const [first] = index < 0 ? [] : this.#waiting.splice(index, 1);
    if (!first) return;
    this.#count(first.key, 1);
    first.begin();
  }

  #isFree(key: string): boolean {
    return this.#total < this.#atOnce && (this.#working.get(key) ?? 0) < this.#perKey;
  }

  #count(key: string, by: 1 | -1): void {
    const own = (this.#working.get(key) ?? 0) + by;
    if (own === 0) this.#working.delete(key);
    else this.#working.set(key, own);
    this.#total += by;
  }
}
