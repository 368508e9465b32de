// P-SYN-1: two engines on one cluster, and the one that acts is frozen, cut off or killed at a given write of a sync. The
// other ends the sync; when the first comes back, nothing it writes may arrive any more. On a machine that is too busy the lease
// of three seconds moves by itself, too: what each operation did is held to the same then, who did it is not.
import { numberAt, stringAt } from '@fairlead/kube';
import { expect } from 'vitest';
import type { EngineProcess, FaultWorld } from './faults.ts';
import { configMap, hook, manifests, refTo, wave } from './scenarios/objects.ts';
import { eventually, type Repository } from './world.ts';
import { madeIn, type Write } from './write-proxy.ts';

export const leaderFaults = ['frozen', 'parted', 'killed'] as const;

interface LeaderFault {
  readonly fault: (typeof leaderFaults)[number];
  /** Of the second sync, counting from 1. */
  readonly write: number;
  readonly when: 'before' | 'after';
}

/** The shortest there is: how long the other waits. */
const leaseSeconds = 3;
const state = (value: string) =>
  manifests(
    configMap('pre', value, hook('PreSync')),
    configMap('a', value),
    configMap('b', value, wave(1)),
    configMap('post', value, hook('PostSync', { 'argocd.argoproj.io/hook-delete-policy': 'HookSucceeded' })),
  );

const lease = {
  group: 'coordination.k8s.io',
  version: 'v1',
  kind: 'Lease',
  namespace: 'argocd',
  name: 'fairlead-engine',
};

/** False when the sync was over before it came to that write; undefined when another engine carried it out from the start. */
export async function survivesLoss(
  { world, engineProcess, repo }: FaultWorld & { readonly repo: Repository },
  name: string,
  { fault, write, when }: LeaderFault,
): Promise<boolean | undefined> {
  const moves = async () => numberAt(await world.get(lease), 'spec', 'leaseTransitions') ?? 0;
  const synced = (revision: string) =>
    eventually(async () => {
      const { status } = await world.app(name);
      expect(status?.sync).toMatchObject({ status: 'Synced', revision });
      expect(status?.operationState?.phase).toBe('Succeeded');
      return status;
    }, 45_000);
  const left = await engineProcess(`${name}-left`, { leaseSeconds });
  await eventually(async () => expect(await left.isActing()).toBe(true));
  const right = await engineProcess(`${name}-right`, { leaseSeconds });
  try {
    const begun = await moves();
    const commits = [await repo.push({ [`${name}/all.yaml`]: state('0') })];
    await world.application(name, {
      project: 'default',
      source: { repoURL: repo.url, path: name, targetRevision: 'main' },
      destination: { server: 'https://kubernetes.default.svc', namespace: name },
      syncPolicy: { automated: { prune: true, selfHeal: true }, syncOptions: ['CreateNamespace=true'] },
    });
    await synced(commits[0] ?? '');
    const push = async (value: string) => {
      commits.push(await repo.push({ [`${name}/all.yaml`]: state(value) }));
      const body = { metadata: { annotations: { 'argocd.argoproj.io/refresh': 'normal' } } };
      await world.client.patch(refTo('Application', name, 'argocd'), body, { type: 'merge' });
    };
    const isOfApplication = ({ path }: Write) => path.includes(`/${name}`);
    const idle = right.proxy.writes.filter(isOfApplication);
    if ((await moves()) === begun) expect(idle, 'an engine that stands by writes nothing').toEqual([]);
    left.proxy.arm({ write: left.proxy.writes.length + write, when, fault: () => strike(left, fault) });
    await push('1');
    const second = synced(commits[1] ?? '');
    const isHit = await Promise.race([left.proxy.dead.then(() => true), second.then(() => false)]);
    await second;
    if (!isHit) return (await moves()) === begun ? false : undefined;
    const before = left.proxy.writes.length;
    await comeBack(left, fault, async () => (await moves()) !== begun + 1);
    await push('2');
    const status = await synced(commits[2] ?? '');
    const late = left.proxy.writes.slice(before);
    if ((await moves()) === begun + 1) {
      expect(late, 'the one that lost the lease writes nothing').toEqual([]);
      expect(right.proxy.writes.filter(isOfApplication).length).toBeGreaterThan(0);
    }
    expect(status?.history?.map(({ id, revision }) => [id, revision])).toEqual(
      commits.map((commit, id) => [id, commit]),
    );
    expectHooksOnce([...left.proxy.writes, ...right.proxy.writes], name, commits.length);
    expect(stringAt(await world.get(refTo('ConfigMap', 'a', name)), 'data', 'key')).toBe('2');
    return true;
  } finally {
    await world.client.delete(refTo('Application', name, 'argocd')).catch(() => undefined); // the next case has its own
    await Promise.all([left.stop(), right.stop()]);
  }
}

function strike(engine: EngineProcess, fault: LeaderFault['fault']): void {
  if (fault === 'parted') engine.proxy.part();
  else engine.signal(fault === 'frozen' ? 'SIGSTOP' : 'SIGKILL');
}

async function comeBack(
  engine: EngineProcess,
  fault: LeaderFault['fault'],
  hasMovedAgain: () => Promise<boolean>,
): Promise<void> {
  if (fault === 'killed') return;
  if (fault === 'parted') engine.proxy.heal();
  else engine.signal('SIGCONT');
  await eventually(async () => expect((await engine.isActing()) && !(await hasMovedAgain())).toBe(false));
}

function expectHooksOnce(writes: readonly Write[], name: string, operations: number): void {
  const own = writes.filter(({ path }) => path.includes(`/${name}/`));
  for (const object of ['pre', 'post']) {
    const runs = madeIn(own, object).map(({ body }) => /"fairlead.io\/hook-run":"([^"]+)"/.exec(body)?.[1]);
    expect(new Set(runs).size, `${object} ran once an operation`).toBe(runs.length);
    expect(runs, `${object} ran in every operation`).toHaveLength(operations);
  }
}
