// What components of this runtime write: into files of one folder (one a role), or, without one, what their pods write, as their
// cluster tells it. They write no secret values; what looks like one is replaced all the same before it leaves.
import { join } from 'node:path';
import { type Clock, FairleadError } from '@fairlead/base';
import type { ComponentLogLine, RuntimeComponent } from '@fairlead/contracts';
import type { KubeClient } from '@fairlead/kube';
import type { Redactor } from '../application-reporter/index.ts';
import type { PodPlaces } from './component-pods.ts';
import { linesOf } from './log-file.ts';
import { type PodLine, podLogs } from './pod-logs.ts';

interface LogsOptions extends PodPlaces {
  /** Undefined: they run in pods. */
  readonly dir: string | undefined;
  readonly cluster: () => KubeClient;
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

  async *read({ redactor, ...wanted }: Wanted): AsyncGenerator<ComponentLogLine, void, undefined> {
    for await (const { text, time, pod } of this.#lines(wanted)) {
      const mark = markOf(text);
      yield { ...mark, time: mark.time || time, line: redactor.text(text), ...(pod ? { pod } : {}) };
    }
  }

  async *#lines(wanted: Omit<Wanted, 'redactor'>): AsyncGenerator<PodLine, void, undefined> {
    const { dir, cluster, ...places } = this.#options;
    const { component } = wanted;
    if (dir === undefined) return yield* podLogs(cluster(), { ...wanted, ...places });
    try {
      const { clock } = places;
      for await (const text of linesOf(join(dir, `${component}.log`), { ...wanted, clock })) {
        yield { text, time: '', pod: '' };
      }
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
      // The engine may be an Argo CD of the cluster.
      if (component === 'engine') return yield* podLogs(cluster(), { ...wanted, ...places });
      throw new FairleadError('not_found', `component ${component} has written nothing in this runtime`);
    }
  }
}

/** Of the logger's own JSON, without parsing all of it. */
const markOf = (line: string): Omit<ComponentLogLine, 'line'> => ({
  time: /"time":"([^"]{1,40})"/.exec(line)?.[1] ?? '',
  level: /^\{"level":"(\w{1,10})"/.exec(line)?.[1] ?? '',
});
