import { type HealthCode, healthCodes } from '@fairlead/contracts';

export interface Health {
  readonly status: HealthCode;
  readonly message?: string;
}

export const healthy: Health = { status: 'Healthy' };

export function health(status: HealthCode, message?: string): Health {
  return message ? { status, message } : { status };
}

/** Positive when `a` is worse than `b`, in Argo CD's order. */
export function compareHealth(a: HealthCode, b: HealthCode): number {
  return healthCodes.indexOf(a) - healthCodes.indexOf(b);
}
