import type { KubeObject } from '@fairlead/kube/object';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { availableOf, boundsOf, newSetReplicas, replicasOf, rollingSteps, sum } from './replicas.ts';

const deployment = (
  replicas: number,
  maxSurge: number | string = '25%',
  maxUnavailable: number | string = '25%',
): KubeObject => ({
  apiVersion: 'apps/v1',
  kind: 'Deployment',
  metadata: { name: 'd' },
  spec: { replicas, strategy: { type: 'RollingUpdate', rollingUpdate: { maxSurge, maxUnavailable } } },
});
const set = (name: string, replicas: number, available: number): KubeObject => ({
  apiVersion: 'apps/v1',
  kind: 'ReplicaSet',
  metadata: { name },
  spec: { replicas },
  status: { replicas, availableReplicas: available },
});

describe('the bounds of a rolling update', () => {
  it.each([
    [10, '25%', '25%', 3, 2],
    [1, '25%', '25%', 1, 0],
    [4, 0, 0, 0, 1],
    [3, 2, 1, 2, 1],
  ])(
    '%i replicas with %s and %s are %i more and %i fewer',
    (replicas, surge, unavailable, maxSurge, maxUnavailable) => {
      expect(boundsOf(deployment(replicas, surge, unavailable))).toEqual({ maxSurge, maxUnavailable });
    },
  );
});

describe('a rolling update', () => {
  /** Takes steps, lets new pods become available, until nothing moves. */
  function roll(wanted: KubeObject, oldReplicas: number, onStep: (sets: readonly KubeObject[]) => void) {
    let old = set('old', oldReplicas, oldReplicas);
    let next = set('new', newSetReplicas(wanted, { newSet: 0, oldSets: [old] }), 0);
    for (let turn = 0; turn < 500; turn++) {
      const steps = rollingSteps(wanted, { newSet: next, oldSets: [old] });
      for (const { set: changed, replicas } of steps) {
        const available = Math.min(availableOf(changed), replicas);
        if (changed.metadata.name === 'old') old = set('old', replicas, available);
        else next = set('new', replicas, available);
      }
      onStep([old, next]);
      if (steps.length > 0) continue;
      if (availableOf(next) === replicasOf(next)) break;
      next = set('new', replicasOf(next), availableOf(next) + 1);
    }
    return { old: replicasOf(old), next: replicasOf(next) };
  }

  it('always ends with the new pods only, and never leaves its bounds on the way', () => {
    const amount = fc.oneof(
      fc.integer({ min: 0, max: 5 }),
      fc.integer({ min: 0, max: 100 }).map((percent) => `${percent}%`),
    );
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 20 }), amount, amount, (replicas, surge, unavailable) => {
        const wanted = deployment(replicas, surge, unavailable);
        const { maxSurge, maxUnavailable } = boundsOf(wanted);
        const end = roll(wanted, replicas, (sets) => {
          expect(sum(sets, replicasOf)).toBeLessThanOrEqual(replicas + maxSurge);
          expect(sum(sets, availableOf)).toBeGreaterThanOrEqual(replicas - maxUnavailable);
        });
        expect(end).toEqual({ old: 0, next: replicas });
      }),
    );
  });

  it('keeps enough old pods when the new ones never come up', () => {
    const wanted = deployment(4);
    const stuck = set('new', 2, 0);
    expect(rollingSteps(wanted, { newSet: stuck, oldSets: [set('old', 3, 3)] })).toEqual([]);
  });
});
