import type { KubeObject } from '@fairlead/kube';
import { describe, expect, it } from 'vitest';
import { listActions, runAction } from './actions.ts';

const nowMs = Date.parse('2026-01-02T03:04:05Z');
const object = (kind: string, fields: object): KubeObject => ({
  apiVersion: 'argoproj.io/v1alpha1',
  kind,
  metadata: { name: 'x', namespace: 'n', uid: 'u', generation: 2 },
  ...fields,
});
const steps = [{ setWeight: 20 }, { pause: {} }, { setWeight: 60 }];
const canary = { strategy: { canary: { steps } } };
const rollout = (status: object, spec: object = canary) =>
  object('Rollout', { spec, status: { observedGeneration: '2', currentPodHash: 'new', stableRS: 'old', ...status } });
const enabled = (on: KubeObject) =>
  listActions(on)
    .filter(({ disabled }) => !disabled)
    .map(({ name }) => name);
const patchOf = (name: string, on: KubeObject) => runAction(name, { object: on, parameters: {}, nowMs });
const patch = (body: object) => ({ effect: 'patch', body });

describe('a Rollout', () => {
  it.each([
    ['at rest', rollout({ stableRS: 'new', currentStepIndex: 3 }), ['restart']],
    [
      'that waits at a step',
      rollout({ currentStepIndex: 1, pauseConditions: [{ reason: 'CanaryPauseStep' }] }),
      ['restart', 'resume', 'abort', 'pause', 'promote-full', 'skip-current-step'],
    ],
    [
      'that goes on',
      rollout({ currentStepIndex: 0 }),
      ['restart', 'abort', 'pause', 'promote-full', 'skip-current-step'],
    ],
    ['that was aborted', rollout({ abort: true, currentStepIndex: 3 }), ['restart', 'retry', 'promote-full']],
    [
      'that somebody paused',
      rollout({ currentStepIndex: 3 }, { ...canary, paused: true }),
      ['restart', 'resume', 'abort', 'promote-full'],
    ],
    [
      'with blue and green, of a controller before 0.10',
      rollout({ observedGeneration: '5d9b8cb8f' }, { strategy: { blueGreen: {} } }),
      ['restart', 'abort', 'pause'],
    ],
    ['that no controller has seen', object('Rollout', { spec: canary }), ['restart', 'skip-current-step']],
  ])('%s offers what can be done to it', (_, on, names) => {
    expect(enabled(on)).toEqual(names);
  });

  it('is steered by the fields that its controller reads', () => {
    const waiting = rollout({ currentStepIndex: 1, pauseConditions: [{}] }, { ...canary, paused: true });
    expect(patchOf('restart', waiting)).toEqual(patch({ spec: { restartAt: '2026-01-02T03:04:05Z' } }));
    expect(patchOf('resume', waiting)).toEqual(patch({ status: { pauseConditions: null }, spec: { paused: false } }));
    expect(patchOf('abort', waiting)).toEqual(patch({ status: { abort: true } }));
    expect(patchOf('retry', waiting)).toEqual(patch({ status: { abort: null } }));
    expect(patchOf('pause', waiting)).toEqual(patch({ spec: { paused: true } }));
    expect(patchOf('promote-full', waiting)).toEqual(patch({ status: { promoteFull: true } }));
    expect(patchOf('skip-current-step', waiting)).toEqual(
      patch({ status: { pauseConditions: null, currentStepIndex: 2 } }),
    );
    expect(patchOf('skip-current-step', rollout({ currentStepIndex: 3 }))).toEqual(patch({}));
    expect(patchOf('promote-full', rollout({ observedGeneration: '5d9b8cb8f' }))).toEqual(
      patch({ status: { abort: null, currentStepIndex: 3 } }),
    );
  });
});

it('an AnalysisRun is terminated while it runs', () => {
  const run = (phase: string) => object('AnalysisRun', { spec: {}, status: { phase } });
  expect([enabled(run('Running')), enabled(run('Failed'))]).toEqual([['terminate'], []]);
  expect(patchOf('terminate', run('Running'))).toEqual(patch({ spec: { terminate: true } }));
});

describe('a Workflow', () => {
  const ownerReferences = [{ apiVersion: 'argoproj.io/v1alpha1', name: 'x', uid: 'u' }];
  const name = 'x-202601020304';

  it('is made of a CronWorkflow, with what that says of its metadata', () => {
    const workflowMetadata = { labels: { a: 'b' }, annotations: { c: 'd' }, finalizers: ['f'] };
    const on = object('CronWorkflow', { spec: { workflowMetadata, workflowSpec: { entrypoint: 'main' } } });
    expect(patchOf('create-workflow', on)).toMatchObject({
      effect: 'create',
      object: {
        kind: 'Workflow',
        metadata: {
          ...{ name, namespace: 'n', finalizers: ['f'], ownerReferences },
          labels: { a: 'b', 'workflows.argoproj.io/cron-workflow': 'x' },
          annotations: { c: 'd', 'workflows.argoproj.io/scheduled-time': '2026-01-02T03:04:05Z' },
        },
        spec: { entrypoint: 'main' },
      },
    });
  });

  it('is made of a WorkflowTemplate by its name', () => {
    expect(patchOf('create-workflow', object('WorkflowTemplate', { spec: {} }))).toMatchObject({
      object: {
        metadata: { name, labels: { 'workflows.argoproj.io/workflow-template': 'x' }, ownerReferences },
        spec: { workflowTemplateRef: { name: 'x' } },
      },
    });
  });
});

it('automated syncs of an Application are switched off and on', () => {
  const application = (automated?: object) => object('Application', { spec: { syncPolicy: { automated } } });
  const switched = (enabledNow: boolean) => patch({ spec: { syncPolicy: { automated: { enabled: enabledNow } } } });
  expect(patchOf('toggle-auto-sync', application({}))).toEqual(switched(false));
  expect(patchOf('toggle-auto-sync', application({ enabled: false }))).toEqual(switched(true));
  expect(patchOf('toggle-auto-sync', application())).toEqual(switched(true));
  expect(listActions(application({}))).toMatchObject([{ displayName: 'Disable Auto-Sync' }]);
});
