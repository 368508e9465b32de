import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createMergePatch, createThreeWayJsonMergePatch, jsonMergePatch } from './json-merge-patch.ts';

/** JSON without nulls, which a merge patch cannot express as values. */
const json = fc.letrec((tie) => ({
  value: fc.oneof({ maxDepth: 4 }, fc.string(), fc.integer(), fc.boolean(), tie('list'), tie('record')),
  list: fc.array(tie('value'), { maxLength: 4 }),
  record: fc.dictionary(fc.string({ maxLength: 3 }), tie('value'), { maxKeys: 5 }),
}));

describe('JSON merge patch', () => {
  it.each([
    [{ a: 'b' }, { a: 'c' }, { a: 'c' }],
    [{ a: 'b' }, { a: null }, {}],
    [{ a: ['b'] }, { a: 'c' }, { a: 'c' }],
    [{ a: { b: 'c' } }, { a: { b: 'd', c: null } }, { a: { b: 'd' } }],
    [{ a: [1, 2] }, { a: [3] }, { a: [3] }],
    ['text', { a: { b: null } }, { a: {} }],
  ])('applies RFC 7386 example %j + %j', (target, patch, expected) => {
    expect(jsonMergePatch(target, patch)).toEqual(expected);
  });

  it('turns any value into any other by the patch made for the pair', () => {
    fc.assert(
      fc.property(json.record, json.record, (from, to) => {
        expect(jsonMergePatch(from, createMergePatch(from, to))).toEqual(to);
      }),
    );
  });

  it('makes an empty patch for equal values', () => {
    fc.assert(
      fc.property(json.record, (value) => {
        expect(createMergePatch(value, structuredClone(value))).toEqual({});
      }),
    );
  });

  it('keeps a member called __proto__ as data', () => {
    const patched = jsonMergePatch({}, JSON.parse('{"__proto__":{"polluted":true}}')) as object;
    expect(Object.keys(patched)).toEqual(['__proto__']);
    expect(({} as { polluted?: boolean }).polluted).toBeUndefined();
  });
});

describe('three-way JSON merge patch', () => {
  it('deletes what was applied before and is no longer wanted, and leaves what others have set', () => {
    const patch = createThreeWayJsonMergePatch({
      original: { spec: { a: 1, b: 2 } },
      modified: { spec: { a: 1 } },
      current: { spec: { a: 1, b: 2, other: 3 }, status: {} },
    });
    expect(patch).toEqual({ spec: { b: null } });
  });

  it('brings every wanted member to its wanted value', () => {
    fc.assert(
      fc.property(json.record, json.record, json.record, (original, modified, current) => {
        const result = jsonMergePatch(current, createThreeWayJsonMergePatch({ original, modified, current }));
        expect(createThreeWayJsonMergePatch({ original: modified, modified, current: result })).toEqual({});
      }),
    );
  });
});
