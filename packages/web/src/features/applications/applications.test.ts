import type { ApplicationRow, RuntimeRow } from '@fairlead/contracts';
import { describe, expect, it } from 'vitest';
import { staleForMs } from '../../api/index.ts';
import { answerOf } from './answer.ts';
import { chosenWords, facetOptions } from './facet-options.ts';

const say = (total: number, byHealth: Record<string, number>, bySync: Record<string, number> = {}) =>
  answerOf({ total, byHealth, bySync })
    .map(({ text }) => text)
    .join('');

describe('the answer line', () => {
  it.each([
    [say(212, { Degraded: 3, Healthy: 209 }, { OutOfSync: 5 }), '3 of 212 are degraded, 5 are out of sync.'],
    [say(10_000, { Degraded: 1, Missing: 2 }), '1 of 10,000 is degraded, 2 are missing.'],
    [say(3, { Healthy: 3 }, { Synced: 3 }), 'All 3 applications are healthy and in sync.'],
    [say(1, { Healthy: 1 }, { Synced: 1 }), 'The one application is healthy and in sync.'],
    [say(3, { Healthy: 2, Progressing: 1 }), '1 of 3 is progressing, the others are fine.'],
    [say(3, { Healthy: 2, Suspended: 1 }), 'All 3 applications are well and in sync; 1 suspended.'],
    [say(0, {}), 'No application is known yet.'],
  ])('%s', (said, expected) => {
    expect(said).toBe(expected);
  });
});

const row = {
  destination: { cluster: 'eu-prod', namespace: 'shop' },
  project: 'default',
  lastHeardAt: '2026-01-01T00:00:00Z',
} as ApplicationRow;
const runtime = { name: 'eu', status: 'connected', lastHeardAt: '2026-01-01T00:01:00Z' } as RuntimeRow;
const at = (seconds: number) => Date.parse('2026-01-01T00:00:00Z') + seconds * 1000;

describe('stale rows', () => {
  it('counts a sign of life of the runtime, not only of the row', () => {
    expect(staleForMs(row, undefined, at(120))).toBe(120_000);
    expect(staleForMs(row, runtime, at(120))).toBeUndefined();
    expect(staleForMs(row, runtime, at(300))).toBe(240_000);
  });

  it('is stale sooner when the tunnel is down too, but not while reports come', () => {
    expect(staleForMs(row, { ...runtime, status: 'offline' }, at(70))).toBeUndefined();
    expect(staleForMs(row, { ...runtime, status: 'offline' }, at(80))).toBe(20_000);
  });
});

describe('facets', () => {
  it('offers what runtimes report, rows show and the URL chose, once each', () => {
    const known = { runtimes: [runtime], rows: [row, row], chosen: ['ap-edge'] };
    expect(facetOptions('cluster', known)).toEqual(['ap-edge', 'eu-prod']);
    expect(facetOptions('runtime', { ...known, chosen: [] })).toEqual(['eu']);
    expect(facetOptions('health', known)).toHaveLength(6);
  });

  it('says what is chosen in few words', () => {
    expect(chosenWords([])).toBe('any');
    expect(chosenWords(['OutOfSync'])).toBe('Out of sync');
    expect(chosenWords(['a', 'b', 'c', 'd'])).toBe('a, b +2');
  });
});
