// Repositories that mean harm. Each is refused or bounded with a message that says what and where, nothing of the host
// appears in it, and the same renderer serves a healthy neighbour right after.
import type { ApplicationSource } from '@fairlead/contracts';
import { RenderError, Renderer } from '@fairlead/render';
import { describe, expect, it } from 'vitest';
import { treeOf } from './read-sets.ts';

interface Hostile {
  readonly name: string;
  readonly files: Readonly<Record<string, string>>;
  readonly source?: Readonly<Record<string, unknown>>;
  /** What the refusal says; undefined when the input is harmless here and must just render. */
  readonly refusal?: RegExp;
}

const object = 'apiVersion: v1\nkind: ConfigMap\nmetadata: {name: x}\n';
const chart = { 'app/Chart.yaml': 'apiVersion: v2\nname: c\nversion: 1.0.0\n' };
const template = (text: string) => ({ ...chart, 'app/templates/x.yaml': text });
const values = (...valueFiles: string[]) => ({ helm: { valueFiles } });
const laughs = [
  'a: &a [x,x,x,x,x,x,x,x,x,x]',
  ...[...'bcdefghij'].map((key, i) => {
    const below = 'abcdefghij'[i] ?? 'a';
    return `${key}: &${key} [${Array.from({ length: 10 }, () => `*${below}`).join(',')}]`;
  }),
].join('\n');

const helm: Hostile[] = [
  {
    name: 'values file out of the repository',
    files: chart,
    source: values('../../../../etc/passwd'),
    refusal: /leads out of the repository/,
  },
  { name: 'absolute values file', files: chart, source: values('/proc/self/environ'), refusal: /does not exist/ },
  {
    name: 'values file by scheme',
    files: chart,
    source: values('file:///etc/passwd'),
    refusal: /by URL are not supported/,
  },
  {
    name: 'values file from metadata service',
    files: chart,
    source: values('https://169.254.169.254/latest'),
    refusal: /by URL/,
  },
  {
    name: 'encoded dots are a name like any other',
    files: chart,
    source: values('..%2f..%2fetc/passwd'),
    refusal: /does not exist/,
  },
  {
    name: 'file parameter out',
    files: chart,
    source: { helm: { fileParameters: [{ name: 'a', path: '../../token' }] } },
    refusal: /leads out/,
  },
  { name: 'Files.Get out of the chart', files: template(`${object}data: {a: "{{ .Files.Get "../../secret" }}"}\n`) },
  {
    name: 'dependency beside the repository',
    files: {
      'app/Chart.yaml':
        'apiVersion: v2\nname: c\nversion: 1.0.0\ndependencies: [{name: d, version: 1.0.0, repository: "file://../../other"}]\n',
    },
    refusal: /leads out of the repository/,
  },
  {
    name: 'endless include',
    files: template('{{ define "a" }}{{ include "a" . }}{{ end }}{{ include "a" . }}'),
    refusal: /nest|deep|reference name/,
  },
  {
    name: 'endless tpl',
    files: { ...template('{{ tpl .Values.t . }}'), 'app/values.yaml': 't: "{{ tpl .Values.t . }}"\n' },
    refusal: /nest|deep|exceed/,
  },
  {
    name: 'endless template call',
    files: template('{{ define "a" }}{{ template "a" . }}{{ end }}{{ template "a" . }}'),
    refusal: /nest|depth|deep/,
  },
  { name: 'a billion iterations', files: template('{{ range until 1000000000 }}x{{ end }}'), refusal: /limit|exceed/ },
  { name: 'a gigabyte by repeat', files: template('a: {{ repeat 1000000000 "x" }}'), refusal: /limit|exceed/ },
  { name: 'host names', files: template('a: {{ getHostByName "example.com" }}'), refusal: /getHostByName/ },
  { name: 'environment', files: template('a: {{ env "PATH" }}'), refusal: /function "env" not defined/ },
  {
    name: 'catastrophic pattern is linear here',
    files: template(`${object}data: {a: "{{ regexMatch "^(a+)+$" (repeat 40 "a" | printf "%sb") }}"}\n`),
  },
  {
    name: 'remote schema',
    files: { ...template(object), 'app/values.schema.json': '{"$ref": "http://169.254.169.254/x"}' },
    refusal: /schema/i,
  },
  {
    name: 'index of a parameter',
    files: template(object),
    source: { helm: { parameters: [{ name: 'a[999999999]', value: 'x' }] } },
    refusal: /index|large|limit|exceed/i,
  },
  {
    name: 'prototype in values',
    files: {
      ...template(`${object}data: {a: "{{ .Values.polluted }}"}\n`),
      'app/values.yaml': '__proto__: {polluted: yes}\nconstructor: {prototype: {polluted: yes}}\n',
    },
  },
];

const plain: Hostile[] = [
  {
    name: 'link to a file of the host',
    files: { 'app/x.yaml': 'link:/etc/passwd' },
    refusal: /out-of-bounds|passed over|not an object/,
  },
  { name: 'billion laughs', files: { 'app/x.yaml': `${object}${laughs}\n` }, refusal: /holds more than|alias/ },
  {
    name: 'cyclic anchor',
    files: { 'app/x.yaml': `${object}data: &a {b: *a}\n` },
    refusal: /alias|anchor|recurs|unidentified|holds more/i,
  },
  {
    name: 'deep brackets',
    files: { 'app/x.yaml': `${object}data: ${'['.repeat(100_000)}` },
    refusal: /nesting|depth|deep/i,
  },
  {
    name: 'deep JSON',
    files: {
      'app/x.json': `{"apiVersion":"v1","kind":"ConfigMap","metadata":{"name":"x"},"data":${'['.repeat(200_000)}`,
    },
    refusal: /x\.json/,
  },
  {
    name: 'ten megabytes and more',
    files: { 'app/x.yaml': `${object}data: {a: "${'x'.repeat(11 * 1024 * 1024)}"}\n` },
    refusal: /exceed/,
  },
  {
    name: 'tag of another language',
    files: { 'app/x.yaml': `${object}data: {a: !!js/function "x"}\n` },
    refusal: /tag/,
  },
  {
    name: 'path that leaves and comes back',
    files: { 'app/x.yaml': object },
    source: { path: 'app/../../repo/app' },
    refusal: /leads out of the repository/,
  },
  { name: 'path like an option', files: { '--help/x.yaml': object }, source: { path: '--help' } },
  {
    name: 'object without kind',
    files: { 'app/x.yaml': 'apiVersion: v1\nkind: {}\nmetadata: []\n' },
    refusal: /has no "kind"/,
  },
];

const kustomize: Hostile[] = [
  {
    name: 'resource of another tenant',
    files: { 'app/kustomization.yaml': 'resources: [../../other]\n' },
    refusal: /leads out|does not exist/,
  },
  {
    name: 'remote base',
    files: { 'app/kustomization.yaml': 'resources: ["https://github.com/evil/x?ref=main"]\n' },
    refusal: /remote resource .* is not on the list/,
  },
  {
    name: 'base by ssh',
    files: { 'app/kustomization.yaml': 'resources: ["git@host:evil"]\n' },
    refusal: /remote resource/,
  },
  {
    name: 'program as generator',
    files: { 'app/kustomization.yaml': 'generators: [x.yaml]\n', 'app/x.yaml': object },
    refusal: /generator ConfigMap \(v1\) is not supported/,
  },
  { name: 'itself', files: { 'app/kustomization.yaml': 'resources: [../app]\n' }, refusal: /cycle detected/ },
  {
    name: 'secret of the host',
    files: { 'app/kustomization.yaml': 'configMapGenerator: [{name: x, files: ["x=../../token"]}]\n' },
    refusal: /leads out|security/,
  },
  {
    name: 'environment of the host',
    files: { 'app/kustomization.yaml': 'configMapGenerator: [{name: x, envs: [/proc/self/environ]}]\n' },
    refusal: /absolute/,
  },
];

describe.each([
  ['Helm', helm],
  ['plain manifests', plain],
  ['Kustomize', kustomize],
])('hostile %s', (_tool, cases) => {
  it.each(cases.map((one) => [one.name, one] as const))(
    '%s',
    { timeout: 120_000 },
    async (_name, { files, source, refusal }) => {
      const renderer = new Renderer();
      const at = (path: string, extra: object = {}) => {
        const all = new Map(Object.entries({ ...files, 'healthy/x.yaml': object }));
        const given = { repoURL: 'https://example.com/r.git', path, ...extra } as ApplicationSource; // hostile on purpose
        return renderer.render({ tree: treeOf(all), source: given });
      };
      if (refusal) {
        const error = await at('app', source).then(
          () => undefined,
          (thrown: unknown) => thrown,
        );
        expect(error).toBeInstanceOf(RenderError);
        expect(String(error)).toMatch(refusal);
        expect(String(error)).not.toMatch(/root:x:|\bat .*\.(?:ts|js):/);
      } else expect((await at('app', source)).manifests).toHaveLength(1);
      expect((await at('healthy')).manifests).toHaveLength(1);
      expect(Object.hasOwn(Object.prototype, 'polluted')).toBe(false);
    },
  );
});
