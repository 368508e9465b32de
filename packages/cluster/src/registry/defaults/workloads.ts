import { equalJson, isRecord, type KubeObject, numberAt, recordAt } from '@fairlead/kube/object';
import { fill, mapItems, mapMember } from './fill.ts';
import { defaultPodTemplate } from './pod-spec.ts';

const specOf = (object: KubeObject) => (isRecord(object['spec']) ? object['spec'] : {});
const withTemplate = (spec: Record<string, unknown>) => mapMember(spec, 'template', defaultPodTemplate);
const rollingUpdate = (spec: Record<string, unknown>, member: string, values: Record<string, unknown>) =>
  mapMember(spec, member, (strategy) =>
    isRecord(strategy) && strategy['type'] === 'RollingUpdate'
      ? { ...strategy, rollingUpdate: fill(strategy['rollingUpdate'], values) }
      : strategy,
  );
/** A strategy that names no type is a rolling update. */
const typed = (spec: Record<string, unknown>, member: string) => ({
  ...spec,
  [member]: fill(spec[member], { type: 'RollingUpdate' }),
});

export function defaultDeployment(object: KubeObject): KubeObject {
  const spec = fill(specOf(object), { replicas: 1, revisionHistoryLimit: 10, progressDeadlineSeconds: 600 });
  const limits = { maxSurge: '25%', maxUnavailable: '25%' };
  return { ...object, spec: withTemplate(rollingUpdate(typed(spec, 'strategy'), 'strategy', limits)) };
}

export function defaultReplicaSet(object: KubeObject): KubeObject {
  return { ...object, spec: withTemplate(fill(specOf(object), { replicas: 1 })) };
}

export function defaultReplicationController(object: KubeObject): KubeObject {
  const labels = templateLabels(object);
  const selector = Object.keys(labels).length > 0 ? { selector: labels } : {};
  return { ...withLabelsOfTemplate(object), spec: withTemplate(fill(specOf(object), { replicas: 1, ...selector })) };
}

const templateLabels = (object: KubeObject) =>
  recordAt(object, 'spec', 'template', 'metadata', 'labels') as Record<string, string>; // strings on the wire

/** Who has no labels carries those of its template, where that has some. */
function withLabelsOfTemplate(object: KubeObject): KubeObject {
  const { labels = {} } = object.metadata;
  const ofTemplate = templateLabels(object);
  const hasOwn = Object.keys(labels).length > 0 || Object.keys(ofTemplate).length === 0;
  return hasOwn ? object : { ...object, metadata: { ...object.metadata, labels: ofTemplate } };
}

/** A claim that is to be says what it is and where it begins. */
const claimTemplate = (claim: Record<string, unknown>) => ({
  ...fill(claim, { apiVersion: 'v1', kind: 'PersistentVolumeClaim' }),
  spec: fill(claim['spec'], { volumeMode: 'Filesystem' }),
  status: fill(claim['status'], { phase: 'Pending' }),
});

export function defaultStatefulSet(object: KubeObject): KubeObject {
  const spec = fill(specOf(object), {
    podManagementPolicy: 'OrderedReady',
    replicas: 1,
    revisionHistoryLimit: 10,
    persistentVolumeClaimRetentionPolicy: { whenDeleted: 'Retain', whenScaled: 'Retain' },
  });
  const withStrategy = rollingUpdate(typed(spec, 'updateStrategy'), 'updateStrategy', { partition: 0 });
  return { ...object, spec: mapItems(withTemplate(withStrategy), 'volumeClaimTemplates', claimTemplate) };
}

export function defaultDaemonSet(object: KubeObject): KubeObject {
  const spec = fill(specOf(object), { revisionHistoryLimit: 10 });
  const limits = { maxSurge: 0, maxUnavailable: 1 };
  const next = withTemplate(rollingUpdate(typed(spec, 'updateStrategy'), 'updateStrategy', limits));
  const annotations = { [templateGeneration]: '1', ...object.metadata.annotations };
  return { ...object, metadata: { ...object.metadata, annotations }, spec: next };
}

const templateGeneration = 'deprecated.daemonset.template.generation';

/** A number that counts changes of the template; only old clients look at it. */
export function countTemplate(next: KubeObject, previous: KubeObject): KubeObject {
  const before = Number(previous.metadata.annotations?.[templateGeneration] ?? 1);
  const isSame = equalJson(recordAt(next, 'spec')['template'], recordAt(previous, 'spec')['template']);
  const annotations = { ...next.metadata.annotations, [templateGeneration]: String(isSame ? before : before + 1) };
  return { ...next, metadata: { ...next.metadata, annotations } };
}

function defaultJobSpec(value: unknown): Record<string, unknown> {
  const spec = fill(value, {
    backoffLimit: 6,
    completionMode: 'NonIndexed',
    manualSelector: false,
    // With a parallelism alone the pods decide among themselves when the work is done.
    ...(numberAt(value, 'parallelism') === undefined ? { completions: 1 } : {}),
    parallelism: 1,
    podReplacementPolicy: 'TerminatingOrFailed',
    suspend: false,
  });
  return withTemplate(spec);
}

export function defaultJob(object: KubeObject): KubeObject {
  return { ...withLabelsOfTemplate(object), spec: defaultJobSpec(object['spec']) };
}

export function defaultCronJob(object: KubeObject): KubeObject {
  const spec = fill(specOf(object), {
    concurrencyPolicy: 'Allow',
    failedJobsHistoryLimit: 1,
    successfulJobsHistoryLimit: 3,
    suspend: false,
  });
  const withJob = mapMember(spec, 'jobTemplate', (template) =>
    // A cron job's template is not a job yet: only its pod template is defaulted.
    isRecord(template) ? { ...template, spec: withTemplate(fill(template['spec'], {})) } : template,
  );
  return { ...object, spec: withJob };
}
