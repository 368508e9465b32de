// How many streams one user may hold open through the relay; each holds a place in a runtime's tunnel.
import { ApiFailure } from '../failure.ts';
import type { StreamAnswer } from '../handler.ts';

const maxOpen = 16;

export class OpenStreams {
  readonly #open = new Map<string, number>();

  /** Refuses at the bound. The place is free again when the stream closes, or when `open` fails. */
  async run(user: string, open: () => Promise<StreamAnswer>): Promise<StreamAnswer> {
    const now = this.#open.get(user) ?? 0;
    if (now >= maxOpen) {
      throw new ApiFailure('too_many_requests', `you have ${maxOpen} streams open; close one of them first`);
    }
    this.#open.set(user, now + 1);
    const leave = () => {
      const left = (this.#open.get(user) ?? 1) - 1;
      if (left > 0) this.#open.set(user, left);
      else this.#open.delete(user);
    };
    try {
      const answer = await open();
      answer.body.once('close', leave);
      return answer;
    } catch (error) {
      leave();
      throw error;
    }
  }
}
