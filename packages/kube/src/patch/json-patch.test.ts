import { describe, expect, it } from 'vitest';
import { JsonPatchError, type JsonPatchOperation, jsonPatch } from './json-patch.ts';

describe('JSON patch', () => {
  const cases: [string, unknown, JsonPatchOperation[], unknown][] = [
    ['adds a member', { a: 1 }, [{ op: 'add', path: '/b', value: 2 }], { a: 1, b: 2 }],
    ['inserts into a list', { a: [1, 3] }, [{ op: 'add', path: '/a/1', value: 2 }], { a: [1, 2, 3] }],
    ['appends to a list', { a: [1] }, [{ op: 'add', path: '/a/-', value: 2 }], { a: [1, 2] }],
    ['removes from a list', { a: [1, 2, 3] }, [{ op: 'remove', path: '/a/1' }], { a: [1, 3] }],
    ['replaces the whole', { a: 1 }, [{ op: 'replace', path: '', value: { b: 2 } }], { b: 2 }],
    ['moves', { a: { x: 1 }, b: {} }, [{ op: 'move', from: '/a/x', path: '/b/y' }], { a: {}, b: { y: 1 } }],
    ['copies', { a: [1] }, [{ op: 'copy', from: '/a/0', path: '/a/-' }], { a: [1, 1] }],
    ['reads escapes', { 'a/b': { '~': 1 } }, [{ op: 'replace', path: '/a~1b/~0', value: 2 }], { 'a/b': { '~': 2 } }],
    ['passes a true test', { a: [1] }, [{ op: 'test', path: '/a', value: [1] }], { a: [1] }],
  ];
  it.each(cases)('%s', (_, target, operations, expected) => {
    const before = structuredClone(target);
    expect(jsonPatch(target, operations)).toEqual(expected);
    expect(target).toEqual(before);
  });

  const failures: [string, JsonPatchOperation][] = [
    ['a failing test', { op: 'test', path: '/a', value: 2 }],
    ['removing what is not there', { op: 'remove', path: '/z' }],
    ['replacing what is not there', { op: 'replace', path: '/z', value: 1 }],
    ['adding below nothing', { op: 'add', path: '/z/y', value: 1 }],
    ['an index out of range', { op: 'add', path: '/l/5', value: 1 }],
    ['an index with a leading zero', { op: 'add', path: '/l/00', value: 1 }],
    ['a pointer without a slash', { op: 'add', path: 'a', value: 1 }],
    ['moving into itself', { op: 'move', from: '/o', path: '/o/x' }],
  ];
  it.each(failures)('refuses %s', (_, operation) => {
    expect(() => jsonPatch({ a: 1, l: [1], o: {} }, [operation])).toThrow(JsonPatchError);
  });
});
