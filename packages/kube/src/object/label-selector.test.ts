import { describe, expect, it } from 'vitest';
import { formatSelector, matchesSelector, SelectorError, selectorOf } from './label-selector.ts';
import { objectKey, parseObjectKey } from './resource-ref.ts';
import { parseSelector } from './selector-text.ts';

describe('label selectors', () => {
  it.each([
    ['a=b', { a: 'b' }, true],
    ['a==b', { a: 'c' }, false],
    ['a!=b', {}, true],
    ['a in (b, c)', { a: 'c' }, true],
    ['a notin (b,c)', { a: 'c' }, false],
    ['a', { a: '' }, true],
    ['!a', { a: '' }, false],
    ['a=b,c', { a: 'b', c: '1' }, true],
    ['x.io/a in (b),!c', { 'x.io/a': 'b' }, true],
    ['n>3', { n: '4' }, true],
    ['', {}, true],
  ])('%s on %j is %s', (text, labels, expected) => {
    expect(matchesSelector(parseSelector(text), labels as Record<string, string>)).toBe(expected);
    expect(parseSelector(formatSelector(parseSelector(text)))).toEqual(parseSelector(text));
  });

  it('refuses what it cannot read', () => {
    expect(() => parseSelector('a in b')).toThrow(SelectorError);
  });

  it('reads the object form', () => {
    const selector = selectorOf({ matchLabels: { a: 'b' }, matchExpressions: [{ key: 'c', operator: 'Exists' }] });
    expect(formatSelector(selector)).toBe('a=b,c');
  });
});

describe('object keys', () => {
  it('name an object without its version, and read back', () => {
    const object = { apiVersion: 'apps/v1', kind: 'Deployment', metadata: { name: 'web', namespace: 'demo' } };
    expect(objectKey(object)).toBe('apps/Deployment/demo/web');
    expect(parseObjectKey('apps/Deployment/demo/web')).toEqual({
      group: 'apps',
      kind: 'Deployment',
      namespace: 'demo',
      name: 'web',
    });
    expect(objectKey({ apiVersion: 'v1', kind: 'Node', metadata: { name: 'n' } })).toBe('/Node//n');
  });
});
