// The deep look: what the reporter does not ask for, because it costs requests. Bounded: the first few troubled pods, their
// events and last lines. What cannot be had is left out; an explanation with less evidence is still one.
import type { Application, ResourceNode } from '@fairlead/contracts';
import type { ApplicationName, ArgoCdClient, EngineResource } from '../argo-cd/index.ts';
import type { ContainerLog, ContainerStatus, Evidence, KubeEvent, PodObject } from './evidence.ts';

const maxPods = 5;
const maxOwners = 5;
const logLines = 20;

interface Look {
  readonly signal: AbortSignal;
}

export async function gatherEvidence(engine: ArgoCdClient, app: ApplicationName, look: Look): Promise<Evidence> {
  const [application, tree, managed] = await Promise.all([
    engine.getApplication(app, look),
    engine.resourceTree(app, look),
    engine.managedResources(app, look),
  ]);
  const nodes = tree.nodes ?? [];
  const troubled = nodes.filter(({ health }) => health && health.status !== 'Healthy');
  const podNodes = troubled.filter(({ kind, group = '' }) => kind === 'Pod' && group === '').slice(0, maxPods);
  const owners = troubled.filter(({ kind }) => kind !== 'Pod').slice(0, maxOwners);
  const pods = (await each(podNodes, (node) => engine.liveResource(app, partOf(node), look))) as PodObject[];
  const [events, logs] = await Promise.all([
    each([...podNodes, ...owners], (node) => eventsOf(engine, app, { node, ...look })),
    each(pods, (pod) => lastWords(engine, app, { pod, ...look })),
  ]);
  return { application: application as Application, nodes, managed, pods, events: events.flat(), logs: logs.flat() };
}

/** Those that can be had. A cancelled look gives none, and the caller's own signal says why. */
async function each<T, R>(items: readonly T[], ask: (item: T) => Promise<R>): Promise<R[]> {
  const asked = await Promise.allSettled(items.map(ask));
  return asked.flatMap((result) => (result.status === 'fulfilled' && result.value ? [result.value] : []));
}

const partOf = ({ group = '', version = 'v1', kind, namespace = '', name, uid }: ResourceNode): EngineResource => ({
  group,
  version,
  kind,
  namespace,
  name,
  uid,
});

async function eventsOf(
  engine: ArgoCdClient,
  app: ApplicationName,
  { node, signal }: Look & { node: ResourceNode },
): Promise<KubeEvent[]> {
  const { kind, namespace = '', name } = node;
  const events = await engine.events(app, partOf(node), { signal });
  // Normal events tell how things should go (`Pulling image …`) and would be taken for trouble.
  const warnings = events.filter((event) => (event as { type?: unknown }).type === 'Warning');
  return warnings.map((event) => {
    const { reason = '', message = '', count, lastTimestamp } = event as Partial<KubeEvent>;
    return {
      reason,
      message,
      ...(count === undefined ? {} : { count }),
      ...(lastTimestamp ? { lastTimestamp } : {}),
      object: { kind, namespace, name },
    };
  });
}

/** The last lines of containers that ended badly or do not run: of the run before, when there was one. */
async function lastWords(
  engine: ArgoCdClient,
  app: ApplicationName,
  { pod, signal }: Look & { pod: PodObject },
): Promise<ContainerLog[]> {
  const { name, namespace = '' } = pod.metadata;
  const of = { group: '', version: 'v1', kind: 'Pod', namespace, name };
  const statuses = [...(pod.status?.initContainerStatuses ?? []), ...(pod.status?.containerStatuses ?? [])];
  return each(statuses.filter(isTroubled), async ({ name: container, restartCount = 0, state }) => {
    const previous = restartCount > 0 && state?.terminated === undefined;
    const wanted = { of, pod: name, container, previous, tailLines: logLines };
    const lines: string[] = [];
    for await (const { content } of engine.logs(app, wanted, { signal })) lines.push(content);
    return { pod: name, container, lines };
  });
}

const isTroubled = ({ state, lastState }: ContainerStatus): boolean =>
  state?.terminated?.exitCode !== undefined && state.terminated.exitCode !== 0
    ? true
    : lastState?.terminated !== undefined && lastState.terminated.exitCode !== 0;
