// What people are told on an Application that cannot be looked at: conditions, written only when they change.
import { type Clock, errorMessage, type Logger, toKubeTime } from '@fairlead/base';
import { type Application, type ApplicationCondition, refreshAnnotation } from '@fairlead/contracts';
import type { ApplicationStore } from './application-store.ts';
import { invalidStatus, isSameStatus, withConditions } from './status.ts';

interface ConditionsDeps {
  readonly store: ApplicationStore;
  readonly clock: Clock;
  readonly log: Logger;
}

export type Problem = Pick<ApplicationCondition, 'type' | 'message'>;

export const withoutRefresh = { metadata: { annotations: { [refreshAnnotation]: null } } };

export class Conditions {
  readonly #deps: ConditionsDeps;

  constructor(deps: ConditionsDeps) {
    this.#deps = deps;
  }

  /** What went wrong outside source and sync is shown to people too; the worker tries again with back-off. */
  async tell(application: Application, error: unknown, signal: AbortSignal): Promise<void> {
    const type = application.metadata.deletionTimestamp ? 'DeletionError' : 'UnknownError';
    await this.add(application, [{ type, message: errorMessage(error) }], signal);
  }

  async add(application: Application, conditions: readonly Problem[], signal: AbortSignal): Promise<void> {
    const { store, clock, log } = this.#deps;
    const current = store.get(application.metadata.name) ?? application;
    const status = withConditions(current.status ?? {}, conditions, toKubeTime(clock.now()));
    if (isSameStatus(current.status, status)) return;
    await store.write(current, { status, signal }).catch((cause: unknown) => {
      log.warn({ name: application.metadata.name, error: errorMessage(cause) }, 'a condition could not be written');
    });
  }

  /** The Application is not looked at until somebody mends it. */
  async refuse(application: Application, problems: readonly Problem[], signal: AbortSignal): Promise<undefined> {
    const { store, clock } = this.#deps;
    const status = invalidStatus(application, problems, toKubeTime(clock.now()));
    const isAsked = application.metadata.annotations?.[refreshAnnotation] !== undefined;
    if (isAsked || !isSameStatus(application.status, status)) {
      await store.write(application, { status, fields: isAsked ? withoutRefresh : undefined, signal });
    }
    return undefined;
  }
}
