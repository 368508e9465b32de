import type { KubeObject } from '@fairlead/kube';
import { describe, expect, it } from 'vitest';
import { JqRunner } from '../diff/index.ts';
import { healthOf } from '../health/index.ts';
import { parseSettings } from '../settings/index.ts';
import { ResourceUpdates } from './resource-updates.ts';

const deployment = (change: object = {}, metadata: object = {}): KubeObject => ({
  apiVersion: 'apps/v1',
  kind: 'Deployment',
  metadata: { name: 'web', namespace: 'team', resourceVersion: '1', generation: 1, ...metadata },
  spec: { replicas: 1, template: { spec: { containers: [] } } },
  status: { observedGeneration: 1, replicas: 1, updatedReplicas: 1, availableReplicas: 1 },
  ...change,
});

/** Whether an application is looked at. */
async function isTold(
  data: Record<string, string>,
  after: KubeObject,
  { isTracked = true, before = deployment() } = {},
) {
  const jq = new JqRunner();
  const { updateRules } = parseSettings(data);
  const updates = new ResourceUpdates({
    rules: () => updateRules,
    healthOf,
    healthReady: () => undefined,
    withoutSelected: (object, expressions) => jq.remove(object, expressions),
  });
  const change = { type: 'update', object: after, before, isTracked, applications: new Set(['web']) } as const;
  const told = await new Promise<boolean>((resolve) => {
    updates.judge(change, () => resolve(true));
    const look = () => (updates.counts.ignored > 0 ? resolve(false) : setImmediate(look));
    look();
  });
  await jq.stop();
  return told;
}

const key = 'resource.customizations.ignoreResourceUpdates';
const noted = { metadata: { ...deployment().metadata, resourceVersion: '2', annotations: { seen: 'now' } } };

describe('ignoreResourceUpdates', () => {
  it('passes over what only counts writes, unless switched off', async () => {
    const written = deployment({}, { resourceVersion: '2' });
    expect(await isTold({}, written)).toBe(false);
    expect(await isTold({ 'resource.ignoreResourceUpdatesEnabled': 'false' }, written)).toBe(true);
  });

  it('passes over fields by pointer and by jq, for a kind or for all', async () => {
    expect(await isTold({}, deployment(noted))).toBe(true);
    expect(
      await isTold({ [`${key}.apps_Deployment`]: 'jsonPointers: [/metadata/annotations]' }, deployment(noted)),
    ).toBe(false);
    expect(
      await isTold(
        { [`${key}.all`]: 'jqPathExpressions: [.metadata.annotations.seen, .metadata.annotations]' },
        deployment(noted),
      ),
    ).toBe(false);
    expect(
      await isTold({ [`${key}.apps_StatefulSet`]: 'jsonPointers: [/metadata/annotations]' }, deployment(noted)),
    ).toBe(true);
    const old = '"apps/Deployment":\n  ignoreResourceUpdates: |\n    jsonPointers: [/metadata/annotations]\n';
    expect(await isTold({ 'resource.customizations': old }, deployment(noted))).toBe(false);
  });

  it('never hides a change of health', async () => {
    const failing = deployment(
      {
        status: { observedGeneration: 1, replicas: 1, updatedReplicas: 0, availableReplicas: 0 },
      },
      { resourceVersion: '2' },
    );
    const scaled = deployment(
      {
        status: { observedGeneration: 1, replicas: 1, updatedReplicas: 1, availableReplicas: 1, readyReplicas: 1 },
      },
      { resourceVersion: '2' },
    );
    const rules = { [`${key}.apps_Deployment`]: 'jsonPointers: [/status]' };
    expect(await isTold(rules, failing)).toBe(true);
    expect(await isTold(rules, scaled)).toBe(false);
  });

  it('follows what differences ignore, unless told not to', async () => {
    const rules = {
      'resource.customizations.ignoreDifferences.apps_Deployment': 'jsonPointers: [/metadata/annotations]',
    };
    expect(await isTold(rules, deployment(noted))).toBe(false);
    const options = { 'resource.compareoptions': 'ignoreDifferencesOnResourceUpdates: false' };
    expect(await isTold({ ...rules, ...options }, deployment(noted))).toBe(true);
  });

  it('judges what is below an application only where it asks for it', async () => {
    const written = deployment({}, { resourceVersion: '2' });
    expect(await isTold({}, written, { isTracked: false })).toBe(true);
    const annotations = { 'argocd.argoproj.io/ignore-resource-updates': 'true' };
    const before = deployment({}, { annotations });
    const after = deployment({}, { annotations, resourceVersion: '2' });
    expect(await isTold({}, after, { isTracked: false, before })).toBe(false);
  });
});
