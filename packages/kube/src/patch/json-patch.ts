// RFC 6902 on RFC 6901 pointers. All operations or none: the target is copied along the touched paths only.
import { FairleadError } from '@fairlead/base';
import { equalJson, isRecord } from '../object/index.ts';
import { setMember } from './json-merge-patch.ts';

export type JsonPatchOperation =
  | { readonly op: 'add' | 'replace' | 'test'; readonly path: string; readonly value: unknown }
  | { readonly op: 'remove'; readonly path: string }
  | { readonly op: 'move' | 'copy'; readonly path: string; readonly from: string };

export class JsonPatchError extends FairleadError {
  constructor(message: string) {
    super('bad_json_patch', message);
  }
}

/** Bound on operations in one patch, as Kubernetes has it. */
const maxOperations = 10_000;

export function jsonPatch(target: unknown, operations: readonly JsonPatchOperation[]): unknown {
  if (operations.length > maxOperations) {
    throw new JsonPatchError(`a JSON patch may have ${maxOperations} operations, got ${operations.length}`);
  }
  return operations.reduce(applyOperation, target);
}

function applyOperation(target: unknown, operation: JsonPatchOperation): unknown {
  const path = parsePointer(operation.path);
  switch (operation.op) {
    case 'add':
      return edit(target, path, { put: operation.value, insert: true });
    case 'replace':
      read(target, path);
      return edit(target, path, { put: operation.value, insert: false });
    case 'remove':
      read(target, path);
      return edit(target, path, undefined);
    case 'test':
      if (equalJson(read(target, path), operation.value)) return target;
      throw new JsonPatchError(`testing value ${operation.path} failed`);
    case 'copy':
      return edit(target, path, { put: read(target, parsePointer(operation.from)), insert: true });
    case 'move': {
      const from = parsePointer(operation.from);
      if (operation.path.startsWith(`${operation.from}/`)) {
        throw new JsonPatchError(`cannot move ${operation.from} into itself`);
      }
      const value = read(target, from);
      return edit(edit(target, from, undefined), path, { put: value, insert: true });
    }
    default:
      throw new JsonPatchError(`unknown operation ${JSON.stringify((operation as { op: unknown }).op)}`);
  }
}

function parsePointer(pointer: unknown): string[] {
  if (pointer === '') return [];
  if (typeof pointer !== 'string' || !pointer.startsWith('/')) {
    throw new JsonPatchError(`${JSON.stringify(pointer)} is not a JSON pointer`);
  }
  return pointer
    .slice(1)
    .split('/')
    .map((token) => token.replaceAll('~1', '/').replaceAll('~0', '~'));
}

function read(target: unknown, path: readonly string[]): unknown {
  return path.reduce((at: unknown, token) => {
    const value = Array.isArray(at) ? at[indexOf(token, at.length - 1)] : ownMember(at, token);
    if (value === undefined) throw new JsonPatchError(`path /${path.join('/')} does not exist`);
    return value;
  }, target);
}

const ownMember = (at: unknown, token: string) => (isRecord(at) && Object.hasOwn(at, token) ? at[token] : undefined);

function indexOf(token: string, last: number): number {
  const index = /^(0|[1-9]\d*)$/.test(token) ? Number(token) : -1;
  if (index < 0 || index > last) throw new JsonPatchError(`${JSON.stringify(token)} is no index of a list there`);
  return index;
}

type Edit = { readonly put: unknown; readonly insert: boolean } | undefined;

function edit(target: unknown, path: readonly string[], change: Edit): unknown {
  const [token, ...rest] = path;
  if (token === undefined) return change?.put;
  if (Array.isArray(target)) return editList(target, { token, rest, change });
  if (!isRecord(target)) throw new JsonPatchError(`nothing to put ${JSON.stringify(token)} into`);
  const copy = { ...target };
  if (rest.length > 0) {
    if (!Object.hasOwn(copy, token)) throw new JsonPatchError(`path segment ${JSON.stringify(token)} does not exist`);
    setMember(copy, token, edit(copy[token], rest, change));
  } else if (change) setMember(copy, token, change.put);
  else delete copy[token];
  return copy;
}

function editList(
  list: readonly unknown[],
  { token, rest, change }: { token: string; rest: readonly string[]; change: Edit },
): unknown[] {
  const copy = [...list];
  if (rest.length > 0) {
    const index = indexOf(token, list.length - 1);
    copy[index] = edit(copy[index], rest, change);
  } else if (!change) copy.splice(indexOf(token, list.length - 1), 1);
  else if (change.insert) copy.splice(token === '-' ? list.length : indexOf(token, list.length), 0, change.put);
  else copy[indexOf(token, list.length - 1)] = change.put;
  return copy;
}
