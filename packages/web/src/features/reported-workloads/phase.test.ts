import { expect, it } from 'vitest';
import { healthOfPhase, isKept } from './phase.ts';

it('shows the phases of every kind of workload as a health, and unknown words as not known', () => {
  expect(['Paused', 'Running', 'Successful', 'Failed', 'Error', '', 'constructor'].map(healthOfPhase)).toEqual([
    'Suspended',
    'Progressing',
    'Healthy',
    'Degraded',
    'Degraded',
    'Unknown',
    'Unknown',
  ]);
});

it('tells ReplicaSets that are only kept from those that run', () => {
  expect(isKept({ kind: 'ReplicaSet', replicas: { desired: 0, ready: 0 } })).toBe(true);
  expect(isKept({ kind: 'ReplicaSet', replicas: { desired: 0, ready: 1 } })).toBe(false);
  expect(isKept({ kind: 'Rollout', replicas: { desired: 0, ready: 0 } })).toBe(false);
});
