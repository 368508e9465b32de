import { type KubeObject, recordAt } from '@fairlead/kube/object';

/** A job selects its pods by its own uid, unless it says that it brings its own selector. */
export function withJobSelector(job: KubeObject): KubeObject {
  const spec = recordAt(job, 'spec');
  if (spec['manualSelector'] === true) return job;
  const { uid, name } = job.metadata;
  const template = recordAt(spec, 'template');
  const metadata = recordAt(template, 'metadata');
  const given = recordAt(metadata, 'labels') as Record<string, string>; // label values are strings on the wire
  const labels = {
    ...given,
    'batch.kubernetes.io/controller-uid': uid ?? '',
    'batch.kubernetes.io/job-name': name,
    'controller-uid': uid ?? '',
    'job-name': name,
  };
  const hasOwn = Object.keys(job.metadata.labels ?? {}).length > 0;
  return {
    ...job,
    metadata: hasOwn ? job.metadata : { ...job.metadata, labels },
    spec: {
      ...spec,
      selector: { matchLabels: { 'batch.kubernetes.io/controller-uid': uid } },
      template: { ...template, metadata: { ...metadata, labels } },
    },
  };
}
