import { type KubeObject, recordAt } from '@fairlead/kube/object';

/** A job selects its pods by its own uid, unless it says that it brings its own selector. */
export function withJobSelector(job: KubeObject): KubeObject {
  const spec = recordAt(job, 'spec');
  if (spec['manualSelector'] === true) return job;
  const { uid, name } = job.metadata;
  const template = recordAt(spec, 'template');
  const metadata = recordAt(template, 'metadata');
  const labels = {
    ...recordAt(metadata, 'labels'),
    'batch.kubernetes.io/controller-uid': uid,
    'batch.kubernetes.io/job-name': name,
    'controller-uid': uid,
    'job-name': name,
  };
  return {
    ...job,
    spec: {
      ...spec,
      selector: { matchLabels: { 'batch.kubernetes.io/controller-uid': uid } },
      template: { ...template, metadata: { ...metadata, labels } },
    },
  };
}
