import { describe, expect, it } from 'vitest';
import type { AccessRuleInput } from '../api/access-rule.ts';
import { applicationObject, type ObjectAttributes } from './attributes.ts';
import { decide, type Policy, type Question } from './evaluate.ts';
import { matchesGlob } from './glob.ts';

const object: ObjectAttributes = {
  runtime: 'eu',
  cluster: 'prod-1',
  namespace: 'shop',
  project: 'store',
  name: 'cart',
  labels: { tier: 'web' },
};
const rule = (more: Partial<AccessRuleInput>): AccessRuleInput => ({
  name: 'rule',
  effect: 'allow',
  teams: ['shop'],
  entity: 'application',
  actions: ['SYNC'],
  attributes: {},
  ...more,
});
const ask = (more: Partial<Question> = {}): Question => ({
  subject: { isAdmin: false, teams: ['shop'] },
  entity: 'application',
  action: 'SYNC',
  ...more,
});
const policy = (rules: AccessRuleInput[], fallback: Policy['default'] = 'open'): Policy => ({
  default: fallback,
  rules,
});

describe('a decision', () => {
  it('follows the default of the account while there is no allow rule', () => {
    expect(decide(policy([]), ask(), object).allowed).toBe(true);
    expect(decide(policy([], 'closed'), ask(), object).allowed).toBe(false);
    const onRuntimes = rule({ entity: 'runtime' });
    expect(decide(policy([onRuntimes]), ask({ subject: { isAdmin: false, teams: [] } }), object).allowed).toBe(true);
  });

  it('is no for everybody whom no rule allows, once there is an allow rule', () => {
    const rules = policy([rule({})]);
    expect(decide(rules, ask(), object)).toMatchObject({ allowed: true, rule: 'rule' });
    expect(decide(rules, ask({ subject: { isAdmin: false, teams: ['other'] } }), object).allowed).toBe(false);
    expect(decide(rules, ask({ action: 'DELETE' }), object).allowed).toBe(false);
  });

  it('is no when one rule denies, however many allow, and names it; but never for administrators', () => {
    const rules = policy([rule({}), rule({ name: 'freeze', effect: 'deny', teams: ['*'] })]);
    expect(decide(rules, ask(), object)).toMatchObject({ allowed: false, rule: 'freeze' });
    expect(decide(rules, ask({ subject: { isAdmin: true, teams: [] } }), object).allowed).toBe(true);
  });

  it('lets whoever may sync refresh, and whoever may not sync refresh all the same', () => {
    const refresh = ask({ action: 'REFRESH' });
    expect(decide(policy([rule({})], 'closed'), refresh, object).allowed).toBe(true);
    expect(decide(policy([rule({ effect: 'deny' })]), refresh, object).allowed).toBe(true);
  });

  it('needs every attribute that the rule gives, a label that is not there included', () => {
    const allows = (attributes: AccessRuleInput['attributes']) =>
      decide(policy([rule({ attributes })]), ask(), object).allowed;
    expect(allows({ clusters: ['prod-*'], namespaces: ['shop'], labels: { tier: '*' } })).toBe(true);
    expect(allows({ clusters: ['prod-*'], namespaces: ['other'] })).toBe(false);
    expect(allows({ labels: { owner: '*' } })).toBe(false);
    expect(allows({ labels: { constructor: '*' } })).toBe(false);
  });
});

describe('a glob', () => {
  it.each([
    ['*', '', true],
    ['a*c', 'abbc', true],
    ['a*c', 'abcb', false],
    ['a?c', 'a\u{1F600}c', true],
    ['a?', 'a', false],
    ['*a*b*', 'xxaxxbxx', true],
    ['a.c', 'abc', false],
    ['', 'a', false],
  ])('%s and %s: %s', (pattern, text, expected) => {
    expect(matchesGlob(pattern, text)).toBe(expected);
  });
});

describe('the attributes of an application', () => {
  it('name the cluster by its name, by its address where nobody gave it one, and the runtime’s own as it is called', () => {
    const described = (destination: object, project = 'p') =>
      applicationObject('eu', { name: 'a', labels: {}, spec: { project, destination } });
    expect(described({ name: 'prod', namespace: 'shop' })).toMatchObject({ cluster: 'prod', namespace: 'shop' });
    expect(described({ server: 'https://k.example' }).cluster).toBe('https://k.example');
    expect(described({ server: 'https://kubernetes.default.svc' }).cluster).toBe('in-cluster');
    expect(described({}, '')).toMatchObject({ cluster: 'in-cluster', namespace: '', project: 'default' });
  });
});
