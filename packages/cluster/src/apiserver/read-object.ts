// From a body to an object of the kind its path names: fields are read by the kind's schema, and what no field is called
// by is refused, told or passed over as the request's fieldValidation asks.
import { isRecord, type KubeObject } from '@fairlead/kube/object';
import { badRequest, invalidOptions } from '../objects/index.ts';
import { DecodeError, decodeObject, prune } from '../schema/index.ts';
import { asKubeObject, readValue } from './body.ts';
import type { Call } from './call.ts';
import { optionsKind } from './options.ts';

export async function readObject(call: Call): Promise<KubeObject> {
  return decoded(call, asKubeObject(await readValue(call.request), call.type));
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

/** The object as its kind's fields say, with the present status of unknown members told to the client. */
export function decoded(call: Call, object: KubeObject): KubeObject {
  const { type } = call;
  const mode = modeOf(call);
  if (!type.schema || object.kind !== type.kind) return object;
  const refuse = (why: string) =>
    badRequest(`${type.kind} in version ${JSON.stringify(type.version)} cannot be handled as a ${type.kind}: ${why}`);
  try {
    const { value, unknown } = type.isBuiltIn
      ? decodeObject(object, type.schema, type.kind)
      : prune(object, type.schema);
    const told = unknown.map((path) => `unknown field ${JSON.stringify(path)}`);
    if (told.length > 0 && mode === 'Strict') throw refuse(`strict decoding error: ${told.join(', ')}`);
    if (told.length > 0 && mode === 'Warn') warn(call, told);
    const metadata = isRecord(value['metadata']) ? value['metadata'] : {};
    return { ...value, apiVersion: object.apiVersion, kind: object.kind, metadata: { name: '', ...metadata } };
  } catch (error) {
    throw error instanceof DecodeError ? refuse(error.message) : error;
  }
}

function warn({ response }: Call, texts: readonly string[]): void {
  response.setHeader(
    'warning',
    texts.map((text) => `299 - ${JSON.stringify(text)}`),
  );
}
