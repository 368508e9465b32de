import { FairleadError } from '@fairlead/base';

/** The last row of a page, as far as the order needs it. Opaque to clients; a forged one can only select a place. */
export interface Cursor {
  readonly sort: 'attention' | 'name' | 'changed';
  readonly attention: number;
  readonly changedAt: string;
  readonly name: string;
  readonly namespace: string;
  readonly runtimeId: string;
}

export class BadCursorError extends FairleadError {
  constructor() {
    super('bad_cursor', 'is not a cursor of this list and sort order; load from the start');
  }
}

export function encodeCursor({ sort, attention, changedAt, name, namespace, runtimeId }: Cursor): string {
  return Buffer.from(JSON.stringify([sort, attention, changedAt, name, namespace, runtimeId])).toString('base64url');
}

export function decodeCursor(text: string, expectedSort: Cursor['sort']): Cursor {
  let parts: unknown;
  try {
    parts = JSON.parse(Buffer.from(text, 'base64url').toString('utf8'));
  } catch {
    throw new BadCursorError();
  }
  if (!Array.isArray(parts) || parts.length !== 6 || parts[0] !== expectedSort) throw new BadCursorError();
  const [, attention, changedAt, ...rest] = parts as unknown[];
  const strings = rest.filter((part): part is string => typeof part === 'string' && !part.includes('\0'));
  const [name, namespace, runtimeId] = strings;
  if (!Number.isInteger(attention) || typeof changedAt !== 'string' || Number.isNaN(Date.parse(changedAt))) {
    throw new BadCursorError();
  }
  if (name === undefined || namespace === undefined || runtimeId === undefined) throw new BadCursorError();
  return { sort: expectedSort, attention: attention as number, changedAt, name, namespace, runtimeId };
}
