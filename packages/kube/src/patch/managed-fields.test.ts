import { describe, expect, it } from 'vitest';
import type { KubeObject } from '../object/index.ts';
import { builtInShape, customShape } from './kind-shapes.ts';
import { ApplyConflictError, applyConfiguration, trackUpdate } from './managed-fields.ts';

const shape = builtInShape({ group: 'apps', kind: 'Deployment' });
const identity = (manager: string) => ({ manager, apiVersion: 'apps/v1', time: '2026-01-01T00:00:00Z', shape });
const deployment = (spec: object, metadata: object = {}): KubeObject => ({
  apiVersion: 'apps/v1',
  kind: 'Deployment',
  metadata: { name: 'web', ...metadata },
  spec,
});
const containers = (...list: object[]) => ({ template: { spec: { containers: list } } });
const apply = (manager: string, live: KubeObject | undefined, applied: KubeObject, force = false) =>
  applyConfiguration({ ...identity(manager), live, applied, force });

describe('server-side apply', () => {
  it("makes the applied fields the manager's own", () => {
    const object = apply('a', undefined, deployment({ replicas: 2, ...containers({ name: 'web', image: 'x' }) }));
    expect(object.metadata.managedFields?.[0]).toMatchObject({
      manager: 'a',
      operation: 'Apply',
      fieldsV1: {
        'f:spec': {
          'f:replicas': {},
          'f:template': {
            'f:spec': { 'f:containers': { 'k:{"name":"web"}': { '.': {}, 'f:name': {}, 'f:image': {} } } },
          },
        },
      },
    });
  });

  it('conflicts when another manager owns a field with another value, and names field and manager', () => {
    const live = apply('a', undefined, deployment({ replicas: 2 }));
    try {
      apply('b', live, deployment({ replicas: 3 }));
      expect.unreachable();
    } catch (error) {
      expect(error).toBeInstanceOf(ApplyConflictError);
      expect((error as Error).message).toBe('Apply failed with 1 conflict: conflict with "a": .spec.replicas');
    }
  });

  it('shares a field that both apply with the same value', () => {
    const both = apply('b', apply('a', undefined, deployment({ replicas: 2 })), deployment({ replicas: 2 }));
    expect(both.metadata.managedFields?.map((entry) => entry.manager)).toEqual(['b', 'a']);
    // Who changed nothing has no time of its own, and stands first.
    expect(both.metadata.managedFields?.[0]?.time).toBeUndefined();
  });

  it('takes fields over by force', () => {
    const live = apply('a', undefined, deployment({ replicas: 2, paused: true }));
    const taken = apply('b', live, deployment({ replicas: 3 }), true);
    expect(taken['spec']).toEqual({ replicas: 3, paused: true });
    expect(taken.metadata.managedFields?.find(({ manager }) => manager === 'a')?.fieldsV1).toEqual({
      'f:spec': { 'f:paused': {} },
    });
  });

  it('removes what is no longer applied, but not what another manager owns', () => {
    const first = apply(
      'a',
      undefined,
      deployment({ replicas: 2, paused: true, ...containers({ name: 'x' }, { name: 'y' }) }),
    );
    const shared = apply('b', first, deployment({ replicas: 2 }));
    const next = apply('a', shared, deployment(containers({ name: 'x' })));
    expect(next['spec']).toEqual({ replicas: 2, ...containers({ name: 'x' }) });
  });

  it('changes nothing when the same intent comes again', () => {
    const intent = deployment({ replicas: 2, ...containers({ name: 'x', env: [{ name: 'A', value: '1' }] }) });
    const once = apply('a', undefined, intent);
    expect(apply('a', once, intent)).toEqual(once);
  });

  it('owns lists of custom kinds as a whole', () => {
    const widget = (list: unknown[]): KubeObject => ({
      apiVersion: 'example.com/v1',
      kind: 'Widget',
      metadata: { name: 'w' },
      spec: { list },
    });
    const options = { manager: 'a', apiVersion: 'example.com/v1', time: '', shape: customShape };
    const live = applyConfiguration({ ...options, live: undefined, applied: widget([1, 2]) });
    expect(applyConfiguration({ ...options, live, applied: widget([3]) })['spec']).toEqual({ list: [3] });
  });
});

describe('tracking updates', () => {
  it('gives changed fields to the writer and takes them from their owner', () => {
    const live = apply('a', undefined, deployment({ replicas: 2, paused: true }));
    const managed = trackUpdate({
      ...identity('kubectl'),
      before: live,
      after: deployment({ replicas: 5, paused: true }),
    });
    expect(managed.map(({ manager, fieldsV1 }) => [manager, fieldsV1])).toEqual([
      ['a', { 'f:spec': { 'f:paused': {} } }],
      ['kubectl', { 'f:spec': { 'f:replicas': {} } }],
    ]);
  });

  it('drops removed fields from everybody', () => {
    const live = apply('a', undefined, deployment({ replicas: 2, paused: true }));
    const managed = trackUpdate({ ...identity('kubectl'), before: live, after: deployment({ replicas: 2 }) });
    expect(managed.map(({ fieldsV1 }) => fieldsV1)).toEqual([{ 'f:spec': { 'f:replicas': {} } }]);
  });
});
