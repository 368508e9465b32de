import { describe, expect, it } from 'vitest';
import { render } from '../renderer.ts';
import { MemoryTree } from '../testing.ts';

const chart = (files: Record<string, string>): Record<string, string> => ({
  'Chart.yaml': 'apiVersion: v2\nname: app\nversion: 1.0.0\n',
  ...files,
});

const configMap = (data: string): string =>
  `apiVersion: v1\nkind: ConfigMap\nmetadata: {name: c}\ndata: {a: ${data}}\n`;

const renderWith = (files: Record<string, string>, helm: Record<string, unknown> = {}) => {
  const source = { repoURL: 'https://example.com/r.git', path: '', helm };
  return render({ tree: new MemoryTree(files), source, target: { releaseName: 'rel' } });
};

describe('Helm charts', () => {
  it('names every file of the chart as an input', async () => {
    const { inputs, sourceType } = await renderWith(
      chart({ 'templates/c.yaml': configMap('x'), 'values.yaml': 'a: 1\n' }),
    );
    expect(sourceType).toBe('Helm');
    expect(inputs.blobs.map(({ path }) => path)).toEqual(['Chart.yaml', 'templates/c.yaml', 'values.yaml']);
  });

  it('says which functions made a render not reproducible', async () => {
    const { warnings } = await renderWith(chart({ 'templates/c.yaml': configMap('{{ randAlpha 5 }}-{{ now.Year }}') }));
    expect(warnings).toEqual(['not reproducible: templates used now, randAlpha']);
  });

  it.each([
    ['values files outside the repository', { valueFiles: ['../../etc/passwd'] }, /out of the repository/],
    ['values files by URL', { valueFiles: ['https://example.com/v.yaml'] }, /by URL are not supported/],
    [
      'file parameters outside the repository',
      { fileParameters: [{ name: 'x', path: '../../t' }] },
      /out of the repository/,
    ],
    ['an index beyond the limit', { parameters: [{ name: 'a[99999999]', value: 'x' }] }, /maximum supported index/],
    [
      'names nested beyond the limit',
      { parameters: [{ name: 'a.'.repeat(5000), value: 'x' }] },
      /maximum supported nested level/,
    ],
  ])('refuses %s', async (_name, helm, message) => {
    await expect(renderWith(chart({ 'templates/c.yaml': configMap('x') }), helm)).rejects.toThrow(message);
  });

  it.each([
    ['a loop without end', '{{ range untilStep 0 2000000000 1 }}x{{ end }}', /exceeds the limit/],
    ['text without end', '{{ repeat 1000000000 "x" }}', /exceeds the limit/],
    [
      'an include that includes itself',
      '{{ include "r" . }}{{ define "r" }}{{ include "r" . }}{{ end }}',
      /nested reference name|nesting exceeds/,
    ],
    [
      'a template that calls itself',
      '{{ template "r" . }}{{ define "r" }}{{ template "r" . }}{{ end }}',
      /maximum template depth|nesting exceeds/,
    ],
    ['nested loops', '{{ range until 10000 }}{{ range until 10000 }}x{{ end }}{{ end }}', /limit of template/],
    ['the network', '{{ getHostByName "example.com" }}', /no network/],
    ['host objects', '{{ .Values.constructor.constructor }}', /nil pointer evaluating/],
  ])('stops %s', async (_name, template, message) => {
    await expect(renderWith(chart({ 'templates/c.yaml': configMap(template) }))).rejects.toThrow(message);
  });

  it.each(['..', 'a/b', ''])('refuses a chart named %j', async (name) => {
    const files = { 'Chart.yaml': `apiVersion: v2\nname: ${JSON.stringify(name)}\nversion: 1.0.0\n` };
    await expect(renderWith(files)).rejects.toThrow(/chart.metadata.name/);
  });

  it('keeps a prototype of the host out of reach of values', async () => {
    await renderWith(
      chart({
        'values.yaml': '__proto__: {polluted: yes}\n',
        'templates/c.yaml': configMap('{{ toJson .Values | quote }}'),
      }),
    );
    expect(({} as Record<string, unknown>)['polluted']).toBeUndefined();
  });

  it('words what a schema refuses as Helm 3.17 does', async () => {
    const schema = {
      required: ['need'],
      additionalProperties: false,
      properties: {
        t1: { type: 'string' },
        t2: { type: ['string', 'null'] },
        e: { enum: ['a', 1, null] },
        max: { maximum: 3 },
        ml: { minLength: 3 },
        p: { pattern: '^a' },
        u: { uniqueItems: true },
        c: { const: 'z' },
        all: { allOf: [{ type: 'string' }] },
        not: { not: { type: 'integer' } },
        if: { if: { type: 'integer' }, else: {}, ...JSON.parse('{"then": {"minimum": 10}}') },
        ip: { format: 'ipv4' },
        nest: { properties: { deep: { items: { properties: { v: { type: 'boolean' } } } } } },
      },
    };
    const valuesObject = {
      ...{
        t1: 1,
        t2: 1.5,
        e: 'q',
        max: 9,
        ml: 'a',
        p: 'b',
        u: [1, 1],
        c: 'w',
        all: 1,
        not: 1,
        if: 5,
        ip: 'x',
        extra: 1,
      },
      nest: { deep: [{ v: 1 }] },
    };
    const files = chart({ 'values.schema.json': JSON.stringify(schema), 'templates/c.yaml': configMap('x') });
    const refused = await renderWith(files, { valuesObject }).catch((error: unknown) => error);
    const lines = String(refused instanceof Error ? refused.message : refused)
      .split('\n- ')
      .slice(1);
    expect(lines.map((line) => line.trim()).sort()).toEqual([
      '(root): Additional property extra is not allowed',
      '(root): need is required',
      'all: Invalid type. Expected: string, given: integer',
      'all: Must validate all the schemas (allOf)',
      'c: c does not match: "z"',
      'e: e must be one of the following: "a", 1, null',
      'if: Must be greater than or equal to 10',
      'if: Must validate "then" as "if" was valid',
      "ip: Does not match format 'ipv4'",
      'max: Must be less than or equal to 3',
      'ml: String length must be greater than or equal to 3',
      'nest.deep.0.v: Invalid type. Expected: boolean, given: integer',
      'not: Must not validate the schema (not)',
      "p: Does not match pattern '^a'",
      't1: Invalid type. Expected: string, given: integer',
      't2: Invalid type. Expected: [string,null], given: number',
      'u: array items[0,1] must be unique',
    ]);
  });
});
