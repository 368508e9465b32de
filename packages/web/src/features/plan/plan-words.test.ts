import type { PlanAnswer, PlannedObject } from '@fairlead/contracts';
import { describe, expect, it } from 'vitest';
import { matchingChanges, objectsWords, planWords, restartsPods } from './plan-words.ts';

const object = (part: Partial<PlannedObject>): PlannedObject => ({
  ...{ group: '', kind: 'ConfigMap', namespace: '', name: 'settings', change: 'changed' },
  ...part,
});
const workload = (image: string, replicas: number) => ({ spec: { replicas, template: { spec: { image } } } });
const answer = (applications: PlanAnswer['applications']): PlanAnswer => ({
  ...{ repoURL: 'r', onto: 'main', from: 'a', to: 'b', changedFiles: 1, total: 6, following: 3, rendered: 1 },
  ...{ applications, truncated: false },
});

describe('a plan in words', () => {
  it('tells a restart from a change of scale', () => {
    const deployment = { group: 'apps', kind: 'Deployment', before: workload('a:1', 1) };
    expect(restartsPods(object({ ...deployment, after: workload('a:2', 1) }))).toBe(true);
    expect(restartsPods(object({ ...deployment, after: workload('a:1', 4) }))).toBe(false);
    expect(restartsPods(object({ before: workload('a:1', 1), after: workload('a:2', 1) }))).toBe(false);
  });

  it('counts what goes before what comes', () => {
    const objects = [object({ change: 'added' }), object({ change: 'removed' }), object({})];
    expect(objectsWords(objects)).toBe('1 removed, 1 changed, 1 added');
    expect(objectsWords([])).toBe('');
  });

  it('says that nothing changes, and tells what failed from what changes', () => {
    expect(planWords(answer([])).lead).toBe('Nothing would change');
    const changed = { name: 'a', namespace: 'argocd', change: 'changed' as const, objects: [object({})] };
    const failed = { name: 'b', namespace: 'argocd', change: 'failed' as const, objects: [], error: 'no' };
    expect(planWords(answer([changed, failed]))).toEqual({
      lead: '1 application would change',
      rest: 'of 3 that follow the branch; 1 application could not be rendered: 1 changed.',
    });
  });

  it('finds applications by their own name and by what is in them', () => {
    const of = (name: string, kind: string) => ({
      ...{ name, namespace: 'argocd', change: 'changed' as const, objects: [object({ kind })] },
    });
    const all = [of('shop', 'Deployment'), of('mail', 'Service')];
    expect(matchingChanges(all, 'SHO').map(({ name }) => name)).toEqual(['shop']);
    expect(matchingChanges(all, 'service').map(({ name }) => name)).toEqual(['mail']);
    expect(matchingChanges(all, ' ')).toBe(all);
  });
});
