// What is reported of one Rollout, ReplicaSet, AnalysisRun or Workflow. Pure.
import {
  defaultEngineNamespace,
  trackingIdAnnotation,
  type WorkloadKind,
  type WorkloadReport,
  workloadKinds,
} from '@fairlead/contracts';
import { controllerOf, type KubeObject, listAt, numberAt, parseApiVersion, recordAt, stringAt } from '@fairlead/kube';
import type { Redactor } from '../application-reporter/index.ts';

export type ApplicationOf = NonNullable<WorkloadReport['application']>;

interface Surroundings {
  /** Address of the cluster's server. */
  readonly cluster: string;
  readonly application: ApplicationOf | undefined;
  readonly redactor: Redactor;
}

const maxManifestBytes = 256 * 1024;
const maxMessageLength = 1_000;

export function workloadOf(object: KubeObject, { cluster, application, redactor }: Surroundings): WorkloadReport {
  const { metadata } = object;
  const { group, version } = parseApiVersion(object.apiVersion);
  const owner = controllerOf(object);
  const { phase, message } = stateOf(object);
  const manifest = redactor.manifest(object) as Record<string, unknown>; // objects stay objects
  const isSmall = JSON.stringify(manifest).length <= maxManifestBytes;
  return {
    ...{ cluster, group, version, kind: kindOf(object), namespace: metadata.namespace ?? '', name: metadata.name },
    uid: metadata.uid ?? '',
    ...(metadata.creationTimestamp ? { createdAt: metadata.creationTimestamp } : {}),
    ...(application ? { application } : {}),
    ...(owner ? { owner: { kind: owner.kind, name: owner.name } } : {}),
    phase,
    ...(message ? { message: redactor.text(message).slice(0, maxMessageLength) } : {}),
    ...replicasOf(object),
    images: imagesOf(object),
    ...(isSmall ? { manifest } : {}),
  };
}

/** Only these kinds are watched. */
function kindOf({ kind }: KubeObject): WorkloadKind {
  const known = workloadKinds.find((each) => each === kind);
  if (!known) throw new Error(`${kind} is not watched`);
  return known;
}

function stateOf(object: KubeObject): { phase: string; message: string | undefined } {
  if (object.kind !== 'ReplicaSet') {
    return { phase: stringAt(object, 'status', 'phase') ?? '', message: stringAt(object, 'status', 'message') };
  }
  const { desired, ready } = counts(object);
  const failure = listAt(object, 'status', 'conditions').find((each) => stringAt(each, 'type') === 'ReplicaFailure');
  const message = failure === undefined ? undefined : stringAt(failure, 'message');
  return { phase: message ? 'Degraded' : ready >= desired ? 'Healthy' : 'Progressing', message };
}

const counts = (object: KubeObject) => ({
  desired: Math.max(0, numberAt(object, 'spec', 'replicas') ?? 1),
  ready: Math.max(0, numberAt(object, 'status', 'readyReplicas') ?? 0),
});

function replicasOf(object: KubeObject): Pick<WorkloadReport, 'replicas'> {
  return object.kind === 'ReplicaSet' || object.kind === 'Rollout' ? { replicas: counts(object) } : {};
}

function imagesOf(object: KubeObject): string[] {
  const templates = [
    recordAt(object, 'spec', 'template', 'spec'),
    ...listAt(object, 'spec', 'templates').map((template) =>
      recordAt({ containers: [recordAt(template, 'container')] }),
    ),
  ];
  const containers = templates.flatMap((each) => [...listAt(each, 'initContainers'), ...listAt(each, 'containers')]);
  const images = containers.flatMap((container) => stringAt(container, 'image') ?? []);
  return [...new Set(images)];
}

/** Scaled-down ReplicaSets of Deployments are their history, kept by the ten; those of Rollouts are steps of a delivery. */
export function isReported(object: KubeObject): boolean {
  if (object.kind !== 'ReplicaSet' || controllerOf(object)?.kind === 'Rollout') return true;
  const running = numberAt(object, 'status', 'replicas') ?? 0;
  return running > 0 || (numberAt(object, 'spec', 'replicas') ?? 1) > 0;
}

/** From Argo CD's tracking: `<application>:<group>/<kind>:<namespace>/<name>`; `<namespace>_<application>` elsewhere. */
export function applicationIn({ metadata }: KubeObject): ApplicationOf | undefined {
  const [named = ''] = (metadata.annotations?.[trackingIdAnnotation] ?? '').split(':');
  if (named === '') return undefined;
  const [namespace, name] = named.includes('_') ? named.split('_', 2) : [defaultEngineNamespace, named];
  return namespace && name ? { namespace, name } : undefined;
}
