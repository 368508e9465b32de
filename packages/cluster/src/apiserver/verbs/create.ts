import { type KubeObject, recordAt, stringAt } from '@fairlead/kube/object';
import { conflict, methodNotAllowed } from '../../objects/index.ts';
import { readValue } from '../body.ts';
import { type Answer, type Call, type ServerDeps, targetOf } from '../call.ts';
import { readObject } from '../read-object.ts';

export async function createObject(call: Call, deps: ServerDeps): Promise<Answer> {
  const { type, namespace, manager, dryRun, admit } = call;
  if (call.name !== '') return createSubresource(call, deps);
  const body = await readObject(call);
  const { object } = await deps.objects.create(type, type.namespaced ? namespace : '', body, {
    manager,
    dryRun,
    admit,
  });
  return { status: 201, body: object };
}

async function bind(call: Call, objects: ServerDeps['objects'], node: string): Promise<void> {
  const { type, name, manager, dryRun } = call;
  const change = (pod: KubeObject) => {
    const spec = recordAt(pod, 'spec');
    if (spec['nodeName']) {
      throw conflict(
        { ...type, plural: 'pods/binding' },
        name,
        `pod ${name} is already assigned to node ${JSON.stringify(spec['nodeName'])}`,
      );
    }
    return { ...pod, spec: { ...spec, nodeName: node } };
  };
  await objects.update(targetOf(call), change, { manager, dryRun, subresource: 'binding' });
}

/** Evicting a pod is deleting it politely. */
async function createSubresource(call: Call, { objects }: ServerDeps): Promise<Answer> {
  const body = await readValue(call.request);
  if (call.subresource === 'binding') await bind(call, objects, stringAt(body, 'target', 'name') ?? '');
  else if (call.subresource === 'eviction') await objects.delete(targetOf(call), { dryRun: call.dryRun });
  else throw methodNotAllowed();
  return { status: 201, body: { kind: 'Status', apiVersion: 'v1', metadata: {}, status: 'Success', code: 201 } };
}
