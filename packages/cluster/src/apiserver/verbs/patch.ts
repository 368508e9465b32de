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
import { typedProblem } from '../../schema/index.ts';
import { asKubeObject, mediaType, readBodyValue } from '../body.ts';
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
  const { type, manager, dryRun, subresource, request, admit } = call;
  const media = mediaType(request);
  if (!Object.values<string>(patchTypes).includes(media)) throw unsupportedPatch();
  const refuse = (why: string) => badRequest(media === patchTypes.strategic ? why : `error decoding patch: ${why}`);
  const { value: patch } = await readBodyValue(request, refuse);
  if (media === patchTypes.apply) return applyObject(call, deps, patch);
  const change = patchFunction(call, media, patch);
  const options = { manager, dryRun, admit, ...(subresource === '' ? {} : { subresource }) };
  if (subresource === 'scale') {
    const toScaled = (present: KubeObject) =>
      withReplicas(present, change(scaleOf(present, type) as unknown as KubeObject), type); // Scale has the members of an object
    const { object } = await deps.objects.update(targetOf(call), toScaled, options);
    return { status: 200, body: scaleOf(object, type) };
  }
  const { object } = await deps.objects.update(
    targetOf(call),
    (present) => decodePatched(call, change(present), { media, patch }),
    options,
  );
  return { status: 200, body: object };
}

/** A patch after which the object is none is the patch's fault. */
function decodePatched(
  call: Call,
  patched: KubeObject,
  { media, patch }: { media: string; patch: unknown },
): KubeObject {
  const shown = media === patchTypes.strategic ? goValue(patch) : JSON.stringify(patched);
  const refuse = (why: string) => {
    const words =
      media === patchTypes.strategic
        ? why.replace(/^json: cannot unmarshal .* of type (\S+)$/, 'unrecognized type: $1')
        : why;
    const text = `Invalid value: ${JSON.stringify(shown)}: ${words}`;
    const details = { causes: [{ reason: 'FieldValueInvalid', message: text, field: 'patch' }] };
    return new StatusError({ status: 422, reason: 'Invalid', message: ` "" is invalid: patch: ${text}`, details });
  };
  return decoded(call, patched, { refuse });
}

/** A value as Go prints a map. */
function goValue(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(goValue).join(' ')}]`;
  if (!isRecord(value)) return value === null ? '<nil>' : String(value);
  const pairs = Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1));
  return `map[${pairs.map(([key, inner]) => `${key}:${goValue(inner)}`).join(' ')}]`;
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
      // Kubernetes gives no reason and calls it its own failure.
      if (error instanceof StrategicPatchError)
        throw new StatusError({ status: 500, reason: '', message: error.message });
      throw error;
    }
  };
}

/** What no handler reads is refused before any looks at it. */
const unsupportedPatch = () =>
  new StatusError({
    status: 415,
    reason: 'UnsupportedMediaType',
    message: '415: Unsupported Media Type',
    details: {},
  });

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
  if (patch !== undefined && patch !== null && !isRecord(patch)) {
    const given = Array.isArray(patch) ? 'array' : typeof patch === 'boolean' ? 'bool' : typeof patch;
    const why = `json: cannot unmarshal ${given} into Go value of type map[string]interface {}`;
    throw badRequest(`error decoding YAML: error unmarshaling JSON: while decoding JSON: ${why}`);
  }
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
  const problem = typedProblem(intent, type.schema);
  if (problem === undefined) return intent;
  const where = `(${metadata['namespace'] ?? ''}/${name}; ${group}/${version}, Kind=${type.kind})`;
  const message = `failed to create typed patch object ${where}: ${problem}`;
  throw new StatusError({ status: 500, reason: '', message });
}

async function applyObject(call: Call, { objects }: ServerDeps, patch: unknown): Promise<Answer> {
  const { query, dryRun, subresource, admit } = call;
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
  const options = { manager, force, dryRun, admit, ...(subresource === '' ? {} : { subresource }) };
  const { object, created } = await objects.apply(targetOf(call), intent, options);
  return { status: created ? 201 : 200, body: object };
}
