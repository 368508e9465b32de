import { describe, expect, it } from 'vitest';
import { StrategicPatchError, strategicMergePatch } from './strategic-merge-patch.ts';
import { createThreeWayMergePatch } from './three-way-patch.ts';

const deployment = { group: 'apps', kind: 'Deployment' };
const pod = (containers: unknown[], more: object = {}) => ({ spec: { template: { spec: { containers, ...more } } } });

describe('strategic merge patch', () => {
  it('merges containers by name and their env by name', () => {
    const target = pod([
      { name: 'a', image: 'a:1', env: [{ name: 'X', value: '1' }] },
      { name: 'b', image: 'b:1' },
    ]);
    const patched = strategicMergePatch(
      target,
      pod([{ name: 'a', image: 'a:2', env: [{ name: 'Y', value: '2' }] }]),
      deployment,
    );
    expect(patched).toEqual(
      pod([
        {
          name: 'a',
          image: 'a:2',
          env: [
            { name: 'Y', value: '2' },
            { name: 'X', value: '1' },
          ],
        },
        { name: 'b', image: 'b:1' },
      ]),
    );
  });

  it('deletes and replaces by directive', () => {
    const target = pod([{ name: 'a' }, { name: 'b' }]);
    expect(strategicMergePatch(target, pod([{ name: 'a', $patch: 'delete' }]), deployment)).toEqual(
      pod([{ name: 'b' }]),
    );
    expect(strategicMergePatch(target, pod([{ $patch: 'replace' }, { name: 'c' }]), deployment)).toEqual(
      pod([{ name: 'c' }]),
    );
    const strategy = { spec: { strategy: { $retainKeys: ['type'], type: 'Recreate' } } };
    const rolling = { spec: { strategy: { type: 'RollingUpdate', rollingUpdate: { maxSurge: 1 } } } };
    expect(strategicMergePatch(rolling, strategy, deployment)).toEqual({ spec: { strategy: { type: 'Recreate' } } });
  });

  it('orders items as told and keeps unknown ones in place', () => {
    const target = pod([{ name: 'a' }, { name: 'x' }, { name: 'b' }]);
    const patch = { spec: { template: { spec: { '$setElementOrder/containers': [{ name: 'b' }, { name: 'a' }] } } } };
    const names = strategicMergePatch(target, patch, deployment);
    expect(names).toEqual(pod([{ name: 'x' }, { name: 'b' }, { name: 'a' }]));
  });

  it('adds to and takes from sets', () => {
    const target = { metadata: { finalizers: ['a', 'b'] } };
    const patch = { metadata: { finalizers: ['c'], '$deleteFromPrimitiveList/finalizers': ['a'] } };
    expect(strategicMergePatch(target, patch, deployment)).toEqual({ metadata: { finalizers: ['c', 'b'] } });
  });

  it('refuses kinds it has no keys for', () => {
    expect(() => strategicMergePatch({}, {}, { group: 'example.com', kind: 'Widget' })).toThrow(StrategicPatchError);
  });
});

describe('three-way patch of built-in kinds', () => {
  it('removes a container that was applied, keeps one that somebody injected', () => {
    const original = pod([
      { name: 'a', image: 'a:1' },
      { name: 'b', image: 'b:1' },
    ]);
    const modified = pod([{ name: 'a', image: 'a:2' }]);
    const current = pod([
      { name: 'a', image: 'a:1' },
      { name: 'b', image: 'b:1' },
      { name: 'injected', image: 'i' },
    ]);
    const { type, body } = createThreeWayMergePatch({ original, modified, current }, deployment);
    expect(type).toBe('strategic');
    expect(strategicMergePatch(current, body, deployment)).toEqual(
      pod([
        { name: 'a', image: 'a:2' },
        { name: 'injected', image: 'i' },
      ]),
    );
  });

  it('is empty when the live object holds the intent and its defaults', () => {
    const modified = pod([{ name: 'a', ports: [{ containerPort: 80 }] }]);
    const current = pod([{ name: 'a', ports: [{ containerPort: 80, protocol: 'TCP' }], resources: {} }], {
      dnsPolicy: 'x',
    });
    expect(createThreeWayMergePatch({ original: modified, modified, current }, deployment).body).toEqual({});
  });

  it('uses a plain merge patch for custom kinds', () => {
    const { type, body } = createThreeWayMergePatch(
      { original: { spec: { l: [1] } }, modified: { spec: { l: [2] } }, current: { spec: { l: [1], k: 1 } } },
      { group: 'example.com', kind: 'Widget' },
    );
    expect({ type, body }).toEqual({ type: 'merge', body: { spec: { l: [2] } } });
  });
});
