import { describe, expect, it } from 'vitest';
import { age, parseFormat, plain, render } from './print.ts';

const items = [
  { name: 'a', note: 'first' },
  { name: 'longer', note: '' },
];
const columns = [
  { title: 'NAME', value: (item: (typeof items)[number]) => item.name },
  { title: 'NOTE', value: (item: (typeof items)[number]) => item.note },
];

describe('render', () => {
  it('prints aligned columns without trailing spaces', () => {
    expect(render('table', { items }, items, columns)).toBe('NAME    NOTE\na       first\nlonger\n');
  });

  it('prints the same value as JSON and as YAML', () => {
    expect(JSON.parse(render('json', { items }, items, columns))).toEqual({ items });
    expect(render('yaml', { items }, items, columns)).toContain('- name: a\n');
  });

  it('refuses a format it does not know', () => {
    expect(() => parseFormat('xml')).toThrow('-o xml: must be one of table, json, yaml');
  });
});

describe('plain', () => {
  it('takes escape sequences out of what others wrote', () => {
    expect(plain('fix \u001b[31mred\u0007\nnext')).toBe('fix  [31mred next');
  });
});

describe('age', () => {
  it('is one number and one unit', () => {
    const now = Date.parse('2026-01-02T00:00:00Z');
    expect(age('2026-01-01T23:59:30Z', now)).toBe('30s');
    expect(age('2025-12-30T00:00:00Z', now)).toBe('3d');
    expect(age(undefined, now)).toBe('');
  });
});
