import type { Application } from '@fairlead/contracts';
import type { KubeObject } from '@fairlead/kube';
import { describe, expect, it } from 'vitest';
import type { Cluster } from '../clusters/index.ts';
import { byAnnotation } from '../live/index.ts';
import { atRestAfter, restsStill } from './at-rest.ts';
import type { Comparison } from './comparison.ts';

const ref = { group: '', version: 'v1', kind: 'ConfigMap', namespace: 'n', name: 'm' };
const object = (annotations: Record<string, string> = {}): KubeObject => ({
  apiVersion: 'v1',
  kind: 'ConfigMap',
  metadata: { name: 'm', namespace: 'n', annotations },
});
const tracked = object({ 'argocd.argoproj.io/tracking-id': 'app:/ConfigMap:n/m' });
const application = { metadata: { name: 'app', resourceVersion: '5' }, spec: { destination: {}, project: 'p' } };
const app = application as unknown as Application; // what is asked for of one
const projectWith = (spec: object) =>
  ({ apiVersion: 'argoproj.io/v1alpha1', kind: 'AppProject', metadata: { name: 'p' }, spec }) as KubeObject;
const project = projectWith({});
const cluster = { isReady: true, serverVersion: '1.32', cache: { tracking: byAnnotation } } as unknown as Cluster; // the same
const comparison = (live: KubeObject | undefined, more: object = {}) =>
  ({ loaded: {}, resources: [{ ref, live }], ...more }) as unknown as Comparison; // the same

describe('an application rests', () => {
  const look = { before: app, status: {}, spec: { project, cluster, windows: [] }, touches: 3 };
  const after = (compared: Comparison, spec: object = {}) =>
    atRestAfter(app, { ...look, spec: { ...look.spec, ...spec }, comparison: compared });

  it('when everything that was compared tells of its changes', () => {
    expect(after(comparison(tracked))).toMatchObject({ touches: 3, version: '5' });
  });

  it.each([
    ['an object is missing that somebody else may make', comparison(undefined), {}],
    ['an object is not its own', comparison(object()), {}],
    ['the source could not be loaded', comparison(tracked, { loaded: undefined }), {}],
    ['time decides whether it may sync', comparison(tracked), { windows: [{}] }],
    ['its project asks for orphans', comparison(tracked), { project: projectWith({ orphanedResources: {} }) }],
  ])('not while %s', (_why, compared, spec) => {
    expect(after(compared, spec)).toBeUndefined();
  });

  it('after a write of its own status, and not when another write came along with it', () => {
    const status = { reconciledAt: 'now', sync: { status: 'Synced' as const } };
    const written = (metadata: object, more: object = {}) =>
      atRestAfter(
        { ...app, metadata: { ...app.metadata, resourceVersion: '7', ...metadata }, status, ...more },
        { ...look, status: { ...status, reconciledAt: 'then' }, comparison: comparison(tracked) },
      );
    expect(written({ generation: 4 })).toMatchObject({ version: '7' });
    expect(written({ annotations: { 'argocd.argoproj.io/refresh': 'normal' } })).toBeUndefined();
    expect(written({}, { operation: { sync: {} } })).toBeUndefined();
    expect(written({}, { status: { ...status, health: { status: 'Healthy' } } })).toBeUndefined();
  });

  it('until anything of it was touched, written or exchanged', () => {
    const atRest = after(comparison(tracked));
    if (!atRest) throw new Error('it rests');
    const now = {
      touches: 3,
      projectOf: () => project as KubeObject | undefined,
      clusters: { find: () => ({ ok: true as const, cluster }) },
    };
    expect(restsStill(app, atRest, now)).toBe(true);
    expect(restsStill(app, atRest, { ...now, touches: 4 })).toBe(false);
    expect(restsStill(app, atRest, { ...now, projectOf: () => projectWith({}) })).toBe(false);
    expect(restsStill(app, { ...atRest, version: '4' }, now)).toBe(false);
    expect(restsStill(app, { ...atRest, serverVersion: '1.31' }, now)).toBe(false);
    const away = { find: () => ({ ok: false as const, field: 'name' as const, problem: 'unknown' }) };
    expect(restsStill(app, atRest, { ...now, clusters: away })).toBe(false);
  });
});
