import type { KubeObject } from '@fairlead/kube';
import { describe, expect, it } from 'vitest';
import { permitsSync, windowProblems, windowsFor } from './index.ts';

const project = (...syncWindows: object[]): KubeObject => ({
  apiVersion: 'argoproj.io/v1alpha1',
  kind: 'AppProject',
  metadata: { name: 'p' },
  spec: { syncWindows },
});
const subject = { application: 'web', namespace: 'prod', server: 'https://x', clusterName: 'east' };
// 2026-01-05 is a Monday.
const at = (time: string) => Date.parse(`2026-01-05T${time}Z`);
const night = { kind: 'deny', schedule: '0 22 * * *', duration: '8h', applications: ['*'] };
const day = { kind: 'allow', schedule: '0 8 * * 1-5', duration: '9h', applications: ['*'] };
const judge = (windows: object[], time: string, isManual = false) =>
  permitsSync(windowsFor(project(...windows), subject), { nowMs: at(time), isManual });

describe('permitsSync', () => {
  it.each<[string, object[], string, boolean, boolean]>([
    ['nothing is set', [], '12:00', false, true],
    ['a deny is active', [night], '23:00', false, false],
    ['a deny from the day before is still active', [night], '05:59', false, false],
    ['a deny is over', [night], '06:01', false, true],
    ['an allow is active', [day], '12:00', false, true],
    ['an allow is not active', [day], '18:00', false, false],
    ['a deny and an allow are active', [day, { ...night, schedule: '0 11 * * *' }], '12:00', false, false],
    ['a person may, in a deny with manualSync', [{ ...night, manualSync: true }], '23:00', true, true],
    ['a person may not, in a deny without', [night], '23:00', true, false],
    ['a person may, outside an allow with manualSync', [{ ...day, manualSync: true }], '18:00', true, true],
    ['it is about other applications', [{ ...night, applications: ['api-*'] }], '23:00', false, true],
    ['it is about the namespace', [{ ...night, applications: [], namespaces: ['pr*'] }], '23:00', false, false],
    ['it is about the cluster by name', [{ ...night, applications: [], clusters: ['east'] }], '23:00', false, false],
    ['all must match with andOperator', [{ ...night, namespaces: ['dev'], andOperator: true }], '23:00', false, true],
    ['times are of their zone', [{ ...night, timeZone: 'America/New_York' }], '23:00', false, true],
  ])('when %s', (_, windows, time, isManual, expected) => {
    expect(judge(windows, time, isManual)).toBe(expected);
  });
});

it('says what is wrong with a window', () => {
  expect(windowProblems(project({ kind: 'maybe', schedule: 'often', duration: 'long' }))).toEqual([
    expect.stringContaining('syncWindows[0].kind: "maybe"; allowed: allow, deny'),
    expect.stringContaining('syncWindows[0].duration'),
    expect.stringContaining('syncWindows[0].schedule: "often"'),
  ]);
  expect(windowProblems(project(night, day))).toEqual([]);
});
