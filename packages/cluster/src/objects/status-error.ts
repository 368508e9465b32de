// Refusals in the words of Kubernetes: clients and people match on reason, code and text.
import { FairleadError } from '@fairlead/base';
import type { ApplyConflictError } from '@fairlead/kube/patch';
import { type FieldError, qualifiedPlural, type ResourceType } from '../registry/index.ts';

export interface Cause {
  readonly reason: string;
  readonly message: string;
  readonly field?: string;
}

export interface Details {
  readonly name?: string;
  readonly group?: string;
  readonly kind?: string;
  readonly uid?: string;
  readonly causes?: readonly Cause[];
  readonly retryAfterSeconds?: number;
}

export class StatusError extends FairleadError {
  readonly status: number;
  readonly reason: string;
  readonly statusDetails: Details | undefined;

  constructor(fields: { status: number; reason: string; message: string; details?: Details }) {
    super('kube_status', fields.message);
    this.status = fields.status;
    this.reason = fields.reason;
    this.statusDetails = fields.details;
  }

  toStatus(): Record<string, unknown> {
    return {
      kind: 'Status',
      apiVersion: 'v1',
      metadata: {},
      status: 'Failure',
      message: this.message,
      ...(this.reason === '' ? {} : { reason: this.reason }),
      ...(this.statusDetails ? { details: this.statusDetails } : {}),
      code: this.status,
    };
  }
}

type Named = Pick<ResourceType, 'plural' | 'group'>;
const detailsOf = ({ plural, group }: Named, name: string): Details => ({
  ...(name === '' ? {} : { name }),
  ...(group === '' ? {} : { group }),
  kind: plural,
});

export function notFound(type: Named, name: string): StatusError {
  const message = `${qualifiedPlural(type)} ${JSON.stringify(name)} not found`;
  return new StatusError({ status: 404, reason: 'NotFound', message, details: detailsOf(type, name) });
}

/** A path that leads to no resource at all. */
export function noSuchPath(): StatusError {
  const message = 'the server could not find the requested resource';
  return new StatusError({ status: 404, reason: 'NotFound', message, details: {} });
}

export function alreadyExists(type: Named, name: string): StatusError {
  const message = `${qualifiedPlural(type)} ${JSON.stringify(name)} already exists`;
  return new StatusError({ status: 409, reason: 'AlreadyExists', message, details: detailsOf(type, name) });
}

export function conflict(type: Named, name: string, why: string): StatusError {
  const message = `Operation cannot be fulfilled on ${qualifiedPlural(type)} ${JSON.stringify(name)}: ${why}`;
  return new StatusError({ status: 409, reason: 'Conflict', message, details: detailsOf(type, name) });
}

export const staleVersion = (type: Named, name: string): StatusError =>
  conflict(type, name, 'the object has been modified; please apply your changes to the latest version and try again');

export function forbidden(type: Named, name: string, why: string, causes?: readonly Cause[]): StatusError {
  const message = `${qualifiedPlural(type)} ${JSON.stringify(name)} is forbidden: ${why}`;
  const details = { ...detailsOf(type, name), ...(causes ? { causes } : {}) };
  return new StatusError({ status: 403, reason: 'Forbidden', message, details });
}

export const badRequest = (message: string): StatusError =>
  new StatusError({ status: 400, reason: 'BadRequest', message });

/** Kubernetes gives no reason and calls it its own failure. */
export const creationWithVersion = (): StatusError =>
  new StatusError({ status: 500, reason: '', message: 'resourceVersion should not be set on objects to be created' });

export const methodNotAllowed = (): StatusError =>
  new StatusError({
    status: 405,
    reason: 'MethodNotAllowed',
    message: 'the server does not allow this method on the requested resource',
    details: {},
  });

export const gone = (message: string): StatusError => new StatusError({ status: 410, reason: 'Expired', message });

export const tooLarge = (limitBytes: number): StatusError =>
  new StatusError({
    status: 413,
    reason: 'RequestEntityTooLarge',
    message: `Request entity too large: limit is ${limitBytes}`,
  });

export const unsupportedMediaType = (accepted: readonly string[]): StatusError =>
  new StatusError({
    status: 415,
    reason: 'UnsupportedMediaType',
    message: `the body of the request was in an unknown format - accepted media types include: ${accepted.join(', ')}`,
  });

export const unauthorized = (): StatusError =>
  new StatusError({ status: 401, reason: 'Unauthorized', message: 'Unauthorized' });

const words: Readonly<Record<FieldError['type'], string>> = {
  Required: 'Required value',
  Invalid: 'Invalid value',
  Forbidden: 'Forbidden',
  NotSupported: 'Unsupported value',
  Duplicate: 'Duplicate value',
  TooLong: 'Too long',
  TooMany: 'Too many',
  TypeInvalid: 'Invalid value',
  NotFound: 'Not found',
};

const withoutValue: readonly FieldError['type'][] = ['Required', 'Forbidden', 'TooLong'];

function errorText({ type, message, value, shown }: FieldError): string {
  const text = shown ?? (value === undefined || withoutValue.includes(type) ? undefined : JSON.stringify(value));
  return `${words[type]}${text === undefined ? '' : `: ${text}`}${message === '' ? '' : `: ${message}`}`;
}

export function invalid(
  type: Pick<ResourceType, 'plural' | 'group' | 'kind'>,
  name: string,
  errors: readonly FieldError[],
): StatusError {
  const qualifiedKind = type.group === '' ? type.kind : `${type.kind}.${type.group}`;
  // The same complaint twice is one sentence but two causes.
  const texts = [...new Set(errors.map((error) => `${error.field}: ${errorText(error)}`))];
  const listed = texts.length === 1 ? texts[0] : `[${texts.join(', ')}]`;
  const causes = errors.map((error) => ({
    reason: `FieldValue${error.type}`,
    message: errorText(error),
    field: error.field,
  }));
  const details = { ...detailsOf(type, name), kind: type.kind, causes };
  const message = `${qualifiedKind} ${JSON.stringify(name)} is invalid: ${listed}`;
  return new StatusError({ status: 422, reason: 'Invalid', message, details });
}

/** Options of a request that mean nothing. */
export function invalidOptions(kind: string, error: FieldError): StatusError {
  const text = errorText(error);
  const details = {
    group: 'meta.k8s.io',
    kind,
    causes: [{ reason: `FieldValue${error.type}`, message: text, field: error.field }],
  };
  const message = `${kind}.meta.k8s.io "" is invalid: ${error.field}: ${text}`;
  return new StatusError({ status: 422, reason: 'Invalid', message, details });
}

export function applyConflict(error: ApplyConflictError): StatusError {
  const causes = error.conflicts.flatMap(({ manager, apiVersion, operation, subresource, paths }) =>
    paths.map((field) => ({
      reason: 'FieldManagerConflict',
      message: `conflict with "${manager}"${subresource ? ` with subresource "${subresource}"` : ''}${operation === 'Update' ? ` using ${apiVersion}` : ''}`,
      field,
    })),
  );
  return new StatusError({ status: 409, reason: 'Conflict', message: error.message, details: { causes } });
}
