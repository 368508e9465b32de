// Resource quotas: what a namespace uses is counted from what is stored, when something new asks to be let in and when a
// quota's status is told. Counts of objects and requests of pods; scopes are not looked at.
import { type KubeObject, listAt, recordAt, stringAt } from '@fairlead/kube/object';
import { qualifiedPlural, type ResourceType } from '../registry/index.ts';
import { canonicalQuantity, parseQuantity } from '../schema/index.ts';
import type { Store } from '../storage/index.ts';
import { forbidden } from './status-error.ts';

const one = 1_000_000_000n;

/** In billionths, by the name a quota calls it. */
type Usage = ReadonlyMap<string, bigint>;

const plainCounts = [
  'configmaps',
  'persistentvolumeclaims',
  'pods',
  'replicationcontrollers',
  'resourcequotas',
  'secrets',
  'services',
];

/** What one object uses up. Pods that have ended use nothing. */
function usageOf(type: Pick<ResourceType, 'plural' | 'group' | 'kind'>, object: KubeObject): Usage {
  const usage = new Map<string, bigint>([[`count/${qualifiedPlural(type)}`, one]]);
  const hasEnded = ['Succeeded', 'Failed'].includes(stringAt(object, 'status', 'phase') ?? '');
  if (type.group === '' && type.kind === 'Pod' && hasEnded) return usage;
  if (type.group === '' && plainCounts.includes(type.plural)) usage.set(type.plural, one);
  if (type.group === '' && type.kind === 'Pod') addPod(usage, object);
  const serviceType = type.group === '' && type.kind === 'Service' ? stringAt(object, 'spec', 'type') : undefined;
  if (serviceType === 'LoadBalancer') usage.set('services.loadbalancers', one);
  if (serviceType === 'NodePort') usage.set('services.nodeports', one);
  return usage;
}

function addPod(usage: Map<string, bigint>, pod: KubeObject): void {
  for (const container of listAt(pod, 'spec', 'containers')) {
    for (const kind of ['requests', 'limits']) {
      for (const [name, amount] of Object.entries(recordAt(container, 'resources', kind))) {
        const size = parseQuantity(String(amount)) ?? 0n;
        const names = kind === 'requests' ? [name, `requests.${name}`] : [`limits.${name}`];
        for (const key of names) usage.set(key, (usage.get(key) ?? 0n) + size);
      }
    }
  }
}

/** What the namespace uses of what the quota limits, as it is told in its status. */
export function quotaUsage(store: Store, types: readonly ResourceType[], quota: KubeObject): Record<string, string> {
  const { namespace } = quota.metadata;
  const sums = new Map(Object.keys(recordAt(quota, 'spec', 'hard')).map((name) => [name, 0n]));
  for (const type of types) {
    const probe = usageOf(type, quota);
    const isPod = type.group === '' && type.kind === 'Pod';
    if (!isPod && ![...probe.keys(), ...extraNames(type)].some((name) => sums.has(name))) continue;
    for (const { object } of store.collection(type.storageKey).scan({ namespace })) {
      for (const [name, size] of usageOf(type, object)) {
        const before = sums.get(name);
        if (before !== undefined) sums.set(name, before + size);
      }
    }
  }
  return Object.fromEntries([...sums].map(([name, size]) => [name, quantityText(size)]));
}

const extraNames = ({ kind, group }: ResourceType) =>
  group === '' && kind === 'Service' ? ['services.loadbalancers', 'services.nodeports'] : [];

const quantityText = (nanos: bigint) =>
  nanos % one === 0n ? String(nanos / one) : (canonicalQuantity(`${nanos}n`) ?? '0');

/** Refuses what would exceed a quota of its namespace. */
export function checkQuotas(store: Store, type: ResourceType, object: KubeObject): void {
  const { namespace = '', name } = object.metadata;
  if (!type.namespaced) return;
  for (const { object: quota } of store.collection('resourcequotas').scan({ namespace })) {
    const asked = usageOf(type, object);
    const { hard, used } = { hard: recordAt(quota, 'spec', 'hard'), used: quotaUsage(store, [type], quota) };
    const exceeded = Object.entries(hard).filter(([key, limit]) => {
      const wanted = asked.get(key);
      return (
        wanted !== undefined && (parseQuantity(used[key] ?? '0') ?? 0n) + wanted > (parseQuantity(String(limit)) ?? 0n)
      );
    });
    if (exceeded.length === 0) continue;
    const told = (amountOf: (key: string) => string) => exceeded.map(([key]) => `${key}=${amountOf(key)}`).join(',');
    const requested = told((key) => quantityText(asked.get(key) ?? 0n));
    const limited = told((key) => String(hard[key]));
    const why = `exceeded quota: ${quota.metadata.name}, requested: ${requested}, used: ${told((key) => used[key] ?? '0')}, limited: ${limited}`;
    throw forbidden(type, name, why);
  }
}
