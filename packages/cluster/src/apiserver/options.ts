// Options of a request that are checked before anything is done.
import type { IncomingMessage } from 'node:http';
import { badRequest, invalidOptions, StatusError } from '../objects/index.ts';

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
  if (query.get('force') === 'true' && kind === 'PatchOptions' && !isApply(request)) {
    const message = 'may not be specified for non-apply patch';
    throw invalidOptions(kind, { type: 'Forbidden', field: 'force', message });
  }
}

const isApply = (request: IncomingMessage) => String(request.headers['content-type']).includes('apply-patch');

/** Options of lists and watches. */
export function checkListOptions(query: URLSearchParams): void {
  const refuse = (field: string, message: string) =>
    invalidOptions('ListOptions', { type: 'Forbidden', field, message });
  for (const name of ['limit', 'timeoutSeconds']) {
    const number = query.get(name) ?? '';
    if (!/^-?\d*$/.test(number))
      throw badRequest(`strconv.ParseInt: parsing ${JSON.stringify(number)}: invalid syntax`);
  }
  const [version, match] = [query.get('resourceVersion') ?? '', query.get('resourceVersionMatch') ?? ''];
  const isWatch = query.get('watch') === 'true' || query.get('watch') === '1';
  if (isWatch && query.get('sendInitialEvents') !== null && match !== 'NotOlderThan') {
    throw refuse('resourceVersionMatch', 'sendInitialEvents requires setting resourceVersionMatch to NotOlderThan');
  }
  if (!isWatch && match !== '' && version === '') {
    throw refuse('resourceVersionMatch', 'resourceVersionMatch is forbidden unless resourceVersion is provided');
  }
  if (!/^\d*$/.test(version)) {
    const shown = JSON.stringify(version);
    const message = `resourceVersion: Invalid value: ${shown}: strconv.ParseUint: parsing ${shown}: invalid syntax`;
    throw new StatusError({ status: 500, reason: '', message });
  }
}
