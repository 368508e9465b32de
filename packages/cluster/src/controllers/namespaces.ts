// Namespaces: each gets what every namespace has (a default service account, the cluster's authority), and one that is
// being deleted is emptied before it goes.
import type { KubeObject } from '@fairlead/kube/object';
import { recordAt } from '@fairlead/kube/object';
import { KeyLoop } from '../reconcile/index.ts';
import { builtIn, type Controller, type ControllerContext, deleteAll, manager } from './context.ts';

const authorityName = 'kube-root-ca.crt';
const authorityText = 'The authority that signed the certificate of the API server, for clients inside the cluster.';

export function startNamespaces(context: ControllerContext, authority: string): Controller {
  const { objects, clock, log } = context;
  const { store } = objects;
  const loop = new KeyLoop({ name: 'namespace', clock, log, reconcile: (name) => reconcile(context, name, authority) });
  const unsubscribe = store.subscribe('*', ({ type, stored: { resource, object } }) => {
    const { namespace, name } = object.metadata;
    if (resource === 'namespaces') loop.add(name);
    else if (namespace && type === 'DELETED' && isWatched(context, resource, object)) loop.add(namespace);
  });
  for (const { object } of store.collection('namespaces').scan()) loop.add(object.metadata.name);
  return {
    stop: () => {
      unsubscribe();
      return loop.stop();
    },
  };
}

/** A deletion matters where the namespace is on its way out, or where it took something every namespace has. */
function isWatched({ objects }: ControllerContext, resource: string, { metadata }: KubeObject): boolean {
  const isOwn =
    (resource === 'serviceaccounts' && metadata.name === 'default') ||
    (resource === 'configmaps' && metadata.name === authorityName);
  return (
    isOwn ||
    objects.store.read('namespaces', '', metadata.namespace ?? '')?.object.metadata.deletionTimestamp !== undefined
  );
}

async function reconcile(context: ControllerContext, name: string, authority: string): Promise<void> {
  const namespace = context.objects.store.read('namespaces', '', name)?.object;
  if (!namespace) return;
  if (namespace.metadata.deletionTimestamp) await empty(context, name);
  else await furnish(context, name, authority);
}

async function furnish({ objects }: ControllerContext, namespace: string, authority: string): Promise<void> {
  const wanted: readonly KubeObject[] = [
    { apiVersion: 'v1', kind: 'ServiceAccount', metadata: { name: 'default', namespace } },
    {
      apiVersion: 'v1',
      kind: 'ConfigMap',
      metadata: { name: authorityName, namespace, annotations: { 'kubernetes.io/description': authorityText } },
      data: { 'ca.crt': authority },
    },
  ];
  for (const object of wanted) {
    const type = builtIn(objects, '', object.kind);
    if (objects.find({ type, namespace, name: object.metadata.name })) continue;
    await objects.create(type, namespace, object, { manager });
  }
}

async function empty(context: ControllerContext, namespace: string): Promise<void> {
  const { objects } = context;
  const { store } = objects;
  const contents = store
    .resources()
    .filter((resource) => resource !== 'namespaces')
    .flatMap((resource) => [...store.collection(resource).scan({ namespace })]);
  const left = await deleteAll(context, contents);
  // What is left will bring us back when it goes.
  if (left > 0) return;
  const target = { type: builtIn(objects, '', 'Namespace'), namespace: '', name: namespace };
  const release = (present: KubeObject) => ({ ...present, spec: { ...recordAt(present, 'spec'), finalizers: [] } });
  await objects.update(target, release, { manager, subresource: 'finalize' });
}
