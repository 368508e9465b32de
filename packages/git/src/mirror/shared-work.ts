/**
 * Work that several callers ask for by the same key. A caller that comes while a run is under way may have news that
 * the run was too early to see; it is given the next run, which all such callers share.
 */
export class SharedWork {
  readonly #running = new Map<string, Promise<unknown>>();
  readonly #next = new Map<string, Promise<unknown>>();

  /** The run under way, if any, whatever it ends in. */
  async join(key: string): Promise<void> {
    await this.#running.get(key)?.catch(() => undefined); // who began it hears of its failure
  }

  run<T>(key: string, work: () => Promise<T>): Promise<T> {
    const running = this.#running.get(key);
    if (!running) return this.#start(key, work);
    const waiting = this.#next.get(key) as Promise<T> | undefined; // one key has one kind of work
    if (waiting) return waiting;
    const next = this.join(key).then(() => {
      this.#next.delete(key);
      return this.#start(key, work);
    });
    this.#next.set(key, next);
    return next;
  }

  #start<T>(key: string, work: () => Promise<T>): Promise<T> {
    const promise = work().finally(() => this.#running.delete(key));
    this.#running.set(key, promise);
    return promise;
  }
}
