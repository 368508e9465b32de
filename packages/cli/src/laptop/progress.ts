// One line per step: what is being done, then that it is done and how long it took.
import { type Clock, errorMessage } from '@fairlead/base';
import { styled } from '../output/index.ts';

export class Progress {
  readonly #clock: Clock;
  readonly #out: NodeJS.WriteStream;
  readonly #open = new Set<string>();

  constructor(clock: Clock, out: NodeJS.WriteStream) {
    this.#clock = clock;
    this.#out = out;
  }

  async step<T>(title: string, work: () => Promise<T>): Promise<T> {
    const startedMs = this.#clock.monotonic();
    this.#open.add(title);
    this.#showOpen();
    try {
      const result = await work();
      this.#open.delete(title);
      const seconds = ((this.#clock.monotonic() - startedMs) / 1000).toFixed(1);
      this.#line(styled('green', '✓', this.#out), `${title} ${styled('dim', `(${seconds} s)`, this.#out)}`);
      return result;
    } catch (error) {
      this.#open.delete(title);
      this.#line(styled('red', '✗', this.#out), `${title}: ${errorMessage(error)}`);
      throw error;
    }
  }

  /** What did not go as it should, and does not stop the start. */
  warn(words: string): void {
    this.#line(styled('yellow', '!', this.#out), words);
  }

  #line(mark: string, text: string): void {
    this.#out.write(`${this.#out.isTTY ? '\r\u001b[2K' : ''}  ${mark} ${text}\n`);
    this.#showOpen();
  }

  /** On a terminal the last line names what is still under way. */
  #showOpen(): void {
    const [first] = this.#open;
    if (this.#out.isTTY && first) this.#out.write(`\r\u001b[2K  … ${first}`);
  }
}
