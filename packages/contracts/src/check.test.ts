import { describe, expect, it } from 'vitest';
import { AccessRuleInput, Application, applicationCrd, checker, createApiClient, fillPath, routes } from './index.ts';

describe('checker', () => {
  it('names the field and the reason of what is wrong', () => {
    const check = checker(Application);
    const answer = check({
      apiVersion: 'argoproj.io/v1alpha1',
      kind: 'Application',
      metadata: { name: 'x' },
      spec: {},
    });
    expect(answer.ok).toBe(false);
    if (!answer.ok) expect(answer.problems.map((p) => p.field)).toContain('spec.project');
  });

  it('says which values a field may have', () => {
    const rule = {
      name: 'shop',
      effect: 'alow',
      teams: ['*'],
      entity: 'application',
      actions: ['SEE'],
      attributes: {},
    };
    const answer = checker(AccessRuleInput)(rule);
    expect(answer).toMatchObject({ ok: false });
    if (answer.ok) return;
    expect(answer.problems).toContainEqual({ field: 'effect', reason: 'must be one of allow, deny' });
    expect(answer.problems.find(({ field }) => field === 'actions.0')?.reason).toMatch(/^must be one of VIEW, /);
    expect(answer.problems).toHaveLength(2);
  });

  it('says a rule of names in words', () => {
    const rule = { name: 'The Shop', effect: 'deny', teams: ['*'], entity: 'application', actions: ['VIEW'] };
    const answer = checker(AccessRuleInput)({ ...rule, attributes: {} });
    expect(answer).toMatchObject({ ok: false, problems: [{ field: 'name' }] });
    if (!answer.ok)
      expect(answer.problems[0]?.reason).toMatch(/^does not fit: use lower-case letters, digits and hyphens/);
  });

  it('lets fields pass that it does not know', () => {
    const spec = { project: 'default', destination: {}, somethingNew: { a: 1 } };
    const answer = checker(Application)({
      apiVersion: 'argoproj.io/v1alpha1',
      kind: 'Application',
      metadata: { name: 'x' },
      spec,
    });
    expect(answer).toMatchObject({ ok: true, value: { spec } });
  });
});

describe('the Application CRD', () => {
  it('is a structural schema: no unions, every object open', () => {
    const text = JSON.stringify(applicationCrd);
    expect(text).not.toContain('anyOf');
    expect(text).toContain('"x-kubernetes-preserve-unknown-fields":true');
  });
});

describe('the API client', () => {
  it('encodes parameters and leaves empty query members out', async () => {
    const asked: string[] = [];
    const client = createApiClient({
      baseUrl: 'http://platform',
      fetch: async (url) => {
        asked.push(String(url));
        return Response.json({ items: [] });
      },
    });
    await client.call('getApplication', { params: { runtime: 'r/1', namespace: 'a b', name: 'n' } });
    await client.call('listApplications', { query: { search: '', health: 'Degraded' } });
    expect(asked).toEqual([
      'http://platform/api/v1/applications/r%2F1/a%20b/n',
      'http://platform/api/v1/applications?health=Degraded',
    ]);
  });

  it('throws what the server said, with its code', async () => {
    const body = { code: 'not_found', message: 'no application x', requestId: 'r1' };
    const client = createApiClient({ baseUrl: '', fetch: async () => Response.json(body, { status: 404 }) });
    await expect(client.call('me', {})).rejects.toMatchObject({ status: 404, code: 'not_found' });
  });

  it('has every parameter of a path declared', () => {
    for (const declared of Object.values(routes)) {
      const inPath = [...declared.path.matchAll(/\{(\w+)\}/g)].map((match) => match[1]);
      const properties = 'params' in declared ? Object.keys(declared.params.properties) : [];
      expect(properties.sort()).toEqual(inPath.sort());
    }
    expect(fillPath('/a/{b}', { b: 'c' })).toBe('/a/c');
  });
});
