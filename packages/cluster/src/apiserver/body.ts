// Bodies of requests: bounded, and JSON or YAML.
import type { IncomingMessage } from 'node:http';
import { isRecord, type KubeObject } from '@fairlead/kube/object';
import { load, YAMLException } from 'js-yaml';
import { badRequest, type StatusError, tooLarge, unsupportedMediaType } from '../objects/index.ts';
import { decodeProtobuf, ProtobufError, protobufType } from '../protobuf/index.ts';
import type { ResourceType } from '../registry/index.ts';
import { isTooDeep, jsonProblem, repeatedMembers } from '../schema/index.ts';
import { apiVersionOf } from './forms.ts';

export const maxBodyBytes = 3 * 1024 * 1024;

export async function readBody(request: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let sizeBytes = 0;
  for await (const chunk of request as AsyncIterable<Buffer>) {
    sizeBytes += chunk.length;
    if (sizeBytes > maxBodyBytes) throw tooLarge(maxBodyBytes);
    chunks.push(chunk);
  }
  return chunks.length === 1 ? (chunks[0] as Buffer) : Buffer.concat(chunks); // length was just checked
}

export const mediaType = (request: IncomingMessage): string =>
  (request.headers['content-type'] ?? 'application/json').split(';')[0]?.trim().toLowerCase() ?? '';

export interface Body {
  readonly value: unknown;
  /** As it came, for what a refusal shows of it; empty for protobuf. */
  readonly text: string;
  /** Members that came twice; the last of each counts. */
  readonly repeated: readonly string[];
}

/** The body as a value; a body that cannot be read is refused in the words of `refuse`. */
export async function readBodyValue(
  request: IncomingMessage,
  refuse: (why: string, text: string) => StatusError = (why) => badRequest(why),
): Promise<Body> {
  const type = mediaType(request);
  const body = await readBody(request);
  const text = type === protobufType ? '' : body.toString('utf8');
  if (type === protobufType && body.length > 0) return { value: parseProtobuf(body), text, repeated: [] };
  const isYaml = type === 'application/yaml' || type === 'application/apply-patch+yaml';
  // JSON is YAML, and clients mostly send that: it is much faster to read as what it is.
  if (isYaml && !text.startsWith('{')) return { value: parseYaml(text), text, repeated: [] };
  if (!isYaml && !isJsonType(type) && type !== protobufType) throw unsupportedMediaType(accepted);
  if (text === '') return { value: undefined, text, repeated: [] };
  if (isTooDeep(text)) throw refuse(jsonProblem(text), text);
  try {
    return { value: JSON.parse(text) as unknown, text, repeated: repeatedMembers(text) };
  } catch (error) {
    if (error instanceof SyntaxError) throw refuse(jsonProblem(text), text);
    throw error;
  }
}

export const readValue = async (request: IncomingMessage): Promise<unknown> => (await readBodyValue(request)).value;

const isJsonType = (type: string) =>
  type === 'application/json' || type === '*/*' || type === '' || type.endsWith('+json');

const accepted = ['application/json', 'application/yaml', protobufType];

function parseProtobuf(body: Buffer): unknown {
  try {
    const value = decodeProtobuf(body);
    if (!value) throw unsupportedMediaType(accepted.slice(0, 2));
    return value;
  } catch (error) {
    if (error instanceof ProtobufError) throw badRequest(error.message);
    throw error;
  }
}

function parseYaml(text: string): unknown {
  try {
    return load(text);
  } catch (error) {
    const where = error instanceof YAMLException && error.mark ? `line ${error.mark.line + 1}: ` : '';
    const why = error instanceof YAMLException ? yamlWords(error.reason) : 'not YAML';
    throw badRequest(`error decoding YAML: error converting YAML to JSON: yaml: ${where}${why}`);
  }
}

/** The two readers name the same mistakes differently. */
const yamlWords = (reason: string) =>
  reason.startsWith('unexpected end of the stream within a flow collection')
    ? 'did not find expected node content'
    : reason;

const shownBytes = 30;

/** What Kubernetes shows of a body in which it finds no kind. */
function summary(text: string): string {
  if (text === '') return '<empty>';
  const bytes = Buffer.from(text);
  const encoding = text.startsWith('{') ? 'utf8' : 'hex';
  const isLong = bytes.length > shownBytes;
  return `${bytes.subarray(0, shownBytes).toString(encoding)}${isLong ? ' ...' : ''}`;
}

export const unrecognized = (kind: string, why: string, text: string): StatusError =>
  badRequest(
    `the object provided is unrecognized (must be of type ${kind}): couldn't get version/kind; json parse error: ${why} (${summary(text)})`,
  );

const goHeader =
  'struct { APIVersion string "json:\\"apiVersion,omitempty\\""; Kind string "json:\\"kind,omitempty\\"" }';

/** A body that has no members at all, as a client's mistake; null is an object without members. */
export function asMembers({ value, text }: Body, kind: string): Record<string, unknown> {
  if (value === undefined) throw unrecognized(kind, 'unexpected end of JSON input', text);
  if (value === null) return {};
  if (isRecord(value)) return value;
  const type = Array.isArray(value) ? 'array' : typeof value === 'boolean' ? 'bool' : typeof value;
  throw unrecognized(kind, `json: cannot unmarshal ${type} into Go value of type ${goHeader}`, text);
}

/** A body that must be an object with metadata. Built-in kinds need not say what they are: the path says it. */
export function asKubeObject(
  value: unknown,
  type?: Pick<ResourceType, 'group' | 'version' | 'kind' | 'isBuiltIn'>,
): KubeObject {
  if (!isRecord(value)) throw badRequest('the body of the request must be an object');
  if (value['metadata'] !== undefined && value['metadata'] !== null && !isRecord(value['metadata'])) {
    const kindName = type?.kind ?? String(value['kind']);
    const given = Array.isArray(value['metadata']) ? 'array' : typeof value['metadata'];
    const why = `json: cannot unmarshal ${given} into Go struct field ${kindName}.metadata of type v1.ObjectMeta`;
    throw badRequest(
      `${kindName} in version ${JSON.stringify(type?.version ?? '')} cannot be handled as a ${kindName}: ${why}`,
    );
  }
  const usual = type?.isBuiltIn ? { apiVersion: apiVersionOf(type), kind: type.kind } : {};
  const { apiVersion, kind }: Record<string, unknown> = { ...usual, ...value };
  if (typeof kind !== 'string' || kind === '') throw badRequest("Object 'Kind' is missing in the body of the request");
  if (typeof apiVersion !== 'string') throw badRequest("Object 'apiVersion' is missing in the body of the request");
  const metadata = isRecord(value['metadata']) ? value['metadata'] : {};
  return { ...value, apiVersion, kind, metadata: { name: '', ...metadata } };
}
