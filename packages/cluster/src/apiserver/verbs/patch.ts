import { isRecord, type KubeObject } from '@fairlead/kube/object';
import {
  JsonPatchError,
  type JsonPatchOperation,
  jsonMergePatch,
  jsonPatch,
  StrategicPatchError,
  strategicMergePatch,
} from '@fairlead/kube/patch';
import { badRequest, StatusError, unsupportedMediaType } from '../../objects/index.ts';
import { asKubeObject, mediaType, readValue } from '../body.ts';
import { type Answer, type Call, type ServerDeps, targetOf } from '../call.ts';
import { decoded } from '../read-object.ts';
import { scaleOf, withReplicas } from '../scale.ts';

const patchTypes = {
  json: 'application/json-patch+json',
  merge: 'application/merge-patch+json',
  strategic: 'application/strategic-merge-patch+json',
  apply: 'application/apply-patch+yaml',
} as const;

export async function patchObject(call: Call, deps: ServerDeps): Promise<Answer> {
  const { type, manager, dryRun, subresource, request } = call;
  const media = mediaType(request);
  const patch = await readValue(request);
  if (media === patchTypes.apply) return applyObject(call, deps, patch);
  const change = patchFunction(call, media, patch);
  const options = { manager, dryRun, ...(subresource === '' ? {} : { subresource }) };
  if (subresource === 'scale') {
    const toScaled = (present: KubeObject) =>
      withReplicas(present, change(scaleOf(present, type) as unknown as KubeObject), type); // Scale has the members of an object
    const { object } = await deps.objects.update(targetOf(call), toScaled, options);
    return { status: 200, body: scaleOf(object, type) };
  }
  const { object } = await deps.objects.update(targetOf(call), (present) => decoded(call, change(present)), options);
  return { status: 200, body: object };
}

function patchFunction({ type }: Call, media: string, patch: unknown): (present: KubeObject) => KubeObject {
  const apply = (present: KubeObject): unknown => {
    if (media === patchTypes.json) {
      if (!Array.isArray(patch)) throw badRequest('a JSON patch is a list of operations');
      return jsonPatch(present, patch as JsonPatchOperation[]); // each operation is checked as it is applied
    }
    if (!isRecord(patch)) throw badRequest('a merge patch is an object');
    if (media === patchTypes.merge) return jsonMergePatch(present, patch);
    if (media === patchTypes.strategic && type.isBuiltIn) return strategicMergePatch(present, patch, type);
    const accepted = Object.values(patchTypes).filter((name) => type.isBuiltIn || name !== patchTypes.strategic);
    throw unsupportedMediaType(accepted);
  };
  return (present) => {
    try {
      return asKubeObject(apply(present));
    } catch (error) {
      if (error instanceof JsonPatchError) throw unprocessable(error.message);
      if (error instanceof StrategicPatchError) throw badRequest(error.message);
      throw error;
    }
  };
}

const unprocessable = (message: string) =>
  new StatusError({
    status: 422,
    reason: 'Invalid',
    message: `the server rejected our request due to an error in our request: ${message}`,
  });

async function applyObject(call: Call, { objects }: ServerDeps, patch: unknown): Promise<Answer> {
  const { query, dryRun, subresource } = call;
  const manager = query.get('fieldManager');
  if (!manager)
    throw badRequest(
      'PatchOptions.meta.k8s.io "" is invalid: fieldManager: Required value: is required for apply patch',
    );
  const intent = asKubeObject(patch);
  if (intent.metadata.managedFields?.length) throw badRequest('metadata.managedFields must be nil');
  const force = query.get('force') === 'true';
  const options = { manager, force, dryRun, ...(subresource === '' ? {} : { subresource }) };
  const { object, created } = await objects.apply(targetOf(call), intent, options);
  return { status: created ? 201 : 200, body: object };
}
