import { gvkOf, type KubeObject, refOf } from '@fairlead/kube';
import { describe, expect, it } from 'vitest';
import { parseSyncOptions, planSync, progressOf, type SyncHook, type SyncPair, type TaskResult } from './index.ts';

const make = (kind: string, name: string, annotations: Record<string, string> = {}, fields: object = {}) =>
  ({
    apiVersion: kind === 'Deployment' ? 'apps/v1' : 'v1',
    kind,
    metadata: { name, namespace: 'n', annotations },
    ...fields,
  }) as unknown as KubeObject;
const wave = (number: number) => ({ 'argocd.argoproj.io/sync-wave': String(number) });
const target = (object: KubeObject, live?: KubeObject): SyncPair => ({
  ref: refOf(object),
  target: object,
  live,
  isOutOfSync: true,
});
const extra = (object: KubeObject): SyncPair => ({ ref: refOf(object), live: object, isOutOfSync: true });
const options = (list: string[] = [], prune = true) => parseSyncOptions(list, { prune, dryRun: false });
const shape = (pairs: SyncPair[], list: string[] = [], prune = true) =>
  planSync({ pairs, options: options(list, prune) }).steps.map(
    (step) =>
      `${step.phase}/${step.wave}: ${step.tasks.map((task) => `${task.action} ${task.ref.kind}/${task.ref.name}`).join(', ')}`,
  );

describe('planSync', () => {
  it('orders by wave, then kind, then name', () => {
    const pairs = [
      make('Deployment', 'a'),
      make('Service', 'b'),
      make('ConfigMap', 'd'),
      make('ConfigMap', 'c'),
      make('Pod', 'first', wave(-1)),
    ];
    expect(shape(pairs.map((object) => target(object)))).toEqual([
      'Sync/-1: apply Pod/first',
      'Sync/0: apply ConfigMap/c, apply ConfigMap/d, apply Service/b, apply Deployment/a',
    ]);
  });

  it('prunes before applying, in mirrored wave order', () => {
    const pairs = [
      target(make('ConfigMap', 'new')),
      extra(make('ConfigMap', 'one', wave(1))),
      extra(make('ConfigMap', 'two', wave(2))),
      extra(make('ConfigMap', 'three', wave(3))),
    ];
    expect(shape(pairs)).toEqual([
      'Sync/0: apply ConfigMap/new',
      'Sync/1: prune ConfigMap/three',
      'Sync/2: prune ConfigMap/two',
      'Sync/3: prune ConfigMap/one',
    ]);
  });

  it('keeps what must not be pruned and says why', () => {
    const kept = extra(make('ConfigMap', 'kept', { 'argocd.argoproj.io/sync-options': 'Prune=false' }));
    expect(shape([kept])).toEqual(['Sync/0: keep ConfigMap/kept']);
    expect(shape([extra(make('ConfigMap', 'x'))], [], false)).toEqual(['Sync/0: keep ConfigMap/x']);
  });

  it('prunes last when told', () => {
    expect(shape([target(make('ConfigMap', 'a', wave(4))), extra(make('ConfigMap', 'x'))], ['PruneLast=true'])).toEqual(
      ['Sync/4: apply ConfigMap/a', 'Sync/5: prune ConfigMap/x'],
    );
  });

  it('lifts a namespace before the first object in it', () => {
    const namespace = make('Namespace', 'n', wave(2));
    expect(shape([target(namespace), target(make('ConfigMap', 'a', wave(1)))])).toEqual([
      'Sync/1: apply Namespace/n, apply ConfigMap/a',
    ]);
  });

  it('makes a missing namespace before everything', () => {
    const plan = planSync({
      pairs: [target(make('ConfigMap', 'a', wave(-5)))],
      options: options(['CreateNamespace=true']),
      missingNamespace: make('Namespace', 'n'),
    });
    expect(plan.steps.map((step) => step.tasks[0]?.action)).toEqual(['create-namespace', 'apply']);
  });

  it('takes only what is selected', () => {
    const [a, b] = [make('ConfigMap', 'a'), make('ConfigMap', 'b')];
    const plan = planSync({
      pairs: [target(a), target(b)],
      options: options(),
      selected: [{ ...gvkOf(b), name: 'b' }],
    });
    expect(plan.steps[0]?.tasks.map((task) => task.ref.name)).toEqual(['b']);
  });

  it('leaves skipped objects out', () => {
    expect(shape([target(make('Pod', 'p', { 'argocd.argoproj.io/hook': 'Skip' }))])).toEqual([]);
  });
});

describe('hooks', () => {
  const hook = (type: string, annotations: Record<string, string> = {}): SyncHook => {
    const object = make('Pod', type.toLowerCase().replaceAll(',', '-'), {
      'argocd.argoproj.io/hook': type,
      ...annotations,
    });
    return { ref: refOf(object), target: object };
  };
  const run = { revision: '0123456789abcdef', startedAt: '2026-01-01T00:00:00Z', attempt: 0 };
  const resources = [target(make('ConfigMap', 'a'))];
  const planned = (hooks: SyncHook[], extraOptions = {}) =>
    planSync({ pairs: resources, hooks, run, options: { ...options(), ...extraOptions } });
  const shown = (plan: ReturnType<typeof planSync>) =>
    plan.steps.map(({ phase, tasks }) => `${phase}: ${tasks.map((task) => task.ref.name).join(', ')}`);

  it('run in their phases around the resources, one object in several', () => {
    expect(shown(planned([hook('SyncFail'), hook('PostSync'), hook('PreSync,PostSync'), hook('PreSync')]))).toEqual([
      'PreSync: presync, presync-postsync',
      'Sync: a',
      'PostSync: postsync, presync-postsync',
      'SyncFail: syncfail',
    ]);
  });

  it('are left out of selective syncs and of strategy apply', () => {
    expect(shown(planned([hook('PreSync')], { skipHooks: true }))).toEqual(['Sync: a']);
  });

  it('take Helm names when they have no Argo CD ones; tests and rollbacks are not run', () => {
    const helm = (type: string) => {
      const object = make('Pod', type, { 'helm.sh/hook': type, 'helm.sh/hook-weight': '-5' });
      return { ref: refOf(object), target: object };
    };
    const plan = planned([helm('pre-install,pre-upgrade'), helm('post-upgrade'), helm('test'), helm('pre-rollback')]);
    expect(plan.steps.map(({ phase, wave }) => `${phase} ${wave}`)).toEqual(['PreSync -5', 'Sync 0', 'PostSync -5']);
  });

  it('with only a generateName get the same name in the same run', () => {
    const { target: object } = hook('PreSync');
    const nameless = { ...object, metadata: { ...object.metadata, name: '', generateName: 'job-' } } as KubeObject;
    const names = planned([{ ref: refOf(nameless), target: nameless }]).steps[0]?.tasks.map(({ ref }) => ref.name);
    expect(names).toEqual(['job-0123456-presync-1767225600']);
  });

  describe('as a sync goes on', () => {
    const plan = planned([hook('PreSync'), hook('PostSync'), hook('SyncFail')]);
    const record = (name: string, syncPhase: string, fields: object = {}): TaskResult => {
      const kind = name === 'a' ? 'ConfigMap' : 'Pod';
      const hookType = name === 'a' ? {} : { hookType: syncPhase };
      const base = { group: '', version: 'v1', kind, namespace: 'n', name, syncPhase, ...hookType };
      return { ...base, status: 'Synced', hookPhase: 'Running', ...fields };
    };
    const pod = (phase: string): KubeObject =>
      make('Pod', 'x', {}, { spec: { restartPolicy: 'Never' }, status: { phase } });
    const look = (results: TaskResult[], phase: string) => progressOf({ plan, results, liveOf: () => pod(phase) });

    it('the resources wait for the hook to complete', () => {
      const running = look([record('presync', 'PreSync')], 'Running');
      expect(running.action).toEqual({ next: 'wait', message: 'waiting for completion of hook /Pod/presync' });
      const over = look([record('presync', 'PreSync')], 'Succeeded');
      expect(over.results).toMatchObject([{ hookPhase: 'Succeeded' }]);
      expect(over.action).toMatchObject({ next: 'run', tasks: [{ ref: { name: 'a' } }] });
    });

    it('a failed hook stops the sync; SyncFail hooks run, then it has failed', () => {
      const failed = look([record('presync', 'PreSync')], 'Failed');
      expect(failed.results).toMatchObject([{ hookPhase: 'Failed' }]);
      expect(failed.action).toMatchObject({ next: 'run', tasks: [{ ref: { name: 'syncfail' } }] });
      const results = [record('presync', 'PreSync', { hookPhase: 'Failed' }), record('syncfail', 'SyncFail')];
      expect(look(results, 'Running').action).toMatchObject({ next: 'wait' });
      expect(look(results, 'Succeeded').action).toEqual({
        next: 'fail',
        message: 'one or more synchronization tasks completed unsuccessfully',
      });
    });

    it('SyncFail hooks never run in a sync that succeeds', () => {
      const results = [record('presync', 'PreSync'), record('a', 'Sync'), record('postsync', 'PostSync')];
      expect(look(results, 'Succeeded').action).toMatchObject({ next: 'finish' });
    });
  });
});

describe('progress', () => {
  const first = make('Deployment', 'first', wave(0));
  const second = make('ConfigMap', 'second', wave(1));
  const plan = planSync({ pairs: [target(first), target(second)], options: options() });
  const result = (object: KubeObject, status = 'Synced') => ({
    ...gvkOf(object),
    namespace: 'n',
    name: object.metadata.name,
    status,
  });
  const next = (results: ReturnType<typeof result>[], live?: KubeObject) =>
    progressOf({ plan, results, liveOf: () => live }).action;
  const withStatus = (status: object) => ({ ...first, spec: { replicas: 1 }, status }) as unknown as KubeObject;

  it('runs the first step, waits for its health, runs the second, finishes', () => {
    expect(next([])).toMatchObject({ next: 'run', isLast: false });
    expect(next([result(first)], withStatus({}))).toEqual({
      next: 'wait',
      message: 'waiting for healthy state of apps/Deployment/first',
    });
    expect(next([result(first)])).toMatchObject({ next: 'wait' });
    const healthy = withStatus({ updatedReplicas: 1, replicas: 1, availableReplicas: 1 });
    expect(next([result(first)], healthy)).toMatchObject({ next: 'run', isLast: true });
    expect(next([result(first), result(second)], healthy)).toEqual({
      next: 'finish',
      message: 'successfully synced (all tasks run)',
    });
  });

  it('goes no further after a failure', () => {
    expect(next([result(first, 'SyncFailed')])).toMatchObject({ next: 'fail' });
    const late = withStatus({ conditions: [{ type: 'Progressing', reason: 'ProgressDeadlineExceeded' }] });
    expect(next([result(first)], late)).toMatchObject({ next: 'fail' });
  });
});
