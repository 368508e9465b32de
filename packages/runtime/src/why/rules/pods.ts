// What keeps pods from running, from what the tree says of them and, when it was asked for, from the pods themselves,
// their events and their last log lines.
import type { Explanation, ExplanationLink, Remedy, ResourceNode } from '@fairlead/contracts';
import type { ContainerStatus, Evidence, PodObject } from '../evidence.ts';
import { act, count, deployedCommit, hint, link, objectLink, pathTo, type Rule } from '../rule.ts';

interface PodTrouble {
  readonly cause: string;
  /** Over everything known about the pod in one text: reasons and messages, a line each. */
  readonly matches: RegExp;
  readonly verb: string;
  readonly title: string;
  readonly remedies: readonly Remedy[];
}

const revert = act('revert', 'Revert the commit');

const troubles: readonly PodTrouble[] = [
  {
    cause: 'image-pull-failed',
    matches:
      /ErrImagePull|ImagePullBackOff|InvalidImageName|ErrImageNeverPull|pulling image|manifest unknown|pull access denied/i,
    verb: 'cannot pull the image',
    title: 'Registry answered',
    remedies: [revert, hint('Push the image, correct its name, or give the namespace a pull secret')],
  },
  {
    cause: 'config-missing',
    matches: /CreateContainerConfigError|(secret|configmap) "[^"]+" not found|couldn't find key/i,
    verb: 'cannot be configured',
    title: 'What is missing',
    remedies: [hint('Add the Secret or ConfigMap named below, in the same namespace'), revert],
  },
  {
    cause: 'volume-missing',
    matches:
      /FailedMount|FailedAttachVolume|MountVolume|persistentvolumeclaim "[^"]+" not found|unbound immediate PersistentVolumeClaims/i,
    verb: 'waits for a volume',
    title: 'The volume',
    remedies: [hint('See the PersistentVolumeClaim and its storage class')],
  },
  {
    cause: 'unschedulable',
    matches: /Unschedulable|FailedScheduling|nodes are available|Insufficient (cpu|memory)|had untolerated taint/i,
    verb: 'finds no node',
    title: 'The scheduler says',
    remedies: [hint('Ask for less, add nodes, or change selectors and tolerations')],
  },
  {
    cause: 'out-of-memory',
    matches: /OOMKilled/,
    verb: 'was killed: it used more memory than its limit',
    title: 'The container',
    remedies: [hint('Raise the memory limit, or find what grows'), revert],
  },
  {
    cause: 'crash-loop',
    matches: /CrashLoopBackOff|back-off .*restarting failed container/i,
    verb: 'crashes again and again',
    title: 'Last words',
    remedies: [revert, hint('Read the logs of the previous container')],
  },
  {
    cause: 'start-failed',
    matches:
      /RunContainerError|CreateContainerError|StartError|ContainerCannotRun|executable file not found|PostStartHookError/i,
    verb: 'cannot be started',
    title: 'The container runtime answered',
    remedies: [revert, hint('Correct the command, the mounts or the security context')],
  },
  {
    cause: 'evicted',
    matches: /Evicted|The node was low on resource/i,
    verb: 'was evicted from its node',
    title: 'The node says',
    remedies: [hint('Set requests that match the use, or add room on the nodes')],
  },
  {
    cause: 'probe-failing',
    matches: /(readiness|liveness|startup) probe failed|Unhealthy/i,
    verb: 'does not pass its probe',
    title: 'The probe got',
    remedies: [hint('See whether the probe’s path and port are right, and the logs'), revert],
  },
  {
    cause: 'container-failed',
    matches: /failed with exit code (\d+)|exit code:? ?[1-9]|\bError\b/,
    verb: 'ended with an error',
    title: 'Last words',
    remedies: [hint('Read its logs'), revert],
  },
];

export const troubledPods: Rule = (evidence) => {
  const pods = evidence.nodes.filter(({ kind, health }) => kind === 'Pod' && health && health.status !== 'Healthy');
  for (const trouble of troubles) {
    const hit = pods.filter((pod) => trouble.matches.test(factsOf(pod, evidence).join('\n')));
    if (hit[0]) return explain(evidence, trouble, hit);
  }
  return undefined;
};

function explain(evidence: Evidence, trouble: PodTrouble, hit: readonly ResourceNode[]): Explanation {
  const [pod] = hit as [ResourceNode, ...ResourceNode[]]; // the caller has looked
  const facts = factsOf(pod, evidence);
  const quote = quoteOf(trouble, pod, facts, evidence);
  const owners = pathTo(pod, evidence.nodes).slice(0, -1);
  const image = pod.images?.[0];
  const actor = deployedCommit(evidence.application);
  const subject = hit.length === 1 ? '1 pod' : count(hit.length, 'pod');
  const plural =
    hit.length === 1 ? trouble.verb : trouble.verb.replace(/^(cannot|waits|finds|was|crashes|does|ended)/, pluralVerb);
  const chain: ExplanationLink[] = [
    ...owners.filter(({ kind }) => kind !== 'ReplicaSet').map((owner) => objectLink(owner, owner.health?.message)),
    objectLink(pod, stateOf(pod, evidence)),
    link(trouble.title, { quote }),
  ];
  return {
    cause: trouble.cause,
    headline: `${subject} ${plural}${trouble.cause === 'image-pull-failed' && image ? ` ${image}` : ''}.`,
    ...(pod.createdAt ? { since: pod.createdAt } : {}),
    ...(actor ? { actor } : {}),
    chain,
    remedies: [...trouble.remedies],
  };
}

const plurals: Readonly<Record<string, string>> = {
  waits: 'wait',
  finds: 'find',
  was: 'were',
  crashes: 'crash',
  does: 'do',
};
const pluralVerb = (verb: string) => plurals[verb] ?? verb;

/** The most telling words: log lines for a crash, else the first fact that matched, else all of them. */
function quoteOf(trouble: PodTrouble, pod: ResourceNode, facts: readonly string[], { logs }: Evidence): string {
  const lines = logs?.find(({ pod: name }) => name === pod.name)?.lines ?? [];
  if (trouble.title === 'Last words' && lines.length > 0) return lines.slice(-10).join('\n');
  const telling = facts.filter((fact) => trouble.matches.test(fact)).sort((a, b) => b.length - a.length);
  const words = telling[0] ?? facts.join('\n');
  return trouble.cause === 'image-pull-failed' ? registryWords(words) : words;
}

/** Container runtimes wrap the registry's answer in what they were doing; the answer is what follows the last quote. */
function registryWords(text: string): string {
  const answer = text.split('": ').at(-1) ?? text;
  return answer.length > 10 ? answer : text;
}

/** Every reason and message known about the pod. */
function factsOf(node: ResourceNode, { pods, events }: Evidence): string[] {
  const facts = [node.health?.message, ...(node.info ?? []).map(({ value }) => value)];
  const pod = pods?.find(({ metadata }) => metadata.name === node.name && metadata.namespace === node.namespace);
  if (pod) facts.push(...podFacts(pod));
  for (const { reason, message, object } of events ?? []) {
    const isAbout = object.kind === 'Pod' && object.name === node.name && object.namespace === node.namespace;
    if (isAbout) facts.push(`${reason}: ${message}`);
  }
  return [...new Set(facts.filter((fact): fact is string => Boolean(fact)))];
}

function podFacts({ status }: PodObject): string[] {
  const containers = [...(status?.initContainerStatuses ?? []), ...(status?.containerStatuses ?? [])];
  return [
    [status?.reason, status?.message].filter(Boolean).join(': '),
    ...(status?.conditions ?? [])
      .filter((condition) => condition.status !== 'True')
      .map(({ reason, message }) => [reason, message].filter(Boolean).join(': ')),
    ...containers.flatMap(containerFacts),
  ];
}

function containerFacts({ state, lastState }: ContainerStatus): string[] {
  const ended = (terminated: { reason?: string; message?: string; exitCode?: number } | undefined) =>
    terminated && terminated.exitCode !== 0
      ? [terminated.reason, terminated.message ?? `exit code ${terminated.exitCode}`].filter(Boolean).join(': ')
      : '';
  const waiting = state?.waiting;
  return [
    waiting ? [waiting.reason, waiting.message].filter(Boolean).join(': ') : '',
    ended(state?.terminated),
    ended(lastState?.terminated),
  ];
}

/** How it shows: restarts when they are known, else the reason Kubernetes gives in a word. */
function stateOf(node: ResourceNode, { pods }: Evidence): string | undefined {
  const pod = pods?.find(({ metadata }) => metadata.name === node.name && metadata.namespace === node.namespace);
  const restarts = (pod?.status?.containerStatuses ?? []).reduce((sum, { restartCount = 0 }) => sum + restartCount, 0);
  const reason = node.info?.find(({ name }) => name === 'Status Reason')?.value;
  return [reason, restarts > 0 ? count(restarts, 'restart') : undefined].filter(Boolean).join(', ') || undefined;
}
