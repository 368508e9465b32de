import { describe, expect, it } from 'vitest';
import { planProcesses } from './processes.ts';

describe('planProcesses', () => {
  it('needs two processes beside the supervisor', () => {
    expect(planProcesses({ split: false, empty: false }).map(({ name }) => name)).toEqual(['platform', 'runtime']);
  });

  it('runs the same roles, one each, when split', () => {
    const together = planProcesses({ split: false, empty: false }).flatMap(({ roles }) => roles);
    const split = planProcesses({ split: true, empty: false });
    expect(split.map(({ roles }) => roles)).toEqual(together.map((role) => [role]));
  });

  it('has no runtime when empty', () => {
    const roles = planProcesses({ split: false, empty: true }).flatMap((plan) => plan.roles);
    expect(roles).toEqual(['platform', 'cluster', 'git-server']);
  });
});
