import { describe, expect, it } from 'vitest';
import {
  ageOf,
  briefCount,
  counted,
  endWords,
  firstLine,
  imageVersion,
  longAge,
  longAgo,
  shortAge,
  shortAgo,
  shortRevision,
  statusWords,
} from './index.ts';

describe('ages', () => {
  it('says just now instead of counting nothing', () => {
    expect([shortAgo(999), longAgo(0)]).toEqual(['just now', 'just now']);
    expect([shortAgo(1000), longAgo(1000)]).toEqual(['1 s ago', '1 second ago']);
  });

  it.each([
    [0, '0 s', '0 seconds'],
    [1_000, '1 s', '1 second'],
    [59_999, '59 s', '59 seconds'],
    [60_000, '1 min', '1 minute'],
    [3_600_000, '1 h', '1 hour'],
    [86_400_000 * 12, '12 d', '12 days'],
  ])('says %i ms as %s', (ageMs, short, long) => {
    expect(shortAge(ageMs)).toBe(short);
    expect(longAge(ageMs)).toBe(long);
  });

  it('is never negative, and absent for what is no date', () => {
    expect(ageOf('2026-01-01T00:00:10Z', Date.parse('2026-01-01T00:00:00Z'))).toBe(0);
    expect(ageOf(undefined, 0)).toBeUndefined();
    expect(ageOf('soon', 0)).toBeUndefined();
  });
});

describe('revisions and images', () => {
  it('cuts commit ids only', () => {
    expect(shortRevision('9f3c1ab0000000000000000000000000000000aa')).toBe('9f3c1ab');
    expect(shortRevision('release-2026-11')).toBe('release-2026-11');
  });

  it.each([
    ['nginx', 'nginx', 'latest'],
    ['registry.acme.dev:5000/shop/api:2.14.0', 'api', '2.14.0'],
    ['ghcr.io/acme/api:2.1@sha256:0123456789ab', 'api', '2.1'],
    ['ghcr.io/acme/api@sha256:0123456789ab', 'api', '0123456'],
  ])('reads %s', (image, name, version) => {
    expect(imageVersion(image)).toEqual({ name, version });
  });

  it('takes the subject of a commit message', () => {
    expect(firstLine('Raise pool size\n\nBecause.')).toBe('Raise pool size');
  });
});

it('says health and sync together, and counts with the right noun', () => {
  expect(statusWords('Degraded', 'OutOfSync')).toBe('degraded, out of sync');
  expect(statusWords('Healthy')).toBe('healthy');
  expect(counted(1, 'resource')).toBe('1 resource');
  expect(counted(10_000, 'resource')).toBe('10,000 resources');
  expect([9999, 10_400].map(briefCount)).toEqual(['9,999', '10K']);
});

it('tells an end by its day and by how far it is', () => {
  const nowMs = Date.parse('2026-11-15T12:00:00Z');
  expect(endWords('2026-11-20T12:00:00Z', nowMs)).toBe('20 Nov 2026, in 5 days');
  expect(endWords('2026-11-15T18:00:00Z', nowMs)).toMatch(/, within a day$/);
  expect(endWords('2026-11-14T12:00:00Z', nowMs)).toBe('14 Nov 2026, over');
  expect(endWords('never', nowMs)).toBe('never');
});
