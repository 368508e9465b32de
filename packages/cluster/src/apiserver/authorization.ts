// Who asks, and whether they may. Impersonation first asks whether the caller may act as the other, then forgets the caller.
import type { IncomingMessage } from 'node:http';
import { type Authorizer, type Deed, namedUser, type Tokens, type User } from '../access/index.ts';
import { StatusError, unauthorized } from '../objects/index.ts';
import { bearerToken } from './authentication.ts';
import { parseResourcePath } from './request-path.ts';

export interface Gate {
  readonly administrator: User;
  readonly isAdministrator: (token: string) => boolean;
  readonly tokens: Tokens;
  readonly authorizer: Authorizer;
}

export function userOfToken(token: string, { administrator, isAdministrator, tokens }: Gate): User | undefined {
  return isAdministrator(token) ? administrator : tokens.userOf(token);
}

/** The user for whom the request is made. */
export function authenticate(request: IncomingMessage, gate: Gate): User {
  const token = bearerToken(request);
  const user = token === undefined ? undefined : userOfToken(token, gate);
  if (!user) throw unauthorized();
  const wanted = headerOf(request, 'impersonate-user');
  if (wanted === undefined) return user;
  const groups = (headerOf(request, 'impersonate-group') ?? '')
    .split(',')
    .map((name) => name.trim())
    .filter((name) => name !== '');
  const [, namespace, name] = /^system:serviceaccount:([^:]+):(.+)$/.exec(wanted) ?? [];
  const deeds: Deed[] = [
    namespace !== undefined && name !== undefined
      ? impersonation('serviceaccounts', name, namespace)
      : impersonation('users', wanted, ''),
    ...groups.map((group) => impersonation('groups', group, '')),
  ];
  for (const deed of deeds) if (!gate.authorizer.allows(user, deed)) throw refusal(user, deed);
  const own = namespace === undefined ? [] : ['system:serviceaccounts', `system:serviceaccounts:${namespace}`];
  return namedUser(wanted, [...own, ...groups]);
}

const impersonation = (resource: string, name: string, namespace: string): Deed => ({
  verb: 'impersonate',
  group: '',
  resource,
  subresource: '',
  namespace,
  name,
});

function headerOf({ headers }: IncomingMessage, name: string): string | undefined {
  const value = headers[name];
  return Array.isArray(value) ? value.join(',') : value;
}

/** Throws when the user may not do what the request asks. */
export function authorize(user: User, request: IncomingMessage, { url, gate }: { url: URL; gate: Gate }): void {
  const resource = parseResourcePath(url.pathname.replace(/(.)\/$/, '$1'));
  const method = request.method ?? 'GET';
  if (!resource) {
    const verb = method.toLowerCase();
    if (!gate.authorizer.allowsPath(user, { verb, path: url.pathname })) throw pathRefusal(user, verb, url.pathname);
    return;
  }
  const { group, plural, subresource, name } = resource;
  // A namespace itself is asked for as an object in that namespace.
  const namespace = plural === 'namespaces' && group === '' ? name : resource.namespace;
  const deed = { verb: verbOf(method, name, url.searchParams), group, resource: plural, subresource, namespace, name };
  if (gate.authorizer.allows(user, deed)) return;
  throw refusal(user, deed, gate.authorizer.missingRoles(user, namespace));
}

function verbOf(method: string, name: string, query: URLSearchParams): string {
  const isWatch = query.get('watch') === 'true' || query.get('watch') === '1';
  if (method === 'GET' || method === 'HEAD') return isWatch ? 'watch' : name !== '' ? 'get' : 'list';
  if (method === 'DELETE') return name === '' ? 'deletecollection' : 'delete';
  return { POST: 'create', PUT: 'update', PATCH: 'patch' }[method] ?? method.toLowerCase();
}

function refusal({ username }: User, deed: Deed, missing: readonly string[] = []): StatusError {
  const { verb, group, resource, subresource, namespace, name } = deed;
  const full = subresource === '' ? resource : `${resource}/${subresource}`;
  const what = `${resource}${group === '' ? '' : `.${group}`}${name === '' ? '' : ` ${JSON.stringify(name)}`}`;
  const where = namespace === '' ? 'at the cluster scope' : `in the namespace ${JSON.stringify(namespace)}`;
  const why = `User ${JSON.stringify(username)} cannot ${verb} resource ${JSON.stringify(full)} in API group ${JSON.stringify(group)} ${where}${missing.length === 0 ? '' : `: RBAC: ${missing.join(', ')}`}`;
  const details = { ...(name === '' ? {} : { name }), ...(group === '' ? {} : { group }), kind: resource };
  return new StatusError({ status: 403, reason: 'Forbidden', message: `${what} is forbidden: ${why}`, details });
}

function pathRefusal({ username }: User, verb: string, path: string): StatusError {
  const message = `forbidden: User ${JSON.stringify(username)} cannot ${verb} path ${JSON.stringify(path)}`;
  return new StatusError({ status: 403, reason: 'Forbidden', message, details: {} });
}
