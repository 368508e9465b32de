import type { KubeObject } from '@fairlead/kube';
import { conditionsOf } from '../conditions.ts';
import { type Health, health } from '../status.ts';

/** `faults`: conditions (`type=status`) that degrade it. */
export function kedaHealth(faults: readonly string[], waiting: string): (object: KubeObject) => Health {
  return (object) => {
    const told = conditionsOf(object).flatMap(({ type, status, message }): Required<Health>[] => {
      const state = `${type}=${status}`;
      if (faults.includes(state)) return [{ status: 'Degraded', message }];
      if (state === 'Ready=True') return [{ status: 'Healthy', message }];
      return state === 'Paused=True' ? [{ status: 'Suspended', message }] : [];
    });
    const has = (verdict: Health['status']) => told.some((one) => one.status === verdict);
    const message = told.at(-1)?.message;
    if (has('Degraded')) return health('Degraded', message);
    if (!has('Healthy')) return health('Progressing', waiting);
    return health(has('Suspended') ? 'Suspended' : 'Healthy', message);
  };
}
