// What a cluster has from its first minute: the usual namespaces, its node, and the service of its own API.
import { type Clock, toKubeTime } from '@fairlead/base';
import type { KubeObject } from '@fairlead/kube/object';
import { defaultRoles } from '../access/index.ts';
import { nodeObject } from '../node/index.ts';
import type { Objects } from '../objects/index.ts';
import { builtIn, manager } from './context.ts';

const namespaces = ['default', 'kube-system', 'kube-public', 'kube-node-lease'];

export async function bootstrap(objects: Objects, clock: Clock): Promise<void> {
  for (const name of namespaces) {
    await ensure(objects, { apiVersion: 'v1', kind: 'Namespace', metadata: { name } });
  }
  for (const object of defaultRoles) await ensure(objects, object);
  const { status, ...node } = nodeObject(toKubeTime(clock.now()));
  const isNew = await ensure(objects, node as KubeObject); // identity members are still there
  if (isNew) {
    const target = { type: builtIn(objects, '', 'Node'), namespace: '', name: node.metadata.name };
    await objects.update(target, (present) => ({ ...present, status }), { manager: 'kubelet', subresource: 'status' });
  }
  await ensure(objects, {
    apiVersion: 'v1',
    kind: 'Service',
    metadata: { name: 'kubernetes', namespace: 'default', labels: { component: 'apiserver', provider: 'kubernetes' } },
    spec: { clusterIP: '10.96.0.1', ports: [{ name: 'https', port: 443, protocol: 'TCP', targetPort: 6443 }] },
  });
}

async function ensure(objects: Objects, object: KubeObject): Promise<boolean> {
  const { name, namespace = '' } = object.metadata;
  const [group = ''] = object.apiVersion.includes('/') ? object.apiVersion.split('/') : [''];
  const type = builtIn(objects, group, object.kind);
  if (objects.find({ type, namespace, name })) return false;
  await objects.create(type, namespace, object, { manager });
  return true;
}
