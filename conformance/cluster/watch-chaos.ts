// Informers behind a bad network while their objects change: in the end every copy must equal the store.
import { setMaxListeners } from 'node:events';
import { type RunningCluster, startCluster } from '@fairlead/cluster';
import { Informer, isNotFound, KubeClient, type KubeObject, loadKubeconfig } from '@fairlead/kube';
import { FaultProxy, faults } from './fault-proxy.ts';

export interface ChaosPlan {
  readonly seed: number;
  /** At least so long, and on a slow machine until there were so many faults. */
  readonly durationMs: number;
  readonly leastFaults: number;
  readonly informers: number;
}

export interface ChaosReport {
  readonly writes: number;
  readonly faults: Readonly<Record<string, number>>;
  /** How long the last informer took to be true after the last write and fault. */
  readonly settledMs: number;
  readonly relists: number;
  /** Copies that never became equal. */
  readonly wrong: readonly string[];
}

const namespace = 'default';
const settleLimitMs = 60_000;

export async function runWatchChaos(plan: ChaosPlan): Promise<ChaosReport> {
  const cluster = await startCluster({ controllers: 'none' });
  const { port } = new URL(cluster.url);
  const proxy = await FaultProxy.start({ host: '127.0.0.1', port: Number(port) });
  const stopping = new AbortController();
  setMaxListeners(0, stopping.signal); // a listener or two for each informer, gone with its request
  const direct = new KubeClient(await loadKubeconfig(cluster.kubeconfig));
  const throughProxy = cluster.kubeconfig.replace(`:${port}`, `:${proxy.port}`);
  const watchers = await Promise.all(
    Array.from({ length: plan.informers }, () => startInformer(throughProxy, stopping.signal)),
  );
  try {
    const random = seeded(plan.seed);
    const writes = await play({ plan, random, direct, proxy });
    return await settle({ cluster, direct, watchers, proxy, writes });
  } finally {
    stopping.abort();
    await Promise.all(watchers.map(({ client, done }) => Promise.all([client.close(), done])));
    await direct.close();
    await proxy.stop();
    await cluster.stop();
  }
}

async function startInformer(kubeconfig: string, signal: AbortSignal) {
  const client = new KubeClient(await loadKubeconfig(kubeconfig), { timeoutMs: 2000 });
  const query = { apiVersion: 'v1', kind: 'ConfigMap', namespace };
  // Bookmarks come once a minute; the network here is worse than that.
  const informer = new Informer({ client, query, idleLimitMs: 1500 });
  return { client, informer, done: informer.run({ signal }) };
}

interface Stage {
  readonly plan: ChaosPlan;
  readonly random: () => number;
  readonly direct: KubeClient;
  readonly proxy: FaultProxy;
}

async function play({ plan, random, direct, proxy }: Stage): Promise<number> {
  const endMs = performance.now() + plan.durationMs;
  let writes = 0;
  const faultsSoFar = () => [...proxy.injected.values()].reduce((sum, count) => sum + count, 0);
  while (performance.now() < endMs || faultsSoFar() < plan.leastFaults) {
    for (let burst = 0; burst < 20; burst++) {
      await write(direct, random);
      writes++;
    }
    const fault = faults[Math.floor(random() * faults.length)] ?? 'reset';
    const share = random();
    proxy.inject(fault, () => random() < share);
    await new Promise((resolve) => setTimeout(resolve, random() * 100));
  }
  return writes;
}

async function write(client: KubeClient, random: () => number): Promise<void> {
  const name = `c-${Math.floor(random() * 60)}`;
  const ref = { group: '', version: 'v1', kind: 'ConfigMap', namespace, name };
  const data = { value: String(random()) };
  if (random() < 0.3) {
    await client.delete(ref).catch(unlessNotFound);
    return;
  }
  const patched = await client.patch(ref, { data }, { type: 'merge' }).catch(unlessNotFound);
  if (!patched) await client.create({ apiVersion: 'v1', kind: 'ConfigMap', metadata: { name, namespace }, data });
}

function unlessNotFound(error: unknown): undefined {
  if (!isNotFound(error)) throw error;
}

interface Settling {
  readonly cluster: RunningCluster;
  readonly direct: KubeClient;
  readonly watchers: readonly { readonly informer: Informer }[];
  readonly proxy: FaultProxy;
  readonly writes: number;
}

async function settle({ direct, watchers, proxy, writes }: Settling): Promise<ChaosReport> {
  const startedMs = performance.now();
  const { items } = await direct.list({ apiVersion: 'v1', kind: 'ConfigMap', namespace });
  const truth = versionsOf(items);
  const isTrue = ({ informer }: { informer: Informer }) => versionsOf(informer.list()) === truth;
  while (!watchers.every(isTrue) && performance.now() - startedMs < settleLimitMs) {
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
  return {
    writes,
    faults: Object.fromEntries(proxy.injected),
    settledMs: Math.round(performance.now() - startedMs),
    relists: watchers.reduce((sum, { informer }) => sum + informer.stats.lists, 0),
    wrong: watchers.filter((watcher) => !isTrue(watcher)).map(({ informer }) => JSON.stringify(informer.stats)),
  };
}

const versionsOf = (objects: readonly KubeObject[]) =>
  objects
    .map(({ metadata }) => `${metadata.name}@${metadata.resourceVersion}`)
    .sort()
    .join(' ');

/** The same numbers for the same seed (xorshift). */
export function seeded(seed: number): () => number {
  let state = seed >>> 0 || 1;
  return () => {
    state ^= state << 13;
    state ^= state >>> 17;
    state ^= state << 5;
    return (state >>> 0) / 2 ** 32;
  };
}
