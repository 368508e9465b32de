// A URL path read as Kubernetes reads it.

export interface ResourcePath {
  readonly group: string;
  readonly version: string;
  readonly plural: string;
  /** '' when the path names none. */
  readonly namespace: string;
  readonly name: string;
  readonly subresource: string;
}

/** undefined when the path does not lead to a resource. */
export function parseResourcePath(path: string): ResourcePath | undefined {
  const parts = path.split('/').slice(1).map(decode);
  if (parts.some((part) => part === undefined || part === '')) return undefined;
  const segments = parts as string[]; // no undefined is left
  const [root] = segments;
  const isCore = root === 'api';
  if (!isCore && root !== 'apis') return undefined;
  const group = isCore ? '' : (segments[1] ?? '');
  const version = segments[isCore ? 1 : 2] ?? '';
  const rest = segments.slice(isCore ? 2 : 3);
  if (version === '' || rest.length === 0) return undefined;
  const base = { group, version };
  // /namespaces/x, /namespaces/x/status and /namespaces/x/finalize are about the namespace itself.
  const isInside = rest[0] === 'namespaces' && rest.length > 2 && !(rest.length === 3 && isNamespacePart(rest[2]));
  if (isInside) {
    const [, namespace = '', plural = '', name = '', ...subresource] = rest;
    return { ...base, namespace, plural, name, subresource: subresource.join('/') };
  }
  const [plural = '', name = '', ...subresource] = rest;
  return { ...base, namespace: '', plural, name, subresource: subresource.join('/') };
}

const isNamespacePart = (part: string | undefined) => part === 'status' || part === 'finalize';

function decode(segment: string): string | undefined {
  try {
    return decodeURIComponent(segment);
  } catch {
    return undefined; // a broken escape leads to no resource
  }
}
