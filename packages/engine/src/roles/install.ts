// What has to be in the cluster before the engine can work: its namespace, Argo CD's CRDs, the default project. Things
// that are already there, from a real Argo CD perhaps, are left as they are.
import { sleep } from '@fairlead/base';
import { applicationCrd, appProjectCrd } from '@fairlead/contracts';
import { gvkOf, isAlreadyExists, type KubeClient, type KubeObject, listAt, stringAt } from '@fairlead/kube';
import { applicationSetCrd } from '../applicationset/index.ts';
import { defaultProject } from '../project/index.ts';

const establishPollMs = 100;
const establishPolls = 100;

export async function install(client: KubeClient, namespace: string, signal: AbortSignal): Promise<void> {
  await createIfMissing(client, { apiVersion: 'v1', kind: 'Namespace', metadata: { name: namespace } }, signal);
  for (const crd of [applicationCrd, appProjectCrd, applicationSetCrd] as unknown as KubeObject[]) {
    await createIfMissing(client, crd, signal);
    await established(client, crd, signal);
  }
  await createIfMissing(client, defaultProject(namespace), signal);
}

async function createIfMissing(client: KubeClient, object: KubeObject, signal: AbortSignal): Promise<void> {
  try {
    await client.create(object, { signal });
  } catch (error) {
    if (!isAlreadyExists(error)) throw error;
  }
}

async function established(client: KubeClient, crd: KubeObject, signal: AbortSignal): Promise<void> {
  for (let poll = 0; poll < establishPolls; poll++) {
    const current = await client.get({ ...gvkOf(crd), name: crd.metadata.name }, { signal });
    const conditions = listAt(current, 'status', 'conditions');
    const condition = conditions.find((entry) => stringAt(entry, 'type') === 'Established');
    if (stringAt(condition, 'status') === 'True') return;
    await sleep(establishPollMs, { signal });
  }
}
