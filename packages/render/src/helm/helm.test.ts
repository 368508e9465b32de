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
});
