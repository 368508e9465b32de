import type { Application } from '@fairlead/contracts';
import type { KubeObject } from '@fairlead/kube';
import { describe, expect, it } from 'vitest';
import { planRollout } from './rollout.ts';

const at = (second: number) => `2026-01-01T00:00:0${second}Z`;
const step = (env: string, maxUpdate?: unknown) => ({
  matchExpressions: [{ key: 'env', operator: 'In', values: [env] }],
  ...(maxUpdate === undefined ? {} : { maxUpdate }),
});
const setOf = (steps: readonly object[], applicationStatus: readonly object[] = []): KubeObject => ({
  apiVersion: 'argoproj.io/v1alpha1',
  kind: 'ApplicationSet',
  metadata: { name: 's' },
  spec: { strategy: { type: 'RollingSync', rollingSync: { steps } } },
  status: { applicationStatus },
});
const app = (name: string, env: string, status: object = outdated): Application =>
  ({ metadata: { name, labels: { env } }, spec: {}, status }) as unknown as Application;
const outdated = { sync: { status: 'OutOfSync', revision: 'r2' }, health: { status: 'Healthy' } };
const running = { ...outdated, operationState: { phase: 'Running', startedAt: at(2) } };
const good = {
  sync: { status: 'Synced', revision: 'r2' },
  health: { status: 'Healthy' },
  operationState: { phase: 'Succeeded', startedAt: at(2) },
};
const shown = (set: KubeObject, apps: readonly Application[], now = at(5)) => {
  const { applications, toSync, step: current } = planRollout(set, apps, now);
  return {
    states: Object.fromEntries(applications.map(({ application, status }) => [application, status])),
    toSync,
    current,
  };
};
/** Looks again and again with what the last look has written. */
const again = (steps: readonly object[], before: readonly Application[], after: readonly Application[]) =>
  shown(setOf(steps, planRollout(setOf(steps), before, at(1)).applications), after);

describe('a rolling sync', () => {
  const steps = [step('dev'), step('prod', 1)];

  it('begins with the first step and lets the others wait', () => {
    expect(shown(setOf(steps), [app('d', 'dev'), app('p', 'prod')])).toEqual({
      states: { d: 'Pending', p: 'Waiting' },
      toSync: ['d'],
      current: 1,
    });
  });

  it('asks for each sync once, and goes on when the step is healthy', () => {
    const first = [app('d', 'dev'), app('p', 'prod'), app('q', 'prod')];
    expect(again(steps, first, [app('d', 'dev', running), ...first.slice(1)])).toMatchObject({
      states: { d: 'Progressing', p: 'Waiting' },
      toSync: [],
    });
    const set = setOf(steps, [
      { application: 'd', status: 'Progressing', step: '1', message: '', lastTransitionTime: at(1) },
    ]);
    expect(shown(set, [app('d', 'dev', good), ...first.slice(1)])).toEqual({
      states: { d: 'Healthy', p: 'Pending', q: 'Waiting' },
      toSync: ['p'],
      current: 2,
    });
  });

  it('stays where something is not healthy', () => {
    const set = setOf(steps, [
      { application: 'd', status: 'Progressing', step: '1', message: '', lastTransitionTime: at(1) },
    ]);
    const bad = { ...good, health: { status: 'Degraded' } };
    expect(shown(set, [app('d', 'dev', bad), app('p', 'prod')])).toMatchObject({
      states: { p: 'Waiting' },
      toSync: [],
    });
  });

  it('is over when all are healthy, and begins anew with a change', () => {
    const healthy = { status: 'Healthy', message: '', lastTransitionTime: at(1) };
    const set = setOf(steps, [
      { application: 'd', step: '1', ...healthy },
      { application: 'p', step: '2', ...healthy },
    ]);
    expect(shown(set, [app('d', 'dev', good), app('p', 'prod', good)]).current).toBeUndefined();
    expect(shown(set, [app('d', 'dev'), app('p', 'prod', good)])).toMatchObject({
      states: { d: 'Pending' },
      current: 1,
    });
  });

  it('takes as many at once as the step allows', () => {
    const apps = ['a', 'b', 'c', 'd', 'e'].map((name) => app(name, 'dev'));
    const count = (maxUpdate: unknown) => shown(setOf([step('dev', maxUpdate)]), apps).toSync.length;
    expect(['40%', '1%', '0%', 2, 0, undefined].map(count)).toEqual([2, 1, 0, 2, 0, 5]);
    expect(() => count('many')).toThrow(/maxUpdate/);
  });

  it('leaves alone what no step selects, and what was not compared yet', () => {
    const { applications, toSync } = planRollout(setOf([step('dev')]), [app('x', 'none'), app('n', 'dev', {})], at(1));
    expect(applications).toMatchObject([
      { application: 'x', step: '-1', status: 'Waiting' },
      { application: 'n', step: '1', status: 'Waiting' },
    ]);
    expect(toSync).toEqual([]);
  });
});
