import { TurnQueue } from './turn-queue.ts';

/** One task at a time per key; keys that nobody waits for are forgotten. */
export class KeyedTurns {
  readonly #turns = new Map<string, { queue: TurnQueue; users: number }>();

  isBusy(key: string): boolean {
    return this.#turns.has(key);
  }

  async run<T>(key: string, work: () => Promise<T>, signal?: AbortSignal): Promise<T> {
    const turn = this.#turns.get(key) ?? { queue: new TurnQueue(1), users: 0 };
    this.#turns.set(key, turn);
    turn.users++;
    try {
      return await turn.queue.run(work, signal);
    } finally {
      if (--turn.users === 0) this.#turns.delete(key);
    }
  }
}
