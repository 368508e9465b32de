// Answers that hold until something is written: the same question asked again, or by many at once, is computed once.
// Bound: `max` answers, the oldest go. Nothing that is older than the last commit of this process is ever given.

interface RememberedOptions {
  readonly max: number;
  /** Grows with every commit. */
  readonly generation: () => number;
}

export class Remembered<T> {
  readonly #options: RememberedOptions;
  readonly #answers = new Map<string, { readonly generation: number; readonly answer: Promise<T> }>();

  constructor(options: RememberedOptions) {
    this.#options = options;
  }

  get(question: string, compute: () => Promise<T>): Promise<T> {
    const generation = this.#options.generation();
    const known = this.#answers.get(question);
    if (known?.generation === generation) return known.answer;
    const answer = compute();
    this.#answers.delete(question);
    this.#answers.set(question, { generation, answer });
    answer.catch(() => {
      if (this.#answers.get(question)?.answer === answer) this.#answers.delete(question);
    });
    const [oldest] = this.#answers.keys();
    if (this.#answers.size > this.#options.max && oldest !== undefined) this.#answers.delete(oldest);
    return answer;
  }
}
