// Reading the conditions of a status, which most controllers keep in one form.
import { type KubeObject, listAt, stringAt } from '@fairlead/kube';
import { type Health, health } from './status.ts';

export interface Condition {
  readonly type: string;
  readonly status: string;
  readonly reason: string;
  readonly message: string;
  readonly raw: unknown;
}

export function toConditions(list: readonly unknown[]): Condition[] {
  return list.map((raw) => {
    const text = (field: string) => stringAt(raw, field) ?? '';
    return { type: text('type'), status: text('status'), reason: text('reason'), message: text('message'), raw };
  });
}

export const conditionsOf = (object: KubeObject): Condition[] => toConditions(listAt(object, 'status', 'conditions'));

export const findCondition = (conditions: readonly Condition[], type: string, status?: string): Condition | undefined =>
  conditions.find((condition) => condition.type === type && (status === undefined || condition.status === status));

/** True is Healthy, False is Degraded, anything else (or none) is still to come. */
export function byCondition(type: string, waiting: string): (object: KubeObject) => Health {
  return (object) => {
    const decided = conditionsOf(object).find(
      (condition) => condition.type === type && (condition.status === 'True' || condition.status === 'False'),
    );
    if (!decided) return health('Progressing', waiting);
    return health(decided.status === 'True' ? 'Healthy' : 'Degraded', decided.message);
  };
}
