// What components of this runtime write, where they write into files of one folder (one a role). They write no secret values;
// what looks like one is replaced all the same before it leaves.
import { join } from 'node:path';
import { type Clock, FairleadError } from '@fairlead/base';
import type { ComponentLogLine, RuntimeComponent } from '@fairlead/contracts';
import type { Redactor } from '../application-reporter/index.ts';
import { linesOf } from './log-file.ts';

interface LogsOptions {
  /** Undefined: they write elsewhere. */
  readonly dir: string | undefined;
  readonly clock: Clock;
}

interface Wanted {
  readonly component: RuntimeComponent;
  readonly tail: number;
  readonly follow: boolean;
  readonly redactor: Redactor;
  readonly signal: AbortSignal;
}

export class ComponentLogs {
  readonly #options: LogsOptions;

  constructor(options: LogsOptions) {
    this.#options = options;
  }

  async *read({ component, redactor, ...wanted }: Wanted): AsyncGenerator<ComponentLogLine, void, undefined> {
    const { dir, clock } = this.#options;
    if (dir === undefined) {
      const message = `the components of this runtime write their logs into their cluster: kubectl -n fairlead logs deploy/${component}`;
      throw new FairleadError('not_found', message);
    }
    try {
      for await (const line of linesOf(join(dir, `${component}.log`), { ...wanted, clock })) {
        yield { ...markOf(line), line: redactor.text(line) };
      }
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
      throw new FairleadError('not_found', `component ${component} has written nothing in this runtime`);
    }
  }
}

/** Of the logger's own JSON, without parsing all of it. */
const markOf = (line: string): Omit<ComponentLogLine, 'line'> => ({
  time: /"time":"([^"]{1,40})"/.exec(line)?.[1] ?? '',
  level: /^\{"level":"(\w{1,10})"/.exec(line)?.[1] ?? '',
});
