import type { KubeObject } from '@fairlead/kube';
import { describe, expect, it } from 'vitest';
import { parseAccounts } from './accounts.ts';
import { builtInPolicy } from './built-in-policy.ts';
import { Policy } from './policy.ts';
import { parsePolicy } from './policy-text.ts';
import { parseRoleSubject, projectPolicy, roleProblems, roleTokens, withRoleTokens } from './project-roles.ts';
import { parseRbacSettings } from './rbac-settings.ts';
import { SignInAttempts } from './sign-in-attempts.ts';

const text = `
# people
p, role:deployer, applications, sync, shop/*, allow
p, role:deployer, applications, action/apps/*/restart, shop/*, allow
p, role:deployer, applications, sync, shop/bank, deny
p, role:lead, applications, *, "{shop,mail}/*", allow
g, alice, role:deployer
g, "Team, the first", role:lead
g, role:lead, role:readonly
`;

describe('a policy', () => {
  const policy = new Policy([builtInPolicy, parsePolicy(text)], 'glob');
  // As `argocd admin settings rbac can` of Argo CD 3.5.1 answers them.
  it.each<[string, string, string, string, boolean]>([
    ['admin', 'applications', 'delete', 'shop/web', true],
    ['admin', 'accounts', 'update', 'alice', true],
    ['admin', 'exec', 'create', 'shop/web', true],
    ['role:readonly', 'applications', 'get', 'shop/web', true],
    ['role:readonly', 'applications', 'sync', 'shop/web', false],
    ['role:readonly', 'exec', 'create', 'shop/web', false],
    ['alice', 'applications', 'sync', 'shop/web', true],
    ['alice', 'applications', 'sync', 'shop/bank', false],
    ['alice', 'applications', 'sync', 'mail/web', false],
    ['alice', 'applications', 'get', 'shop/web', false],
    ['alice', 'applications', 'action/apps/Deployment/restart', 'shop/web', true],
    ['alice', 'applications', 'action/apps/Deployment/pause', 'shop/web', false],
    ['Team, the first', 'applications', 'delete', 'mail/web', true],
    ['Team, the first', 'clusters', 'get', 'https://x', true],
    ['Team, the first', 'clusters', 'update', 'https://x', false],
    ['nobody', 'applications', 'get', 'shop/web', false],
  ])('%s, %s, %s, %s: %s', (subject, resource, action, object, expected) => {
    expect(policy.permits(subject, { resource, action, object })).toBe(expected);
  });

  it('names the line that cannot be read, and what could stand there', () => {
    expect(() => parsePolicy('p, a, applications, get, */*')).toThrow(
      /p, a, applications, get, \*\/\* \(allowed: p, sub/,
    );
    expect(() => parsePolicy('g, a, "b')).toThrow(/invalid RBAC policy/);
    expect(() => parsePolicy('x, a, b')).toThrow(/invalid RBAC policy/);
  });

  it('goes round in no circle of roles', () => {
    const circle = new Policy([parsePolicy('g, a, b\ng, b, a\np, b, projects, get, *, allow')], 'glob');
    expect(circle.permits('a', { resource: 'projects', action: 'get', object: 'x' })).toBe(true);
    expect(circle.permits('a', { resource: 'projects', action: 'update', object: 'x' })).toBe(false);
  });

  it('matches regular expressions anywhere in the text when the mode says so', () => {
    const regex = new Policy([parsePolicy('p, a, applications, get|sync, ^shop/, allow')], 'regex');
    expect(regex.permits('a', { resource: 'applications', action: 'sync', object: 'shop/web' })).toBe(true);
    expect(regex.permits('a', { resource: 'applications', action: 'sync', object: 'x/shop/web' })).toBe(false);
  });
});

describe('argocd-rbac-cm', () => {
  it('adds every policy.*.csv to policy.csv', () => {
    const data = {
      'policy.more.csv': 'g, b, role:admin',
      'policy.csv': 'g, a, role:admin',
      'policy.default': 'role:x',
    };
    const { policy, defaultRole, scopes } = parseRbacSettings({ ...data, scopes: '[groups, email]' });
    expect(policy.links.map(({ member }) => member)).toEqual(['a', 'b']);
    expect({ defaultRole, scopes }).toEqual({ defaultRole: 'role:x', scopes: ['groups', 'email'] });
  });
});

const project = (roles: object[], status: object = {}): KubeObject => ({
  apiVersion: 'argoproj.io/v1alpha1',
  kind: 'AppProject',
  metadata: { name: 'shop' },
  spec: { roles },
  status,
});

describe('roles of a project', () => {
  it('see their project, do what their policies say, and are given to groups', () => {
    const role = { name: 'ci', policies: ['p, proj:shop:ci, applications, sync, shop/*, allow'], groups: ['builders'] };
    const policy = new Policy([projectPolicy(project([role]))], 'glob');
    expect(policy.permits('proj:shop:ci', { resource: 'projects', action: 'get', object: 'shop' })).toBe(true);
    expect(policy.permits('builders', { resource: 'applications', action: 'sync', object: 'shop/web' })).toBe(true);
    expect(policy.permits('builders', { resource: 'applications', action: 'sync', object: 'mail/web' })).toBe(false);
  });

  it.each<[string, RegExp]>([
    ['p, proj:shop:ci, applications, sync, shop/*', /must be of the form: 'p, sub, res, act, obj, eft'/],
    ['p, role:admin, applications, sync, shop/*, allow', /policy subject must be: 'proj:shop:ci', not 'role:admin'/],
    ['p, proj:shop:ci, accounts, get, shop/*, allow', /project resource must be: 'applications', .* not 'accounts'/],
    ['p, proj:shop:ci, applications, burn, shop/*, allow', /invalid action 'burn'/],
    ['p, proj:shop:ci, applications, sync, mail/*, allow', /object must be of form 'shop\/\*'/],
    ['p, proj:shop:ci, applications, sync, shop/*, maybe', /effect must be: 'allow' or 'deny'/],
  ])('may not say %s', (policy, words) => {
    expect(roleProblems(project([{ name: 'ci', policies: [policy] }]))).toEqual([expect.stringMatching(words)]);
  });

  it('are told apart by their names', () => {
    expect(roleProblems(project([{ name: 'ci' }, { name: 'ci' }]))).toEqual(["role 'ci' already exists"]);
    expect(roleProblems(project([{ name: '-ci' }]))).toEqual([expect.stringMatching(/^invalid role name '-ci'/)]);
    expect(parseRoleSubject('proj:shop:ci')).toEqual({ project: 'shop', role: 'ci' });
    expect(parseRoleSubject('proj:shop')).toBeUndefined();
  });

  it('keep their tokens in status and spec, as older and newer servers look for them', () => {
    const before = project([{ name: 'ci', jwtTokens: [{ iat: 5 }] }]);
    expect(roleTokens(before, 'ci')).toEqual([{ id: '5', iat: 5 }]);
    const after = withRoleTokens(before, 'ci', [{ id: 'a', iat: 7, exp: 9 }]);
    expect(after).toMatchObject({
      spec: { roles: [{ name: 'ci', jwtTokens: [{ id: 'a' }] }] },
      status: { jwtTokensByRole: { ci: { items: [{ id: 'a', iat: 7, exp: 9 }] } } },
    });
  });
});

describe('accounts', () => {
  it('are those of argocd-cm, with what argocd-secret knows of them', () => {
    const encode = (value: string) => Buffer.from(value).toString('base64');
    const data = { 'accounts.ci.tokens': encode('[{"id":"a","iat":5}]'), 'accounts.bob.tokens': encode('{broken') };
    const secret = { apiVersion: 'v1', kind: 'Secret', metadata: { name: 'argocd-secret' }, data };
    const settings = { 'accounts.ci': 'apiKey', 'accounts.bob': 'login, fly', 'accounts.bob.enabled': 'false' };
    expect(parseAccounts({ ...settings, url: 'https://x' }, secret)).toMatchObject([
      { name: 'admin', enabled: true, capabilities: ['login', 'apiKey'] },
      { name: 'bob', enabled: false, capabilities: ['login'], tokens: [] },
      { name: 'ci', enabled: true, capabilities: ['apiKey'], tokens: [{ id: 'a', iat: 5 }] },
    ]);
  });

  it('are not guessed at after five wrong passwords, for five minutes', () => {
    let nowMs = 0;
    const attempts = new SignInAttempts({ now: () => nowMs, monotonic: () => nowMs, after: () => () => {} });
    for (let count = 0; count < 5; count++) attempts.failed('bob');
    expect([attempts.isBlocked('bob'), attempts.isBlocked('eve')]).toEqual([true, false]);
    nowMs = 300_000;
    expect(attempts.isBlocked('bob')).toBe(false);
  });
});
