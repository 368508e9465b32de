// What runs for an application, read from what the runtime reports: its workloads with their pods, replicas, images and
// labels, and the Services that lead to them. Manifests are of anybody: every field is looked at before it is believed.
import type { ApplicationDetail, HealthCode } from '@fairlead/contracts';
import type { ResourceRef } from '../../api/index.ts';
import { buildGraph, type GraphNode, type ResourceGraph } from '../../graph/index.ts';

const kinds: readonly string[] = ['Deployment', 'StatefulSet', 'DaemonSet', 'Rollout', 'ReplicaSet', 'Job', 'CronJob'];

export interface Workload {
  readonly node: GraphNode;
  /** Of its pods. */
  readonly pods: readonly HealthCode[];
}

/** Those that hang directly from the application, worst first; what they made stands for itself in `pods`. */
export function workloadsOf(detail: ApplicationDetail): {
  readonly workloads: readonly Workload[];
  readonly services: readonly ResourceRef[];
} {
  const graph = buildGraph(detail);
  const tops = [...graph.nodes.values()].filter(({ parent }) => parent === '');
  const workloads = tops
    .filter(({ kind }) => kinds.includes(kind))
    .map((node) => ({ node, pods: podsBelow(graph, node.key) }));
  const services = tops.filter(({ kind, group }) => kind === 'Service' && group === '');
  return { workloads: workloads.sort((a, b) => rank(a) - rank(b)), services };
}

const order: readonly HealthCode[] = ['Degraded', 'Missing', 'Progressing', 'Suspended', 'Unknown', 'Healthy'];
const rank = ({ node }: Workload): number => order.indexOf(node.health ?? 'Unknown');

function podsBelow({ nodes, children }: ResourceGraph, key: string): readonly HealthCode[] {
  return (children.get(key) ?? []).flatMap((child) => {
    const node = nodes.get(child);
    return node?.kind === 'Pod' ? [node.health ?? 'Unknown'] : podsBelow({ nodes, children }, child);
  });
}

type Tree = Readonly<Record<string, unknown>>;
const treeOf = (value: unknown): Tree =>
  typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Tree) : {};
const listOf = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);
const numberOf = (value: unknown): number | undefined => (typeof value === 'number' ? value : undefined);
const textsOf = (value: unknown): Readonly<Record<string, string>> =>
  Object.fromEntries(
    Object.entries(treeOf(value)).filter((entry): entry is [string, string] => typeof entry[1] === 'string'),
  );

export interface WorkloadFacts {
  /** Undefined for kinds that have none, such as CronJob. */
  readonly replicas: { readonly ready: number; readonly wanted: number } | undefined;
  readonly images: readonly string[];
  readonly labels: Readonly<Record<string, string>>;
  readonly podLabels: Readonly<Record<string, string>>;
}

/** From the object in the cluster, or from Git when it is not there yet. */
export function factsOf(manifest: unknown): WorkloadFacts {
  const { metadata, spec: rawSpec, status: rawStatus } = treeOf(manifest);
  const [spec, status] = [treeOf(rawSpec), treeOf(rawStatus)];
  const template = treeOf(spec['template'] ?? treeOf(treeOf(spec['jobTemplate'])['spec'])['template']);
  const wanted = numberOf(spec['replicas']) ?? numberOf(status['desiredNumberScheduled']);
  const ready = numberOf(status['readyReplicas']) ?? numberOf(status['numberReady']) ?? 0;
  const images = listOf(treeOf(template['spec'])['containers']).map((container) => treeOf(container)['image']);
  return {
    replicas: wanted === undefined ? undefined : { ready, wanted },
    images: images.filter((image) => typeof image === 'string'),
    labels: textsOf(treeOf(metadata)['labels']),
    podLabels: textsOf(treeOf(template['metadata'])['labels']),
  };
}

export interface Endpoint {
  readonly service: string;
  /** `10.96.0.14:80`, `shop.example.com:443`, or only `:80` when there is no address yet. */
  readonly addresses: readonly string[];
}

/** Where pods with these labels can be reached, by the Services whose selector takes them. */
export function endpointsOf(
  services: readonly unknown[],
  podLabels: Readonly<Record<string, string>>,
): readonly Endpoint[] {
  return services.flatMap((manifest) => {
    const { metadata, spec: rawSpec, status } = treeOf(manifest);
    const spec = treeOf(rawSpec);
    const selector = Object.entries(textsOf(spec['selector']));
    const isMine = selector.length > 0 && selector.every(([key, value]) => podLabels[key] === value);
    const name = treeOf(metadata)['name'];
    if (!isMine || typeof name !== 'string') return [];
    const ingress = listOf(treeOf(treeOf(status)['loadBalancer'])['ingress']).map(treeOf);
    const outside = ingress.map(({ hostname, ip }) => hostname ?? ip);
    const hosts = [spec['clusterIP'], ...outside].filter((host) => typeof host === 'string' && host !== 'None');
    const ports = listOf(spec['ports']).map((port) => numberOf(treeOf(port)['port']));
    const known = ports.filter((port) => port !== undefined);
    const addresses = (hosts.length > 0 ? hosts : ['']).flatMap((host) => known.map((port) => `${host}:${port}`));
    return [{ service: name, addresses }];
  });
}
