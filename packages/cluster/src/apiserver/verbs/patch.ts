import { isRecord, type KubeObject } from '@fairlead/kube/object';
import {
  JsonPatchError,
  type JsonPatchOperation,
  jsonMergePatch,
  jsonPatch,
  StrategicPatchError,
  strategicMergePatch,
} from '@fairlead/kube/patch';
import { badRequest, invalidOptions, StatusError, unsupportedMediaType } from '../../objects/index.ts';
import { DecodeError, decodeObject, type Schema } from '../../schema/index.ts';
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
      if (!Array.isArray(patch)) throw undecodable(patch, '[]handlers.jsonPatchOp');
      return jsonPatch(present, patch as JsonPatchOperation[]); // each operation is checked as it is applied
    }
    if (!isRecord(patch)) throw undecodable(patch, 'map[string]interface {}');
    if (media === patchTypes.merge) return jsonMergePatch(present, patch);
    if (media === patchTypes.strategic && type.isBuiltIn) return strategicMergePatch(present, patch, type);
    const accepted = Object.values(patchTypes).filter((name) => type.isBuiltIn || name !== patchTypes.strategic);
    throw unsupportedMediaType(accepted);
  };
  return (present) => {
    try {
      return asKubeObject(apply(present));
    } catch (error) {
      if (error instanceof JsonPatchError) throw unprocessable();
      if (error instanceof StrategicPatchError) throw badRequest(error.message);
      throw error;
    }
  };
}

const unprocessable = () =>
  new StatusError({
    status: 422,
    reason: 'Invalid',
    message: 'the server rejected our request due to an error in our request',
    details: {},
  });

function undecodable(patch: unknown, wanted: string): StatusError {
  const given = Array.isArray(patch) ? 'array' : typeof patch === 'boolean' ? 'bool' : typeof patch;
  return badRequest(`error decoding patch: json: cannot unmarshal ${given} into Go value of type ${wanted}`);
}

/** An intent must say what it is of, and may say nothing that no field is called by. */
function readIntent({ type, name, subresource }: Call, patch: unknown): KubeObject {
  const { apiVersion = '', kind = '', metadata }: Record<string, unknown> = isRecord(patch) ? patch : {};
  const [version = '', group = ''] = String(apiVersion).split('/').toReversed();
  const isScale = subresource === 'scale';
  if (!isScale && (kind !== type.kind || group !== type.group)) {
    throw badRequest(`invalid object type: ${group}/${version}, Kind=${String(kind)}`);
  }
  if (!isRecord(metadata) || !metadata['name']) {
    throw badRequest(`the name of the object (${name} based on URL) was undeterminable: name must be provided`);
  }
  if (metadata['name'] !== name) {
    throw badRequest(
      `the name of the object (${String(metadata['name'])}) does not match the name on the URL (${name})`,
    );
  }
  const intent = asKubeObject(patch);
  if (!type.schema || isScale) return intent;
  const undeclared = type.isBuiltIn ? undeclaredIn(intent, type.schema, type.kind) : [];
  if (undeclared[0] === undefined) return intent;
  const where = `(${metadata['namespace'] ?? ''}/${name}; ${group}/${version}, Kind=${type.kind})`;
  const message = `failed to create typed patch object ${where}: .${undeclared[0]}: field not declared in schema`;
  throw new StatusError({ status: 500, reason: '', message });
}

function undeclaredIn(intent: KubeObject, schema: Schema, kind: string): readonly string[] {
  try {
    return decodeObject(intent, schema, kind).unknown;
  } catch (error) {
    if (error instanceof DecodeError) throw badRequest(error.message);
    throw error;
  }
}

async function applyObject(call: Call, { objects }: ServerDeps, patch: unknown): Promise<Answer> {
  const { query, dryRun, subresource } = call;
  const manager = query.get('fieldManager');
  if (!manager)
    throw invalidOptions('PatchOptions', {
      type: 'Required',
      field: 'fieldManager',
      message: 'is required for apply patch',
    });
  const intent = readIntent(call, patch);
  if (intent.metadata.managedFields?.length) throw badRequest('metadata.managedFields must be nil');
  const force = query.get('force') === 'true';
  const options = { manager, force, dryRun, ...(subresource === '' ? {} : { subresource }) };
  const { object, created } = await objects.apply(targetOf(call), intent, options);
  return { status: created ? 201 : 200, body: object };
}
