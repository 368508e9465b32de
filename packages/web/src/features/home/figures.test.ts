import type { DeploymentRow } from '@fairlead/contracts';
import { expect, it } from 'vitest';
import { changeWords, figuresOf } from './figures.ts';

const nowMs = Date.parse('2026-11-15T12:00:00Z');
let id = 0;
const deployed = (name: string, startedAt: string, phase: DeploymentRow['phase'] = 'Succeeded'): DeploymentRow => ({
  ...{ id: id++, application: { runtime: 'eu', namespace: 'argocd', name }, revision: 'r', automated: true },
  ...{ images: { from: [], to: [] }, phase, startedAt },
});

it('counts the period that ends today, and the one before it apart', () => {
  const figures = figuresOf(
    [
      deployed('shop', '2026-11-15T11:00:00Z'),
      deployed('shop', '2026-11-09T00:00:00Z', 'Failed'),
      deployed('mail', '2026-11-14T11:00:00Z'),
      deployed('mail', '2026-11-08T23:59:59Z'),
      deployed('mail', '2026-11-01T23:59:59Z'),
    ],
    7,
    nowMs,
  );
  expect(figures.now).toEqual({ total: 3, failed: 1 });
  expect(figures.before).toEqual({ total: 1, failed: 0 });
  expect(figures.days).toContainEqual({ day: '2026-11-09', succeeded: 0, failed: 1, other: 0 });
});

it('names the five most deployed applications, and each once', () => {
  const rows = ['a', 'b', 'c', 'd', 'e', 'f', 'f', 'f', 'c'].map((name) => deployed(name, '2026-11-15T11:00:00Z'));
  const { mostActive } = figuresOf(rows, 7, nowMs);
  expect(mostActive.map(({ id: { name }, total }) => `${name}${total}`)).toEqual(['f3', 'c2', 'a1', 'b1', 'd1']);
});

it('compares with the period before only when there was something in it', () => {
  expect(changeWords(84, 75)).toBe('+12 % to');
  expect(changeWords(8, 10)).toBe('−20 % to');
  expect(changeWords(4, 0)).toBeUndefined();
});
