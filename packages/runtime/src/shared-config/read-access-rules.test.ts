import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { AccessRuleInput } from '@fairlead/contracts';
import { GitMirrors, WorkingCopy } from '@fairlead/git';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { accessRuleFile, readAccessRule, writeAccessRule } from '../configuration/index.ts';
import { AccessRuleFiles } from './read-access-rules.ts';

const rule = (name: string, over: Partial<AccessRuleInput> = {}): AccessRuleInput => ({
  name,
  effect: 'allow',
  teams: ['shop'],
  entity: 'application',
  actions: ['VIEW', 'SYNC'],
  attributes: { projects: ['shop'] },
  ...over,
});

let dir: string;
let mirrors: GitMirrors;
let copy: WorkingCopy;
let count = 0;
beforeAll(async () => {
  dir = await mkdtemp(join(tmpdir(), 'fairlead-rules-'));
  mirrors = new GitMirrors({ dir: join(dir, 'mirrors'), allowFile: true });
});
afterAll(async () => {
  mirrors?.stop();
  await rm(dir, { recursive: true, force: true });
});
beforeEach(async () => {
  copy = await WorkingCopy.init(join(dir, `config-${++count}`));
  await copy.write({ 'README.md': 'configuration' });
  await copy.commit('begin');
});

const signal = new AbortController().signal;
const read = async (files = new AccessRuleFiles()) => {
  const address = { repoURL: copy.dir, branch: 'main', path: '' };
  const commit = await mirrors.resolve(copy.dir, 'main');
  return files.read(await mirrors.repository(copy.dir), { address, commit }, { signal });
};
const commit = async (files: Record<string, string | null>, message = 'change') => {
  await copy.write(files);
  return copy.commit(message);
};

describe('access rules in files', () => {
  it('are none in a repository without the folder', async () => {
    expect(await read()).toEqual({ repository: expect.any(String), branch: 'main', rules: [], problems: [] });
  });

  it('carry the commit that gave the file its rule, and its author', async () => {
    const first = await commit({ [accessRuleFile('a')]: writeAccessRule(rule('a')) });
    const second = await commit({ [accessRuleFile('b')]: writeAccessRule(rule('b')) });
    await commit({ 'other.txt': 'x' });
    const report = await read();
    expect(report.commit?.revision).toBe(second);
    expect(report.rules.map(({ rule: { name }, commit: { revision } }) => [name, revision])).toEqual([
      ['a', first],
      ['b', second],
    ]);
    expect(report.rules[0]).toMatchObject({ rule: rule('a'), commit: { author: 'Test', email: 'test@example.com' } });
  });

  it('keep the last good rule of a broken file, with file and line, whoever reads it and whenever', async () => {
    const good = await commit({ [accessRuleFile('a')]: writeAccessRule(rule('a')) });
    const following = new AccessRuleFiles();
    await read(following);
    await commit({ [accessRuleFile('a')]: writeAccessRule(rule('a')).replace('- SYNC', '- SINK') });
    await commit({ [accessRuleFile('a')]: 'spec: [' });
    const report = await read(following);
    expect(report.rules).toMatchObject([{ rule: rule('a'), commit: { revision: good } }]);
    expect(report.problems).toMatchObject([{ file: accessRuleFile('a'), holds: 'a' }]);
    expect(await read()).toEqual(report);
  });

  it('do not come back when the file was removed in between', async () => {
    await commit({ [accessRuleFile('a')]: writeAccessRule(rule('a')) });
    await commit({ [accessRuleFile('a')]: null });
    await commit({ [accessRuleFile('a')]: 'kind: Nonsense\n' });
    const report = await read();
    expect([report.rules, report.problems.length, report.problems[0]?.holds]).toEqual([[], 1, undefined]);
  });

  it('are undone by a revert', async () => {
    await commit({ [accessRuleFile('a')]: writeAccessRule(rule('a')) });
    const before = await read();
    await commit({ [accessRuleFile('a')]: writeAccessRule(rule('a', { effect: 'deny' })) });
    expect((await read()).rules[0]?.rule.effect).toBe('deny');
    await copy.git('revert', '--no-edit', 'HEAD');
    expect((await read()).rules.map((each) => each.rule)).toEqual(before.rules.map((each) => each.rule));
  });

  it('have one file each: a second one of the same name is a problem', async () => {
    const twice = writeAccessRule(rule('a'));
    await commit({ [accessRuleFile('a')]: twice, [accessRuleFile('b')]: twice });
    const { rules, problems } = await read();
    expect([rules.length, problems]).toEqual([
      1,
      [
        {
          file: accessRuleFile('b'),
          line: 1,
          message: `metadata.name a is taken by ${accessRuleFile('a')}`,
        },
      ],
    ]);
  });
});

describe('a file of an access rule', () => {
  const text = writeAccessRule(rule('a'));
  const lines = text.split('\n');
  const lineWith = (part: string) => lines.findIndex((line) => line.includes(part)) + 1;

  it('is read as it was written', () => {
    expect(readAccessRule(text)).toEqual({ ok: true, rule: rule('a'), teamsLine: lineWith('teams:') });
  });

  it.each([
    ['an unknown action', text.replace('- SYNC', '- SINK'), lineWith('- SYNC')],
    ['a misspelt field', text.replace('projects:', 'project:'), lineWith('projects:')],
    ['a name that cannot be one', text.replace('name: a', 'name: A b'), lineWith('name: a')],
    ['a missing field', text.replace('effect: allow\n', '\n'), lineWith('spec:')],
    ['broken YAML', text.replace('teams:', 'teams: [').trimEnd(), undefined],
  ])('names the line of %s', (_, broken, line) => {
    const read = readAccessRule(broken);
    expect(read).toMatchObject({ ok: false, message: expect.any(String), ...(line ? { line } : {}) });
  });
});
