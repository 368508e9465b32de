import { invalid } from '../../objects/index.ts';
import { asKubeObject, readValue } from '../body.ts';
import { type Answer, type Call, type ServerDeps, targetOf } from '../call.ts';
import { readObject } from '../read-object.ts';
import { scaleKind, scaleOf, withReplicas } from '../scale.ts';

export async function updateObject(call: Call, { objects }: ServerDeps): Promise<Answer> {
  const { type, manager, dryRun, subresource, admit } = call;
  const body =
    subresource === 'scale' ? asKubeObject(await readValue(call.request), scaleKind) : await readObject(call);
  const target = targetOf(call);
  if (subresource === 'scale') {
    const { object } = await objects.update(target, (present) => withReplicas(present, body, type), {
      manager,
      dryRun,
      subresource,
    });
    return { status: 200, body: scaleOf(object, type) };
  }
  // Without a version an update of a custom resource could silently undo somebody's change; Kubernetes refuses it too.
  if (!type.isBuiltIn && !body.metadata.resourceVersion) {
    const field = 'metadata.resourceVersion';
    const error = { type: 'Invalid', field, message: 'must be specified for an update', shown: '0x0' } as const;
    throw invalid({ ...type, kind: type.plural }, call.name, [error]);
  }
  const options = { manager, dryRun, admit, ...(subresource === '' ? {} : { subresource }) };
  const { object } = await objects.update(target, () => body, options);
  return { status: 200, body: object };
}
