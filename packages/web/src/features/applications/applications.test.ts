import type { ApplicationFacets, ApplicationRow, ApplicationSummary, RuntimeRow } from '@fairlead/contracts';
import { describe, expect, it } from 'vitest';
import { staleForMs } from '../../api/index.ts';
import { answerOf, checkingWords } from './answer.ts';
import { chosenWords, facetOptions } from './facet-options.ts';
import { rowsAtOnce } from './use-applications.ts';

const said = (summary: ApplicationSummary) =>
  answerOf(summary)
    .map(({ text }) => text)
    .join('');
const say = (total: number, byHealth: Record<string, number>, bySync: Record<string, number> = {}) =>
  said({ total, byHealth, bySync });

describe('the answer line', () => {
  it('says how many repositories are being checked', () => {
    expect(checkingWords(1)).toBe('1 repository is being checked for your rights.');
    expect(checkingWords(3)).toBe('3 repositories are being checked for your rights.');
  });

  it.each([
    [say(212, { Degraded: 3, Healthy: 209 }, { OutOfSync: 5 }), '3 of 212 are degraded, 5 are out of sync.'],
    [say(10_000, { Degraded: 1, Missing: 2 }), '1 of 10,000 is degraded, 2 are missing.'],
    [say(3, { Healthy: 3 }, { Synced: 3 }), 'All 3 applications are healthy and in sync.'],
    [say(1, { Healthy: 1 }, { Synced: 1 }), 'The one application is healthy and in sync.'],
    [say(3, { Healthy: 2, Progressing: 1 }), '1 of 3 is progressing, the others are fine.'],
    [say(3, { Healthy: 2, Suspended: 1 }), 'All 3 applications are well and in sync; 1 suspended.'],
    [say(0, {}), 'No application is known yet.'],
    [said({ total: 0, byHealth: {}, bySync: {}, unseen: 'rules' }), 'You see no application; below is why.'],
  ])('%s', (words, expected) => {
    expect(words).toBe(expected);
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
  const none = { values: [], more: false };
  const facets: ApplicationFacets = {
    ...{
      health: {
        values: [
          { value: 'Healthy', count: 9 },
          { value: 'Degraded', count: 1 },
        ],
        more: false,
      },
      sync: none,
    },
    ...{ runtime: none, cluster: { values: [{ value: 'eu-prod', count: 7 }], more: false }, namespace: none },
    ...{ destinationNamespace: none, project: none, repo: none },
  };

  it('offers what the server counted, and what is chosen though nothing has it any more', () => {
    expect(facetOptions('cluster', facets, ['ap-edge'])).toEqual([
      { value: 'ap-edge', count: undefined },
      { value: 'eu-prod', count: 7 },
    ]);
    expect(facetOptions('label', facets, ['team=a'])).toEqual([{ value: 'team=a', count: undefined }]);
  });

  it('puts what needs people first', () => {
    expect(facetOptions('health', facets, []).map(({ value }) => value)).toEqual(['Degraded', 'Healthy']);
  });

  it('says what is chosen in few words', () => {
    expect(chosenWords([])).toBe('any');
    expect(chosenWords(['OutOfSync'])).toBe('Out of sync');
    expect(chosenWords(['a', 'b', 'c', 'd'])).toBe('a, b +2');
  });
});

describe('rows while the server looks', () => {
  const named = (name: string) => ({ id: { runtime: 'eu', namespace: 'argocd', name } }) as ApplicationRow;
  const rows = ['shop-web', 'shop-api', 'Billing'].map(named);
  const held = ['shop-web', 'parcels'].map(named);
  const found = (search: string) => rowsAtOnce([rows, held], search).map(({ id }) => id.name);

  it('are those before whose names have every word that was typed', () => {
    expect(found('shop')).toEqual(['shop-web', 'shop-api']);
    expect(found(' API  shop')).toEqual(['shop-api']);
    expect(found('bill')).toEqual(['Billing']);
  });

  it('are those held beside them when none on screen fits', () => {
    expect(found('parc')).toEqual(['parcels']);
    expect(found('shop-w')).toEqual(['shop-web']);
  });

  it('are not narrowed when nothing is known to fit', () => {
    expect(found('nowhere')).toEqual([]);
    expect(found('  ')).toEqual([]);
  });
});
