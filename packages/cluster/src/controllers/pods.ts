// What the controllers that run pods share: which pods are theirs, and how a pod comes from a template.
import { controllerReference, isControlledBy, type KubeObject, recordAt } from '@fairlead/kube/object';
import { builtIn, type ControllerContext, manager } from './context.ts';

/** All pods the owner controls, finished and terminating ones too. */
export function podsControlledBy({ objects }: ControllerContext, uid: string): readonly KubeObject[] {
  return objects.store
    .dependentsOf(uid)
    .filter(({ resource, object }) => resource === 'pods' && isControlledBy(object, uid))
    .map(({ object }) => object);
}

/** A pod of the owner's template under a generated name. */
export function podFromTemplate(owner: KubeObject): KubeObject {
  const template = recordAt(owner, 'spec', 'template');
  const { labels, annotations, finalizers } = recordAt(template, 'metadata') as Partial<KubeObject['metadata']>; // a template's metadata is ObjectMeta
  return {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: {
      name: '',
      generateName: `${owner.metadata.name}-`,
      namespace: owner.metadata.namespace,
      labels,
      annotations,
      finalizers,
      ownerReferences: [controllerReference(owner)],
    },
    spec: template['spec'],
  };
}

interface PodChange {
  readonly owner: KubeObject;
  readonly pod: KubeObject;
  /** The controller that the event names. */
  readonly component: string;
  /** The event's words, where they are not the usual ones. */
  readonly message?: (name: string) => string;
}

export async function createPod(context: ControllerContext, change: PodChange): Promise<void> {
  const { objects, events } = context;
  const { owner, pod, component, message: words = (name) => `Created pod: ${name}` } = change;
  const { object } = await objects.create(builtIn(objects, '', 'Pod'), owner.metadata.namespace ?? '', pod, {
    manager,
  });
  const message = words(object.metadata.name);
  events.record({ about: owner, type: 'Normal', reason: 'SuccessfulCreate', message, component });
}

export async function deletePod(context: ControllerContext, change: PodChange): Promise<void> {
  const { objects, events } = context;
  const { owner, pod, component, message: words = (name) => `Deleted pod: ${name}` } = change;
  const { namespace = '', name, uid } = pod.metadata;
  await objects.delete({ type: builtIn(objects, '', 'Pod'), namespace, name }, { preconditions: { uid } });
  const message = words(name);
  events.record({ about: owner, type: 'Normal', reason: 'SuccessfulDelete', message, component });
}
