import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { exec } from '@fairlead/base';
import { WorkingCopy } from '@fairlead/git';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

const program = fileURLToPath(new URL('../../bin/fairlead.mjs', import.meta.url));

const configMap = (name: string, data: string) =>
  `apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: ${name}\ndata:\n  a: ${data}\n`;

const application = (name: string, path: string) => `
apiVersion: argoproj.io/v1alpha1
kind: Application
metadata: {name: ${name}, namespace: argocd}
spec:
  project: default
  source: {repoURL: https://example.com/org/shop.git, path: ${path}}
  destination: {server: https://kubernetes.default.svc, namespace: ${name}}
`;

describe('offline commands', () => {
  let dir: string;
  let copy: WorkingCopy;
  const run = async (...args: string[]) => {
    const result = await exec(process.execPath, [program, ...args], { okExitCodes: [0, 1, 2], timeoutMs: 60_000 });
    return { code: result.exitCode, out: result.stdout.toString('utf8'), err: result.stderr };
  };

  beforeAll(async () => {
    dir = await mkdtemp(join(tmpdir(), 'offline-'));
    copy = await WorkingCopy.init(join(dir, 'shop'));
    await copy.write({
      'apps/one.yaml': application('one', 'one'),
      'apps/two.yaml': application('two', 'two'),
      'one/cm.yaml': configMap('first', 'x'),
      'two/Chart.yaml': 'apiVersion: v2\nname: two\nversion: 1.0.0\n',
      'two/values.yaml': 'shown: plain\n',
      'two/templates/cm.yaml': configMap('{{ .Release.Name }}', '{{ .Values.shown }}'),
    });
    await copy.commit('first');
    await copy.write({ 'one/cm.yaml': configMap('first', '"yes"'), 'one/new.yaml': configMap('second', 'z') });
    await copy.commit('second');
  });
  afterAll(() => rm(dir, { recursive: true, force: true }));

  it('renders a chart of the disk with values given', async () => {
    const { out } = await run('render', join(copy.dir, 'two'), '--name', 'rel', '--set', 'shown=given');
    expect(out).toContain('name: rel');
    expect(out).toContain('a: given');
  });

  it.each([
    ['render', ['render', 'nowhere'], 'nowhere: there is no such folder'],
    ['diff', ['diff', 'nowhere', '.'], 'nowhere: there is no such folder'],
    ['validate', ['validate', '-f', 'nowhere.yaml'], 'nowhere.yaml: cannot be read: there is no such file'],
    ['health', ['health', '-f', '.'], '.: cannot be read: it is a folder; name a file in it'],
    ['audit', ['audit', 'verify', '--file', 'none'], 'none: cannot be read: there is no such file'],
  ])('%s says which place does not exist, and that it was asked wrongly', async (_, args, words) => {
    const { code, err } = await run(...args);
    expect(err).toContain(words);
    expect(code).toBe(2);
  });

  it('plan says which file of applications does not exist', async () => {
    const { code, err } = await run('plan', '--repo', copy.dir, '--from', 'HEAD', '--to', 'HEAD', '--file', 'no.yaml');
    expect(err).toContain('no.yaml: cannot be read: there is no such file');
    expect(code).toBe(2);
  });

  it('renders a folder of a repository at a revision', async () => {
    const { out } = await run('render', '--repo', copy.dir, '--revision', 'HEAD~1', '--path', 'one');
    expect(out).toContain('a: x');
    expect(out).not.toContain('second');
  });

  it('tells which files a render was made of, and where it looked for more', async () => {
    const { out } = await run('render', join(copy.dir, 'one'), '--inputs');
    expect(out).toMatch(/read {3}[0-9a-f]{12} one\/cm\.yaml/);
    expect(out).toContain('absent one/Chart.yaml');
  });

  it('shows what differs from a revision, object by object', async () => {
    const { out, code } = await run('render', join(copy.dir, 'one'), '--against', 'HEAD~1');
    expect(code).toBe(1);
    expect(out).toContain('ConfigMap first: changed');
    expect(out).toContain('-   a: x\n+   a: "yes"');
    expect(out).toContain('ConfigMap second: added');
  });

  it('plans which applications a change moves, and leaves the others unrendered', async () => {
    const args = ['--repo', copy.dir, '--url', 'https://example.com/org/shop', '--from', 'HEAD~1', '--to', 'HEAD'];
    const { out, code } = await run('plan', ...args, '--applications', 'apps', '-o', 'json');
    const { applications, rendered } = JSON.parse(out) as {
      applications: { name: string; change: string; objects: { name: string; change: string }[] }[];
      rendered: number;
    };
    expect(code).toBe(0);
    expect(applications.map(({ name, change }) => [name, change])).toEqual([
      ['one', 'changed'],
      ['two', 'unchanged'],
    ]);
    expect(applications[0]?.objects.map(({ name, change }) => [name, change])).toEqual([
      ['first', 'changed'],
      ['second', 'added'],
    ]);
    expect(rendered).toBe(3);
  });

  it('compares two folders, and says with its exit code whether they differ', async () => {
    expect((await run('diff', join(copy.dir, 'one'), join(copy.dir, 'one'))).code).toBe(0);
    const { out, code } = await run('diff', join(copy.dir, 'one'), join(copy.dir, 'two'));
    expect([code, out.includes('ConfigMap first: removed')]).toEqual([1, true]);
  });

  it('validates an Application by its contract, naming the field', async () => {
    const file = join(dir, 'bad.yaml');
    await writeFile(file, application('one', 'one').replace('project: default', 'project: 3'));
    const { out, code } = await run('validate', '-f', file);
    expect(code).toBe(1);
    expect(out).toContain('Application one: spec.project');
    await writeFile(file, application('one', 'one'));
    expect((await run('validate', '-f', file)).out).toBe('1 object, nothing wrong\n');
  });
});
