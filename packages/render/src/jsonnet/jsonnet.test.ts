import { describe, expect, it } from 'vitest';
import { render } from '../renderer.ts';
import { MemoryTree } from '../testing.ts';

const configMap = (name: string, data: string) =>
  `{ apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: '${name}' }, data: ${data} }`;

const renderFiles = (files: Record<string, string>, directory: Record<string, unknown> = {}) => {
  const source = { repoURL: 'u', path: 'app', directory };
  return render({ tree: new MemoryTree(files), source });
};

const dataOf = async (expression: string) => {
  const file = `local it = ${expression}; ${configMap('x', '{ v: std.toString(it) }')}`;
  const { manifests } = await renderFiles({ 'app/x.jsonnet': file });
  return { v: '', ...(manifests[0]?.['data'] as object) }.v; // the map written above
};

describe('Jsonnet', () => {
  it('gives one object, many, or the items of a list', async () => {
    const list = `{ apiVersion: 'v1', kind: 'List', items: [${configMap('c', '{}')}, ${configMap('d', '{}')}] }`;
    const { manifests } = await renderFiles({
      'app/a.jsonnet': configMap('a', '{}'),
      'app/b.jsonnet': `[${configMap('b', '{}')}, ${list}]`,
      'app/ignored.libsonnet': 'error "not a source of its own"',
    });
    expect(manifests.map(({ metadata }) => metadata.name)).toEqual(['a', 'b', 'c', 'd']);
  });

  it('names every file that it might import as an input, and where one was looked for in vain', async () => {
    const { manifests, inputs } = await renderFiles(
      {
        'app/a.jsonnet': `local p = import 'params.libsonnet'; ${configMap('a', '{ v: p.v, t: importstr "t.txt" }')}`,
        'app/params.libsonnet': `{ v: (import 'lib.libsonnet').v }`,
        'app/t.txt': 'text',
        'vendor/lib.libsonnet': `{ v: 'from lib' }`,
      },
      { jsonnet: { libs: ['vendor'] } },
    );
    expect(manifests[0]?.['data']).toEqual({ v: 'from lib', t: 'text' });
    expect(inputs.blobs.map(({ path }) => path)).toEqual([
      'app/a.jsonnet',
      'app/params.libsonnet',
      'app/t.txt',
      'vendor/lib.libsonnet',
    ]);
    expect(inputs.absences).toContain('app/lib.libsonnet');
  });

  it('binds external variables and top-level arguments, as text and as code', async () => {
    const file = `function(name, replicas=1) ${configMap('x', '{ n: name, r: std.toString(replicas + 1), e: std.extVar("env"), c: std.toString(std.extVar("list")) }')}`;
    const jsonnet = {
      extVars: [
        { name: 'env', value: 'prod' },
        { name: 'list', value: '[1, 2] + [3]', code: true },
      ],
      tlas: [
        { name: 'name', value: '1' },
        { name: 'replicas', value: '2', code: true },
      ],
    };
    const { manifests } = await renderFiles({ 'app/x.jsonnet': file }, { jsonnet });
    expect(manifests[0]?.['data']).toEqual({ n: '1', r: '3', e: 'prod', c: '[1, 2, 3]' });
  });

  it.each([
    ['{ a: 1, b: self.a + 1 } + { a: 5 }', '{"a": 5, "b": 6}'],
    ['{ a: { x: 1 } } + { a+: { y: super.x } }', '{"a": {"x": 1, "y": 1}}'],
    ['{ local n = 2, a: n, b:: 3, c: $.b, assert self.a == 2 : "no" }', '{"a": 2, "c": 3}'],
    ['{ [k]: k + "!" for k in ["a", "b"] if k != "a" }', '{"b": "b!"}'],
    ['[x * y for x in [1, 2] for y in [3, 4]][1:]', '[4, 6, 8]'],
    ['local f(x, y=x * 2) = x + y; [f(1), f(1, y=1)]', '[3, 2]'],
    ['std.sort(std.objectFields({ b: 1, a: 2, c:: 3 }))', '["a", "b"]'],
    ['"%05.1f|%-4s|%x|%(k)s" % { k: 1 }', 'error'],
    ['std.format("%05.1f|%-4s|%x", [3.14159, "ab", 255])', '003.1|ab  |ff'],
    ['"%(a)s-%(b)03d" % { a: "x", b: 7 }', 'x-007'],
    [
      'std.manifestYamlDoc({ a: [1, { b: "x\\ny\\n" }], c: {} }, quote_keys=false)',
      'a:\n- 1\n- b: |\n    x\n    y\nc: {}',
    ],
    ['0.1 + 0.2', '0.30000000000000004'],
    ['[1e21, 1e-7, -0.5, 1 / 3]', '[1000000000000000000000, 9.9999999999999995e-08, -0.5, 0.33333333333333331]'],
    ['if false then 1', 'null'],
    ['std.foldl(function(a, b) a + b, std.range(1, 100), 0)', '5050'],
    ['|||\n  a\n    b\n|||', 'a\n  b\n'],
    ['{ a:: 1 } + { a: 2 } == {}', 'true'],
    ['std.mergePatch({ a: 1, b: { c: 1, d: 2 } }, { a: null, b: { c: 9 } })', '{"b": {"c": 9, "d": 2}}'],
  ])('%s is %s', async (expression, expected) => {
    if (expected === 'error') await expect(dataOf(expression)).rejects.toThrow();
    else expect(await dataOf(expression)).toBe(expected);
  });

  it.each([
    ['files outside the repository', `import '../../../etc/passwd'`, /out of the repository/],
    ['absolute imports', `import '/etc/passwd'`, /absolute paths are not allowed/],
    [
      'a file that is not there',
      `import 'none.libsonnet'`,
      /app\/x\.jsonnet:1:1: couldn't open import "none.libsonnet"/,
    ],
    ['calls without end', 'local f(x) = f(x) + 1; f(1)', /max stack frames exceeded/],
    ['a value that needs itself', 'local a = a; a', /infinite recursion/],
    ['a file that imports itself', `import 'x.jsonnet'`, /infinite recursion/],
    ['arrays without bound', 'std.range(1, 1e12)', /exceeds the limit/],
    ['text without bound', 'std.repeat("x", 1e12)', /exceeds the limit/],
    [
      'steps without bound',
      'std.length([x for a in std.range(1, 1e4) for b in std.range(1, 1e4) for x in [1]])',
      /steps/,
    ],
    ['a function as a manifest', 'function(x) x', /missing argument: x/],
    ['broken syntax', '{ a: }', /app\/x\.jsonnet:1:6: unexpected: }/],
    ['errors of the program', 'error "why"', /app\/x\.jsonnet:1:1: why/],
  ])('stops %s', { timeout: 60_000 }, async (_name, text, message) => {
    await expect(renderFiles({ 'app/x.jsonnet': text })).rejects.toThrow(message);
  });

  it('keeps a prototype of the host out of reach', async () => {
    const { manifests } = await renderFiles({
      'app/x.jsonnet': configMap(
        'x',
        `{ __proto__: 'a', constructor: std.toString(std.objectHas({}, 'constructor')) }`,
      ),
    });
    expect(Object.entries(manifests[0]?.['data'] ?? {})).toEqual([
      ['__proto__', 'a'],
      ['constructor', 'false'],
    ]);
  });
});
