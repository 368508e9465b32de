// Troubles of things that are no pods, told by their own health.
import type { Explanation, HealthCode, Remedy, ResourceNode } from '@fairlead/contracts';
import { act, deployedCommit, hint, link, objectLink, pathTo, type Rule } from '../rule.ts';

interface WorkloadTrouble {
  readonly cause: string;
  readonly kinds: readonly string[];
  readonly status: HealthCode;
  readonly matches?: RegExp;
  readonly headline: (node: ResourceNode) => string;
  readonly remedies: readonly Remedy[];
}

const revert = act('revert', 'Revert the commit');
const named = ({ kind, name }: ResourceNode) => `${kind} ${name}`;

/** In the order they matter: what is broken before what is merely on its way. */
const troubles: readonly WorkloadTrouble[] = [
  {
    cause: 'progress-deadline-exceeded',
    kinds: ['Deployment'],
    status: 'Degraded',
    matches: /progress deadline/i,
    headline: (node) => `${named(node)} made no progress within its deadline.`,
    remedies: [revert, hint('See its newest pods')],
  },
  {
    cause: 'job-failed',
    kinds: ['Job'],
    status: 'Degraded',
    headline: (node) => `${named(node)} failed.`,
    remedies: [hint('Read the logs of its pods'), revert],
  },
  {
    cause: 'volume-lost',
    kinds: ['PersistentVolumeClaim'],
    status: 'Degraded',
    headline: (node) => `${named(node)} has lost its volume.`,
    remedies: [hint('Restore the PersistentVolume, or the data from a backup')],
  },
  {
    cause: 'autoscaler-blind',
    kinds: ['HorizontalPodAutoscaler'],
    status: 'Degraded',
    headline: (node) => `${named(node)} cannot scale.`,
    remedies: [hint('See whether the metrics it needs are served')],
  },
  {
    cause: 'child-application',
    kinds: ['Application'],
    status: 'Degraded',
    headline: (node) => `The application ${node.name} below it is degraded.`,
    remedies: [hint('Open that application')],
  },
  {
    cause: 'resource-degraded',
    kinds: [],
    status: 'Degraded',
    headline: (node) => `${named(node)} is degraded.`,
    remedies: [revert],
  },
  {
    cause: 'volume-pending',
    kinds: ['PersistentVolumeClaim'],
    status: 'Progressing',
    headline: (node) => `${named(node)} waits for a volume.`,
    remedies: [hint('See its storage class and the provisioner')],
  },
  {
    cause: 'load-balancer-pending',
    kinds: ['Service', 'Ingress'],
    status: 'Progressing',
    headline: (node) => `${named(node)} has no address yet.`,
    remedies: [hint('See whether the cluster has a load balancer or ingress controller')],
  },
  {
    cause: 'pending-deletion',
    kinds: [],
    status: 'Progressing',
    matches: /pending deletion/i,
    headline: (node) => `${named(node)} is being deleted.`,
    remedies: [hint('A finalizer may hold it: see metadata.finalizers')],
  },
  {
    cause: 'rolling-out',
    kinds: [],
    status: 'Progressing',
    headline: (node) => `${named(node)} is on its way.`,
    remedies: [],
  },
  {
    cause: 'suspended',
    kinds: [],
    status: 'Suspended',
    headline: (node) => `${named(node)} is paused.`,
    remedies: [hint('Resume it when you are ready')],
  },
];

export const troubledWorkload: Rule = ({ application, nodes }) => {
  for (const trouble of troubles) {
    const node = nodes.find((each) => isHit(trouble, each));
    if (node)
      return explain(trouble, node, nodes, trouble.status === 'Degraded' ? deployedCommit(application) : undefined);
  }
  return undefined;
};

function isHit({ kinds, status, matches }: WorkloadTrouble, { kind, health }: ResourceNode): boolean {
  if (health?.status !== status) return false;
  return (kinds.length === 0 || kinds.includes(kind)) && (!matches || matches.test(health.message ?? ''));
}

function explain(
  { cause, headline, remedies }: WorkloadTrouble,
  node: ResourceNode,
  nodes: readonly ResourceNode[],
  actor: string | undefined,
): Explanation {
  const path = pathTo(node, nodes);
  const message = node.health?.message;
  return {
    cause,
    headline: headline(node),
    ...(node.health?.lastTransitionTime ? { since: node.health.lastTransitionTime } : {}),
    ...(actor ? { actor } : {}),
    chain: [...path.map((each) => objectLink(each)), ...(message ? [link('It says', { quote: message })] : [])],
    remedies: [...remedies],
  };
}
