// RFC 6902, all operations or none.
import { isDeepStrictEqual } from 'node:util';
import { RenderError } from '../errors.ts';
import { type Fields, isFields, own, put } from './fields.ts';

const maxOperations = 10_000;

/** Applies the operations to a copy; `where` names the patch in errors. */
export function jsonPatch(target: Fields, operations: readonly unknown[], where: string): Fields {
  if (operations.length > maxOperations) throw new RenderError(`${where}: more than ${maxOperations} operations`);
  const root: Fields = { root: structuredClone(target) };
  for (const operation of operations) {
    if (!isFields(operation)) throw new RenderError(`${where}: an operation is not a map`);
    applyOperation(root, operation, where);
  }
  const result = root['root'];
  if (!isFields(result)) throw new RenderError(`${where}: leaves no object`);
  return result;
}

function applyOperation(root: Fields, operation: Fields, where: string): void {
  const { op, value = null } = operation;
  const at = placeOf(root, operation['path'], where);
  switch (op) {
    case 'add':
      insert(at, structuredClone(value));
      return;
    case 'replace':
      assign(at, structuredClone(value));
      return;
    case 'remove':
      take(at);
      return;
    case 'test':
      if (!isDeepStrictEqual(valueAt(at) ?? null, value)) throw new RenderError(`${at.where} is not the tested value`);
      return;
    case 'copy':
      insert(at, structuredClone(existing(placeOf(root, operation['from'], where))));
      return;
    case 'move': {
      const moved = take(placeOf(root, operation['from'], where));
      insert(placeOf(root, operation['path'], where), moved);
      return;
    }
    default:
      throw new RenderError(`${where}: unknown operation ${JSON.stringify(op)}`);
  }
}

interface Place {
  readonly parent: unknown;
  readonly token: string;
  readonly where: string;
}

function placeOf(root: Fields, pointer: unknown, where: string): Place {
  if (typeof pointer !== 'string' || (pointer !== '' && !pointer.startsWith('/'))) {
    throw new RenderError(`${where}: ${JSON.stringify(pointer)} is not a JSON pointer`);
  }
  const tokens = ['root', ...pointer.split('/').slice(1)].map((t) => t.replaceAll('~1', '/').replaceAll('~0', '~'));
  const last = tokens.pop() ?? 'root';
  const here = `${where}: ${pointer}`;
  const parent = tokens.reduce((at: unknown, token) => existing({ parent: at, token, where: here }), root);
  return { parent, token: last, where: here };
}

function valueAt({ parent, token, where }: Place): unknown {
  if (Array.isArray(parent)) return parent[indexOf(token, parent.length, where)];
  return isFields(parent) ? own(parent, token) : undefined;
}

function existing(place: Place): unknown {
  const value = valueAt(place);
  if (value === undefined) throw new RenderError(`${place.where} does not exist`);
  return value;
}

function insert(place: Place, value: unknown): void {
  const { parent, token, where } = place;
  if (Array.isArray(parent)) {
    const index = token === '-' ? parent.length : indexOf(token, parent.length + 1, where);
    parent.splice(index, 0, value);
  } else if (isFields(parent)) put(parent, token, value);
  else throw new RenderError(`${where}: nothing there to add to`);
}

function assign(place: Place, value: unknown): void {
  const { parent, token, where } = place;
  if (Array.isArray(parent)) parent[indexOf(token, parent.length, where)] = value;
  // A member that is not there is made: the library behind kustomize does not look.
  else if (isFields(parent)) put(parent, token, value);
  else throw new RenderError(`${where} does not exist`);
}

function take(place: Place): unknown {
  const value = existing(place);
  const { parent, token, where } = place;
  if (Array.isArray(parent)) parent.splice(indexOf(token, parent.length, where), 1);
  else if (isFields(parent)) delete parent[token];
  return value;
}

/** Negative indices count from the end, as the library behind kustomize has it. */
function indexOf(token: string, length: number, where: string): number {
  const index = /^-?\d+$/.test(token) ? Number(token) : Number.NaN;
  const counted = index < 0 ? index + length : index;
  if (!(counted >= 0 && counted < length)) throw new RenderError(`${where}: no item ${token}`);
  return counted;
}
