// Does the cluster keep the field that the change revision is written to? Argo CD's own CRD does not know it, and an API
// server drops what a schema does not know without a word; the CRDs of our engine and of the fork keep it.
import { type Clock, sleep } from '@fairlead/base';
import { argoGroup } from '@fairlead/contracts';
import { type KubeClient, type KubeObject, listAt, recordAt, stringAt } from '@fairlead/kube';

const field = ['status', 'operationState', 'operation', 'sync', 'changeRevision'] as const;
const crd = {
  group: 'apiextensions.k8s.io',
  version: 'v1',
  kind: 'CustomResourceDefinition',
  name: `applications.${argoGroup}`,
};
const againMs = 1_000;

/** Waits until there are Applications at all. */
export async function keepsField(
  client: KubeClient,
  { signal, clock }: { readonly signal: AbortSignal; readonly clock: Clock },
): Promise<boolean> {
  for (;;) {
    const found = await client.find(crd, { signal });
    if (found) return keepsFieldBy(found);
    await sleep(againMs, { signal, clock });
  }
}

/** Pure. */
export function keepsFieldBy(definition: KubeObject): boolean {
  const version = listAt(definition, 'spec', 'versions').find((each) => stringAt(each, 'name') === 'v1alpha1');
  let node = recordAt(version, 'schema', 'openAPIV3Schema');
  for (const name of field) {
    const properties = recordAt(node, 'properties');
    if (!Object.hasOwn(properties, name)) return node['x-kubernetes-preserve-unknown-fields'] === true;
    node = recordAt(properties, name);
  }
  return true;
}
