import { methodNotAllowed } from '../../objects/index.ts';
import { readValue } from '../body.ts';
import { type Answer, type Call, type ServerDeps, targetOf } from '../call.ts';
import { readObject } from '../read-object.ts';

export async function createObject(call: Call, deps: ServerDeps): Promise<Answer> {
  const { type, namespace, manager, dryRun } = call;
  if (call.name !== '') return createSubresource(call, deps);
  const body = await readObject(call);
  const { object } = await deps.objects.create(type, type.namespaced ? namespace : '', body, { manager, dryRun });
  return { status: 201, body: object };
}

/** Evicting a pod is deleting it politely. */
async function createSubresource(call: Call, { objects }: ServerDeps): Promise<Answer> {
  if (call.subresource !== 'eviction') throw methodNotAllowed();
  await readValue(call.request);
  await objects.delete(targetOf(call), { dryRun: call.dryRun });
  return { status: 201, body: { kind: 'Status', apiVersion: 'v1', metadata: {}, status: 'Success', code: 201 } };
}
