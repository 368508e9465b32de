// Labels and annotations put on objects, on what they select by, and on the templates in them.

import { changeField, type FieldSpec } from './field-spec.ts';
import { fieldsOf, isFields, put, textMap } from './fields.ts';
import { itemsOf, type Kustomization, onlyFields } from './kustomization.ts';
import type { Resource } from './resource.ts';
import { fieldSpecOf } from './transformer-config.ts';

const workloads: readonly FieldSpec[] = [
  { path: 'spec/template', kind: 'Deployment' },
  { path: 'spec/template', kind: 'ReplicaSet' },
  { path: 'spec/template', kind: 'DaemonSet' },
  { path: 'spec/template', kind: 'StatefulSet', group: 'apps' },
  { path: 'spec/template', kind: 'Job', group: 'batch' },
  { path: 'spec/template', kind: 'ReplicationController', version: 'v1' },
  { path: 'spec/jobTemplate', kind: 'CronJob', group: 'batch' },
  { path: 'spec/jobTemplate/spec/template', kind: 'CronJob', group: 'batch' },
];
const onWorkloads = (field: string): FieldSpec[] =>
  workloads.map((spec) => ({ ...spec, path: `${spec.path}/metadata/${field}`, create: true }));

const metadataLabels: FieldSpec = { path: 'metadata/labels', create: true };
const claimLabels: FieldSpec = {
  path: 'spec/volumeClaimTemplates[]/metadata/labels',
  kind: 'StatefulSet',
  group: 'apps',
  create: true,
};
const templateLabels: readonly FieldSpec[] = [...onWorkloads('labels'), claimLabels];

const podTerms = ['podAffinity', 'podAntiAffinity'].flatMap((affinity) => [
  `affinity/${affinity}/preferredDuringSchedulingIgnoredDuringExecution/podAffinityTerm`,
  `affinity/${affinity}/requiredDuringSchedulingIgnoredDuringExecution`,
]);
const podSelectors = [...podTerms, 'topologySpreadConstraints'].flatMap((term): FieldSpec[] =>
  ['Deployment', 'StatefulSet'].map((kind) => ({
    path: `spec/template/spec/${term}/labelSelector/matchLabels`,
    group: 'apps',
    kind,
  })),
);

const selectorLabels: readonly FieldSpec[] = [
  { path: 'spec/selector', version: 'v1', kind: 'Service', create: true },
  { path: 'spec/selector', version: 'v1', kind: 'ReplicationController', create: true },
  { path: 'spec/selector/matchLabels', kind: 'Deployment', create: true },
  { path: 'spec/selector/matchLabels', kind: 'ReplicaSet', create: true },
  { path: 'spec/selector/matchLabels', kind: 'DaemonSet', create: true },
  { path: 'spec/selector/matchLabels', kind: 'StatefulSet', group: 'apps', create: true },
  { path: 'spec/selector/matchLabels', kind: 'Job', group: 'batch' },
  { path: 'spec/jobTemplate/spec/selector/matchLabels', kind: 'CronJob', group: 'batch' },
  { path: 'spec/selector/matchLabels', kind: 'PodDisruptionBudget', group: 'policy' },
  { path: 'spec/podSelector/matchLabels', kind: 'NetworkPolicy', group: 'networking.k8s.io' },
  { path: 'spec/ingress/from/podSelector/matchLabels', kind: 'NetworkPolicy', group: 'networking.k8s.io' },
  { path: 'spec/egress/to/podSelector/matchLabels', kind: 'NetworkPolicy', group: 'networking.k8s.io' },
  ...podSelectors,
];

const annotationSpecs: readonly FieldSpec[] = [
  { path: 'metadata/annotations', create: true },
  ...onWorkloads('annotations'),
];

export function addLabels(resources: readonly Resource[], kustomization: Kustomization): void {
  const { fields, file } = kustomization;
  const config = kustomization.config.specs;
  for (const entry of itemsOf(kustomization, 'labels')) {
    const where = `${file}: labels`;
    onlyFields(entry, ['pairs', 'includeSelectors', 'includeTemplates', 'fields'], where);
    const specs = entry['includeSelectors']
      ? [metadataLabels, ...templateLabels, ...selectorLabels, ...(config.commonLabels ?? [])]
      : [metadataLabels, ...(entry['includeTemplates'] ? [...templateLabels, ...(config.templateLabels ?? [])] : [])];
    const own = itemsOf({ ...kustomization, fields: entry }, 'fields').map((item) => fieldSpecOf(item, where));
    putPairs(resources, { pairs: textMap(entry['pairs'], where), specs: [...specs, ...own, ...(config.labels ?? [])] });
  }
  const pairs = textMap(fields['commonLabels'], `${file}: commonLabels`);
  const specs = [metadataLabels, ...templateLabels, ...selectorLabels, ...(config.commonLabels ?? [])];
  putPairs(resources, { pairs, specs });
}

export function addAnnotations(resources: readonly Resource[], { fields, file, config }: Kustomization): void {
  const pairs = textMap(fields['commonAnnotations'], `${file}: commonAnnotations`);
  putPairs(resources, { pairs, specs: [...annotationSpecs, ...(config.specs.commonAnnotations ?? [])] });
}

interface Labelling {
  readonly pairs: Readonly<Record<string, string>>;
  readonly specs: readonly FieldSpec[];
}

export function putPairs(resources: readonly Resource[], { pairs, specs }: Labelling): void {
  if (Object.keys(pairs).length === 0) return;
  for (const resource of resources) {
    for (const spec of specs) {
      changeField(resource, spec, (value) => {
        if (value !== undefined && !isFields(value)) return value;
        const labels = fieldsOf(value);
        for (const [key, text] of Object.entries(pairs)) put(labels, key, text);
        return labels;
      });
    }
  }
}
