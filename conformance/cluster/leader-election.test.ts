// Several candidates against one real lease.
import { type RunningCluster, startCluster } from '@fairlead/cluster';
import { KubeClient, type LeaderElectionOptions, loadKubeconfig, runLeaderElection } from '@fairlead/kube';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';

let cluster: RunningCluster;
let client: KubeClient;
beforeAll(async () => {
  cluster = await startCluster({ controllers: 'none' });
  client = new KubeClient(await loadKubeconfig(cluster.kubeconfig));
});
afterAll(async () => {
  await client.close();
  await cluster.stop();
});

const untilAborted = (signal: AbortSignal) =>
  new Promise<void>((resolve) => {
    if (signal.aborted) resolve();
    else signal.addEventListener('abort', () => resolve(), { once: true });
  });

interface Candidate {
  readonly stop: AbortController;
  readonly done: Promise<void>;
}

function candidate(identity: string, name: string, terms: string[]): Candidate {
  const stop = new AbortController();
  const done = runLeaderElection({
    client,
    namespace: 'default',
    name,
    identity,
    signal: stop.signal,
    leaseMs: 2000,
    renewWithinMs: 1500,
    retryMs: 100,
    lead: async ({ signal, transitions }) => {
      terms.push(`+${identity}@${transitions}`);
      await untilAborted(signal);
      terms.push(`-${identity}`);
    },
  });
  return { stop, done };
}

const waitFor = (check: () => void) => vi.waitFor(check, { timeout: 30_000, interval: 25 });

describe('leader election', () => {
  it('has one leader at a time, and the next one under a higher number', async () => {
    const terms: string[] = [];
    const candidates = ['a', 'b', 'c'].map((identity) => ({ identity, ...candidate(identity, 'one', terms) }));
    await waitFor(() => expect(terms).toHaveLength(1));
    const first = candidates.find(({ identity }) => terms[0] === `+${identity}@0`);
    first?.stop.abort();
    await first?.done;
    await waitFor(() => expect(terms).toHaveLength(3));
    expect(terms[1]).toBe(`-${first?.identity}`);
    expect(terms[2]).toMatch(/^\+[abc]@1$/);
    for (const { stop } of candidates) stop.abort();
    await Promise.all(candidates.map(({ done }) => done));
  });

  it('ends, and gives the lease back, when it is told to stop while it takes it', async () => {
    const stop = new AbortController();
    const stopping: LeaderElectionOptions['client'] = {
      get: (...args) => client.get(...args),
      update: (...args) => client.update(...args),
      create: (...args) => {
        stop.abort();
        return client.create(...args);
      },
    };
    await runLeaderElection({
      client: stopping,
      namespace: 'default',
      name: 'late',
      identity: 'a',
      signal: stop.signal,
      lead: ({ signal }) => untilAborted(signal),
    });
    const ref = { group: 'coordination.k8s.io', version: 'v1', kind: 'Lease', namespace: 'default', name: 'late' };
    expect(await client.get(ref)).toMatchObject({ spec: { holderIdentity: '' } });
  });

  it('steps down when somebody else holds the lease', async () => {
    const terms: string[] = [];
    const { stop, done } = candidate('a', 'stolen', terms);
    await waitFor(() => expect(terms).toEqual(['+a@0']));
    const ref = { group: 'coordination.k8s.io', version: 'v1', kind: 'Lease', namespace: 'default', name: 'stolen' };
    await client.patch(ref, { spec: { holderIdentity: 'thief' } }, { type: 'merge' });
    await waitFor(() => expect(terms).toEqual(['+a@0', '-a']));
    // The thief never renews: after its time the lease is free again.
    await waitFor(() => expect(terms.at(-1)).toBe('+a@1'));
    stop.abort();
    await done;
  });
});
