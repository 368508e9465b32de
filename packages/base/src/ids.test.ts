import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { backoffDelay, canonicalJson, contentHash, fnv1a, isSameJson, newId } from './index.ts';

describe('canonicalJson', () => {
  it('does not depend on the order of members, and reads back as the same value', () => {
    const jsonObject = fc.dictionary(fc.string(), fc.jsonValue());
    fc.assert(
      fc.property(jsonObject, (value) => {
        const reversed = Object.fromEntries(Object.entries(value).reverse());
        expect(canonicalJson(reversed)).toBe(canonicalJson(value));
        expect(JSON.parse(canonicalJson(value))).toEqual(JSON.parse(JSON.stringify(value)));
      }),
    );
  });

  it('leaves undefined members out, like JSON does', () => {
    expect(canonicalJson({ b: 1, a: undefined })).toBe('{"b":1}');
    expect(contentHash({ b: 1, a: undefined })).toBe(contentHash({ b: 1 }));
  });
});

describe('isSameJson', () => {
  it('says what comparing the canonical forms would say', () => {
    const value = fc.letrec((tie) => ({
      any: fc.oneof(
        { depthSize: 'small' },
        fc.constantFrom(null, undefined, 0, -0, 1, '', 'a', true, Number.NaN),
        fc.array(tie('any'), { maxLength: 3 }),
        fc.dictionary(fc.constantFrom('a', 'b', '__proto__'), tie('any'), { maxKeys: 3 }),
      ),
    })).any;
    fc.assert(
      fc.property(value, value, (a, b) => {
        expect(isSameJson(a, b)).toBe(canonicalJson(a) === canonicalJson(b));
        expect(isSameJson(a, structuredClone(a))).toBe(true);
      }),
      { numRuns: 1_000 },
    );
  });
});

describe('fnv1a', () => {
  it('is the published 32-bit FNV-1a', () => {
    expect(fnv1a('')).toBe(0x811c9dc5);
    expect(fnv1a('a')).toBe(0xe40c292c);
    expect(fnv1a('foobar')).toBe(0xbf9cf968);
  });
});

describe('newId', () => {
  it('has its prefix and does not repeat', () => {
    const ids = new Set(Array.from({ length: 1000 }, () => newId('run')));
    expect(ids.size).toBe(1000);
    for (const id of ids) expect(id).toMatch(/^run_[a-z0-9]{20}$/);
  });
});

describe('backoffDelay', () => {
  it('grows to the cap and spreads over all of it', () => {
    const delay = (attempt: number, random: number) =>
      backoffDelay(attempt, { baseMs: 100, maxMs: 1000, random: () => random });
    expect([0, 1, 2, 3, 4, 9].map((attempt) => delay(attempt, 1))).toEqual([100, 200, 400, 800, 1000, 1000]);
    expect(delay(9, 0)).toBe(0);
    expect(delay(9, 0.5)).toBe(500);
  });
});
