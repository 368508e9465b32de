// The words and forms that many rules share.
import type { FieldError } from '../resource-type.ts';

const label = /^[a-z0-9]([-a-z0-9]*[a-z0-9])?$/;
const qualifiedName = /^([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]$/;
const subdomain = /^[a-z0-9]([-a-z0-9]*[a-z0-9])?(\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*$/;

export const isLabel = (text: string): boolean => label.test(text) && text.length <= 63;
export const isSubdomain = (text: string): boolean => subdomain.test(text);

export const subdomainMessage =
  "a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '-' or '.', and must start and end with an alphanumeric character (e.g. 'example.com', regex used for validation is '[a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*')";
export const labelMessage =
  "a lowercase RFC 1123 label must consist of lower case alphanumeric characters or '-', and must start and end with an alphanumeric character (e.g. 'my-name',  or '123-abc', regex used for validation is '[a-z0-9]([-a-z0-9]*[a-z0-9])?')";
const keyMessage =
  "name part must consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character (e.g. 'MyName',  or 'my.name',  or '123-abc', regex used for validation is '([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]')";

/** What is wrong with the key of a label or annotation; undefined when nothing is. */
export function keyProblem(key: string): string | undefined {
  const parts = key.split('/');
  const name = parts.at(-1) ?? '';
  if (parts.length > 2 || name === '')
    return `a qualified name must consist of alphanumeric characters, '-', '_' or '.'`;
  if (parts.length === 2 && !isSubdomain(parts[0] ?? '')) return `prefix part ${subdomainMessage}`;
  if (name.length > 63) return 'name part must be no more than 63 bytes';
  return qualifiedName.test(name) ? undefined : keyMessage;
}

export const required = (field: string, message = ''): FieldError => ({ type: 'Required', field, message });

export const unsupported = (field: string, value: unknown, allowed: readonly string[]): FieldError => ({
  type: 'NotSupported',
  field,
  message: `supported values: ${allowed.map((name) => JSON.stringify(name)).join(', ')}`,
  value,
});

/** Lower bound zero. */
export function notNegative(value: unknown, field: string): FieldError[] {
  if (typeof value !== 'number' || value >= 0) return [];
  return [{ type: 'Invalid', field, message: 'must be greater than or equal to 0', value }];
}
