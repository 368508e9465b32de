// Options of a request that are checked before anything is done.
import type { IncomingMessage } from 'node:http';
import { invalidOptions } from '../objects/index.ts';

const kinds: Readonly<Record<string, string>> = {
  POST: 'CreateOptions',
  PUT: 'UpdateOptions',
  PATCH: 'PatchOptions',
  DELETE: 'DeleteOptions',
};

export const optionsKind = (request: IncomingMessage): string => kinds[request.method ?? ''] ?? '';

const maxManagerBytes = 128;

export function checkOptions(request: IncomingMessage, query: URLSearchParams): void {
  const kind = optionsKind(request);
  if (kind === '') return;
  const dryRun = query.getAll('dryRun').filter((value) => value !== '');
  if (dryRun.some((value) => value !== 'All')) {
    const shown = `[]string{${dryRun.map((value) => JSON.stringify(value)).join(', ')}}`;
    throw invalidOptions(kind, { type: 'NotSupported', field: 'dryRun', message: 'supported values: "All"', shown });
  }
  if (Buffer.byteLength(query.get('fieldManager') ?? '') > maxManagerBytes) {
    const message = `may not be more than ${maxManagerBytes} bytes`;
    throw invalidOptions(kind, { type: 'TooLong', field: 'fieldManager', message });
  }
  if (query.has('force') && kind === 'PatchOptions' && !isApply(request)) {
    const message = 'may not be specified for non-apply patch';
    throw invalidOptions(kind, { type: 'Forbidden', field: 'force', message });
  }
}

const isApply = (request: IncomingMessage) => String(request.headers['content-type']).includes('apply-patch');
