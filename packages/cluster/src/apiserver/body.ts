// Bodies of requests: bounded, and JSON or YAML.
import type { IncomingMessage } from 'node:http';
import { isRecord, type KubeObject } from '@fairlead/kube/object';
import { load } from 'js-yaml';
import { badRequest, tooLarge, unsupportedMediaType } from '../objects/index.ts';
import { decodeProtobuf, ProtobufError, protobufType } from '../protobuf/index.ts';
import type { ResourceType } from '../registry/index.ts';
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

/** Deeper than this is no document but an attack; Kubernetes has the same bound. */
const maxDepth = 10_000;

export async function readValue(request: IncomingMessage): Promise<unknown> {
  const type = mediaType(request);
  const body = await readBody(request);
  if (type === 'application/yaml' || type === 'application/apply-patch+yaml') return parseYaml(body);
  if (type === protobufType && body.length > 0) return parseProtobuf(body);
  if (!isJsonType(type) && type !== protobufType) throw unsupportedMediaType(accepted);
  return parseJson(body);
}

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

function parseJson(body: Buffer): unknown {
  if (body.length === 0) return undefined;
  if (isTooDeep(body))
    throw badRequest(`the object provided is unrecognized: invalid character '{' exceeded max depth`);
  try {
    return JSON.parse(body.toString('utf8'));
  } catch (error) {
    throw badRequest(`the object provided is unrecognized: ${error instanceof Error ? error.message : 'not JSON'}`);
  }
}

function isTooDeep(body: Buffer): boolean {
  if (body.length <= maxDepth) return false;
  let depth = 0;
  let isText = false;
  for (let at = 0; at < body.length; at++) {
    const byte = body[at];
    if (isText) {
      if (byte === 0x5c) at++;
      else if (byte === 0x22) isText = false;
    } else if (byte === 0x22) isText = true;
    else if (byte === 0x7b || byte === 0x5b) {
      if (++depth > maxDepth) return true;
    } else if (byte === 0x7d || byte === 0x5d) depth--;
  }
  return false;
}

function parseYaml(body: Buffer): unknown {
  const text = body.toString('utf8');
  // JSON is YAML, and clients mostly send that: it is much faster to read as what it is.
  if (text.startsWith('{')) return parseJson(body);
  try {
    return load(text);
  } catch (error) {
    throw badRequest(`error parsing YAML: ${error instanceof Error ? error.message : 'not YAML'}`);
  }
}

/** A body that must be an object with metadata. Built-in kinds need not say what they are: the path says it. */
export function asKubeObject(
  value: unknown,
  type?: Pick<ResourceType, 'group' | 'version' | 'kind' | 'isBuiltIn'>,
): KubeObject {
  if (!isRecord(value)) throw badRequest('the body of the request must be an object');
  if (value['metadata'] !== undefined && !isRecord(value['metadata'])) throw badRequest('metadata must be an object');
  const usual = type?.isBuiltIn ? { apiVersion: apiVersionOf(type), kind: type.kind } : {};
  const { apiVersion, kind }: Record<string, unknown> = { ...usual, ...value };
  if (typeof kind !== 'string' || kind === '') throw badRequest("Object 'Kind' is missing in the body of the request");
  if (typeof apiVersion !== 'string') throw badRequest("Object 'apiVersion' is missing in the body of the request");
  const metadata = isRecord(value['metadata']) ? value['metadata'] : {};
  return { ...value, apiVersion, kind, metadata: { name: '', ...metadata } };
}
