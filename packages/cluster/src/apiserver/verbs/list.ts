// Lists are made of the stored bytes: nothing is encoded again for the plain form.

import { badRequest, gone } from '../../objects/index.ts';
import type { ResourceType } from '../../registry/index.ts';
import { jsonProblem } from '../../schema/index.ts';
import type { Store, Stored } from '../../storage/index.ts';
import type { Answer, Call, ServerDeps } from '../call.ts';
import { apiVersionOf, partialMetadata, storedJson, table } from '../forms.ts';
import { type Selection, selectionOf } from '../selection.ts';

interface ListMetadata {
  readonly resourceVersion: string;
  readonly continue?: string;
  readonly remainingItemCount?: number;
}

export async function listObjects(call: Call, { objects, clock }: ServerDeps): Promise<Answer> {
  const { type, query, accepted } = call;
  const { store } = objects;
  const selection = selectionOf(type, call.namespace, query);
  const { page, metadata, revision } = readPage(store, { type, selection, query });
  await store.settled(revision);
  if (accepted.form === 'json') return { status: 200, body: plainList(type, page, metadata) };
  const items = page.map(({ object }) => object);
  if (accepted.form === 'table') {
    const { continue: token, ...rest } = metadata;
    const shown = token ? metadata : rest;
    const options = { nowMs: clock.now(), include: query.get('includeObject'), metadata: shown };
    return { status: 200, body: table(type, items, options) };
  }
  const kind = 'PartialObjectMetadataList';
  return { status: 200, body: { kind, apiVersion: 'meta.k8s.io/v1', metadata, items: items.map(partialMetadata) } };
}

interface PageRequest {
  readonly type: ResourceType;
  readonly selection: Selection;
  readonly query: URLSearchParams;
}

function readPage(store: Store, { type, selection, query }: PageRequest) {
  const collection = store.collection(type.storageKey);
  const token = readToken(query.get('continue'));
  // Pages after the first tell the first page's version: a watch from there replays whatever changed in between.
  if (token && store.changesAfter(type.storageKey, token.revision) === undefined) {
    throw gone('The provided continue parameter is too old to display a consistent list result.');
  }
  const isQuiet = collection.latestRevision <= store.durableRevision;
  const revision = isQuiet ? store.durableRevision : store.revision;
  const limit = Number(query.get('limit') ?? 0) || Number.POSITIVE_INFINITY;
  const page: Stored[] = [];
  let remaining = 0;
  for (const stored of collection.scan({ namespace: selection.namespace, afterKey: token?.afterKey })) {
    if (!selection.isAll && !selection.matches(stored.object)) continue;
    if (page.length < limit) page.push(stored);
    else remaining++;
  }
  const shown = token?.revision ?? revision;
  const metadata: ListMetadata = {
    ...(type.isBuiltIn ? {} : { continue: '' }),
    resourceVersion: String(shown),
    ...(remaining > 0 ? { continue: writeToken(shown, page.at(-1)), remainingItemCount: remaining } : {}),
  };
  return { page, metadata, revision };
}

export function plainList(type: ResourceType, page: readonly Stored[], metadata: ListMetadata): Buffer {
  const head = { kind: `${type.kind}List`, apiVersion: apiVersionOf(type), metadata };
  const pieces: Buffer[] = [Buffer.from(`${JSON.stringify(head).slice(0, -1)},"items":[`)];
  for (const [index, stored] of page.entries()) {
    if (index > 0) pieces.push(comma);
    pieces.push(withoutKind(storedJson(stored, type), type));
  }
  pieces.push(end);
  return Buffer.concat(pieces);
}

/** Items of built-in lists do not repeat what the list is of. */
function withoutKind(json: Buffer, type: ResourceType): Buffer {
  if (!type.isBuiltIn) return json;
  const head = `{"apiVersion":"${apiVersionOf(type)}","kind":"${type.kind}",`;
  if (json.length < head.length || json.toString('latin1', 0, head.length) !== head) return json;
  const rest = json.subarray(head.length - 1);
  return Buffer.concat([brace, rest.subarray(1)]);
}

const brace = Buffer.from('{');
const comma = Buffer.from(',');
const end = Buffer.from(']}\n');

interface Token {
  readonly revision: number;
  readonly afterKey: string;
}

function writeToken(revision: number, last: Stored | undefined): string {
  const { namespace = '', name = '' } = last?.object.metadata ?? {};
  return Buffer.from(JSON.stringify({ revision, afterKey: `${namespace}/${name}` })).toString('base64url');
}

function readToken(text: string | null): Token | undefined {
  if (!text) return undefined;
  const bytes = Buffer.from(text, 'base64url');
  try {
    const { revision, afterKey } = JSON.parse(bytes.toString('utf8')) as Token; // checked below
    if (typeof revision === 'number' && typeof afterKey === 'string') return { revision, afterKey };
  } catch {
    throw badRequest(`invalid continue token: continue key is not valid: ${jsonProblem(bytes.toString('latin1'))}`);
  }
  throw badRequest('invalid continue token: continue key is not valid: incorrect encoded start resourceVersion');
}
