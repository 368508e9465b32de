// From a body to an object of the kind its path names: fields are read by the kind's schema, and what no field is called
// by is refused, told or passed over as the request's fieldValidation asks.
import { isRecord, type KubeObject } from '@fairlead/kube/object';
import { badRequest, invalid, invalidOptions, type StatusError } from '../objects/index.ts';
import type { ResourceType } from '../registry/index.ts';
import { DecodeError, decodeMetadata, decodeObject, prune } from '../schema/index.ts';
import { asKubeObject, asMembers, readBodyValue, unrecognized } from './body.ts';
import type { Call } from './call.ts';
import { optionsKind } from './options.ts';

export async function readObject(call: Call): Promise<KubeObject> {
  const { type } = call;
  const body = await readBodyValue(call.request, (why, text) => unrecognized(type.kind, why, text));
  const object = asKubeObject(asMembers(body, type.kind), type);
  checkKind(type, object);
  return decoded(call, object, { repeated: body.repeated });
}

/** What is of another kind or version is refused before it is read. */
function checkKind(type: ResourceType, { apiVersion, kind, metadata: { name } }: KubeObject): void {
  const [version = '', group = ''] = apiVersion.split('/').toReversed();
  if (kind === type.kind && version === type.version && group === type.group) return;
  if (!type.isBuiltIn) {
    // The version is looked at with the rest of its identity.
    if (kind === type.kind) return;
    const message = `must be ${type.kind}`;
    throw invalid({ ...type, kind }, name, [{ type: 'Invalid', field: 'kind', message, value: kind }]);
  }
  const goName = (one: string) => `${one === '' ? 'core' : one.split('.')[0]}`;
  const why =
    kind === type.kind
      ? `no kind ${JSON.stringify(kind)} is registered for version ${JSON.stringify(apiVersion)} in scheme "pkg/runtime/scheme.go:100"`
      : `converting (${version}.${kind}) to (${goName(type.group)}.${type.kind}): unknown conversion`;
  throw badRequest(`${kind} in version ${JSON.stringify(version)} cannot be handled as a ${type.kind}: ${why}`);
}

export type FieldValidation = 'Strict' | 'Warn' | 'Ignore';
const modes = ['', 'Ignore', 'Strict', 'Warn'];

function modeOf({ query, request }: Call): FieldValidation {
  const mode = query.get('fieldValidation') ?? '';
  if (!modes.includes(mode)) {
    throw invalidOptions(optionsKind(request), {
      type: 'NotSupported',
      field: 'fieldValidation',
      message: supported(modes),
      value: mode,
    });
  }
  return mode === '' ? 'Warn' : (mode as FieldValidation); // one of the modes
}

export const supported = (values: readonly string[]): string =>
  `supported values: ${values.map((value) => JSON.stringify(value)).join(', ')}`;

interface DecodeOptions {
  /** Members that came twice. */
  readonly repeated?: readonly string[];
  /** Another way to say that the object cannot be read. */
  readonly refuse?: (why: string) => StatusError;
}

/** The object as its kind's fields say, with the present status of unknown members told to the client. */
export function decoded(
  call: Call,
  object: KubeObject,
  { repeated = [], refuse: given }: DecodeOptions = {},
): KubeObject {
  const { type } = call;
  const mode = modeOf(call);
  if (!type.schema || object.kind !== type.kind) return object;
  const refuse =
    given ??
    ((why: string) =>
      badRequest(
        `${type.kind} in version ${JSON.stringify(type.version)} cannot be handled as a ${type.kind}: ${why}`,
      ));
  try {
    if (!type.isBuiltIn) decodeMetadata({ ...object.metadata });
    const { value, unknown } = type.isBuiltIn
      ? decodeObject(object, type.schema, type.kind)
      : prune(object, type.schema);
    const told = [
      ...repeated.map((path) => `duplicate field ${JSON.stringify(path)}`),
      ...unknown.map((path) => `unknown field ${JSON.stringify(path)}`),
    ];
    if (told.length > 0 && mode === 'Strict') throw refuse(`strict decoding error: ${told.join(', ')}`);
    const metadata = isRecord(value['metadata']) ? value['metadata'] : {};
    const read = { ...value, apiVersion: object.apiVersion, kind: object.kind, metadata: { name: '', ...metadata } };
    warn(call, [...(mode === 'Warn' ? told : []), ...(type.warnings?.(read) ?? [])]);
    return read;
  } catch (error) {
    throw error instanceof DecodeError ? refuse(error.message) : error;
  }
}

function warn({ response }: Call, texts: readonly string[]): void {
  if (texts.length === 0) return;
  response.setHeader(
    'warning',
    texts.map((text) => `299 - ${JSON.stringify(text)}`),
  );
}
