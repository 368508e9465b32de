// A role is one component that can run alone in a process (`fairlead role NAME`) or beside others in one:
// its settings as data, and how to start it. It reads nothing from the environment by itself.
import type { Config, Settings } from './config.ts';
import type { Lifecycle } from './lifecycle.ts';
import type { Logger } from './log.ts';

export interface RoleContext {
  readonly log: Logger;
  /** What the role starts it hands over here; the process stops it all in reverse order. */
  readonly lifecycle: Lifecycle;
}

export interface Role<S extends Settings = Settings> {
  readonly name: string;
  readonly settings: S;
  /** Resolves when the role serves; rejects when it cannot. `url` is where it listens, if it does. */
  start(config: Config<S>, context: RoleContext): Promise<{ readonly url?: string }>;
}

/** Keeps the literal types of the settings, so that `config.x` is typed inside `start`. */
export function defineRole<const S extends Settings>(role: Role<S>): Role<S> {
  return role;
}
