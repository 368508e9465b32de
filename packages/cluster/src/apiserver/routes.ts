// From a request to the verb that answers it.
import type { IncomingMessage, ServerResponse } from 'node:http';
import { escalation, type User } from '../access/index.ts';
import { forbidden, methodNotAllowed, noSuchPath, notFound, StatusError } from '../objects/index.ts';
import { protobufType } from '../protobuf/index.ts';
import type { Gate } from './authorization.ts';
import { asKubeObject, readValue } from './body.ts';
import type { Answer, Call, ServerDeps, Verb } from './call.ts';
import type { DiscoveryDocuments } from './discovery.ts';
import { readLog } from './log.ts';
import type { ApiMetrics } from './metrics.ts';
import { aggregatedDiscovery, negotiate, parseAccept } from './negotiation.ts';
import type { OpenApiDocuments } from './openapi.ts';
import type { OpenApiV2 } from './openapi-v2.ts';
import { checkListOptions, checkOptions } from './options.ts';
import { parseResourcePath, type ResourcePath } from './request-path.ts';
import { answerReview } from './reviews.ts';
import { scaleOf } from './scale.ts';
import { createObject } from './verbs/create.ts';
import { deleteCollection, deleteObject } from './verbs/delete.ts';
import { getObject } from './verbs/get.ts';
import { listObjects } from './verbs/list.ts';
import { patchObject } from './verbs/patch.ts';
import { requestToken } from './verbs/token.ts';
import { updateObject } from './verbs/update.ts';
import { watchObjects } from './verbs/watch.ts';

export interface Exchange {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  readonly url: URL;
  /** undefined on paths that are open to all. */
  readonly user: User | undefined;
}

export interface RouteDeps extends ServerDeps {
  readonly discovery: DiscoveryDocuments;
  readonly openApi: OpenApiDocuments;
  readonly openApiV2: OpenApiV2;
  readonly metrics: ApiMetrics;
  readonly gate: Gate;
}

/** The Kubernetes whose recorded answers we are held against: clients decide by it what they may ask. */
const gitVersion = 'v1.32.0';
const version = {
  major: '1',
  minor: '32',
  gitVersion: `${gitVersion}+fairlead`,
  gitCommit: '',
  gitTreeState: 'clean',
  buildDate: '2026-01-01T00:00:00Z',
  goVersion: 'none',
  compiler: 'none',
  platform: `${process.platform}/${process.arch}`,
};

export async function route(exchange: Exchange, deps: RouteDeps): Promise<Answer> {
  const { request, url } = exchange;
  const path = url.pathname.length > 1 ? url.pathname.replace(/\/$/, '') : url.pathname;
  if (request.method === 'GET' && path === '/metrics') return deps.metrics.answer();
  const document = request.method === 'GET' ? documentAt(path, exchange, deps) : undefined;
  if (document) return document;
  const resource = parseResourcePath(path);
  if (!resource) return pageNotFound;
  return routeResource(resource, exchange, deps);
}

/** Paths that lead to no API at all are answered as by any web server. */
const pageNotFound: Answer = { status: 404, body: '404 page not found\n', contentType: 'text/plain; charset=utf-8' };

function documentAt(
  path: string,
  { request }: Exchange,
  { discovery, openApi, openApiV2 }: RouteDeps,
): Answer | undefined {
  const json = (body: object | undefined): Answer | undefined => body && { status: 200, body };
  const [, root, first = '', second = '', third = '', ...rest] = path.split('/');
  if (root === 'version' && first === '') return json(version);
  if (root === 'healthz' || root === 'livez' || root === 'readyz')
    return { status: 200, body: 'ok', contentType: 'text/plain' };
  if (path === '/api' || path === '/apis') {
    const aggregated = aggregatedDiscovery(request.headers.accept);
    if (aggregated) {
      const body = discovery.aggregated(path === '/api' ? 'api' : 'apis', aggregated.version);
      return { status: 200, body, contentType: aggregated.contentType };
    }
    return json(path === '/api' ? discovery.legacyVersions() : discovery.groupList());
  }
  if (path === '/openapi/v2') return { status: 200, ...openApiV2.answer(request.headers.accept) };
  if (path === '/openapi/v3') return json(openApi.index());
  if (root === 'openapi' && first === 'v3' && rest.length < 2) {
    const at = second === 'api' ? { group: '', version: third } : { group: third, version: rest[0] ?? '' };
    return json(openApi.document(at));
  }
  if (root === 'api' && first !== '' && second === '') return json(discovery.resourceList('', first));
  if (root === 'apis' && first !== '' && third === '') {
    return json(second === '' ? discovery.group(first) : discovery.resourceList(first, second));
  }
  return undefined;
}

async function routeResource(path: ResourcePath, exchange: Exchange, deps: RouteDeps): Promise<Answer> {
  const { request, response, url } = exchange;
  const query = url.searchParams;
  const type = deps.objects.registry.find(path.group, path.version, path.plural);
  if (!type) {
    if (!deps.discovery.resourceList(path.group, path.version)) {
      if (isBuiltInGroup(deps, path.group)) throw noSuchPath();
      return pageNotFound;
    }
    return routeReview(path, exchange, deps);
  }
  const accepted = negotiate(request.headers.accept, request.headers['accept-encoding']);
  if (!accepted) {
    throw notAcceptable(request.headers.accept);
  }
  checkOptions(request, query);
  if (request.method === 'GET' && path.name === '') checkListOptions(query);
  const call: Call = {
    type,
    namespace: path.namespace,
    name: path.name,
    subresource: path.subresource,
    query,
    accepted,
    manager: query.get('fieldManager') ?? managerOf(request),
    dryRun: query.get('dryRun') === 'All',
    admit: admission(type, exchange, deps),
    request,
    response,
  };
  if (path.subresource === 'token' && type.subresources.includes('token') && request.method === 'POST') {
    return requestToken(call, deps, deps.gate.tokens);
  }
  return verbFor(call, request.method ?? '')(call, deps);
}

const forms = ['application/json', 'application/yaml', protobufType];

/** What nobody writes is refused at the door; what is written, but not in that form, further inside. */
function notAcceptable(accept: string | undefined): StatusError {
  const isKnown = parseAccept(accept).some(({ type }) => type === '*/*' || forms.includes(type));
  const streams = [`${forms[0]};stream=watch`, `${protobufType};stream=watch`];
  const message = isKnown
    ? `only the following media types are accepted: ${forms.join(', ')}`
    : `406: Not Acceptable\n\nAvailable representations: ${[...forms, ...streams].join(', ')}`;
  return new StatusError({ status: 406, reason: 'NotAcceptable', message, ...(isKnown ? {} : { details: {} }) });
}

/** Groups of custom kinds are known by their versions only. */
const isBuiltInGroup = ({ objects }: RouteDeps, group: string) =>
  objects.registry.all().some((type) => type.isBuiltIn && type.group === group);

const rbac = 'rbac.authorization.k8s.io';

/** Roles and bindings give rights away: only rights that the giver has. */
function admission(type: Call['type'], { user }: Exchange, { gate, objects }: RouteDeps): Call['admit'] {
  if (type.group !== rbac || !user) return undefined;
  return (object) => {
    const why = escalation({ user, plural: type.plural, object }, gate.authorizer, objects.store);
    if (why !== undefined) throw forbidden(type, object.metadata.name, why);
  };
}

/** Without a name of their own, clients are called by their program, as Kubernetes does. */
const managerOf = (request: IncomingMessage) =>
  (request.headers['user-agent'] ?? 'unknown').split('/')[0]?.slice(0, 128) ?? 'unknown';

function verbFor({ type, name, namespace, subresource, query }: Call, method: string): Verb {
  if (subresource !== '') return subresourceVerb({ type, name }, subresource, method);
  if (name === '') {
    const needsNamespace = type.namespaced && namespace === '';
    const isWatch = query.get('watch') === 'true' || query.get('watch') === '1';
    if (method === 'GET') return isWatch ? watchObjects : listObjects;
    if (method === 'POST' && !needsNamespace) return createObject;
    if (method === 'DELETE' && !needsNamespace) return deleteCollection;
    throw methodNotAllowed();
  }
  if (type.namespaced !== (namespace !== '')) throw noSuchPath();
  const isWatch = query.get('watch') === 'true' || query.get('watch') === '1';
  const verbs: Readonly<Record<string, Verb>> = {
    GET: isWatch ? watchObjects : getObject,
    PUT: updateObject,
    PATCH: patchObject,
    DELETE: deleteObject,
  };
  const verb = verbs[method];
  if (!verb) throw methodNotAllowed();
  return verb;
}

function subresourceVerb({ type, name }: Pick<Call, 'type' | 'name'>, subresource: string, method: string): Verb {
  const isKnown =
    (subresource === 'status' && type.hasStatus) ||
    (subresource === 'scale' && type.scale !== undefined) ||
    type.subresources.includes(subresource);
  if (!isKnown) throw type.isBuiltIn ? noSuchPath() : notFound(type, name);
  if (subresource === 'log' && method === 'GET') return readLog;
  if (subresource === 'scale' && method === 'GET') return getScale;
  if ((subresource === 'eviction' || subresource === 'binding') && method === 'POST') return createObject;
  if (subresource === 'log' || subresource === 'eviction' || subresource === 'binding') throw methodNotAllowed();
  if (method === 'GET') return getObject;
  if (method === 'PUT') return updateObject;
  if (method === 'PATCH') return patchObject;
  throw methodNotAllowed();
}

const getScale: Verb = async ({ type, namespace, name }, { objects }) => {
  const found = objects.find({ type, namespace, name });
  if (!found) throw notFound({ ...type, plural: `${type.plural}/scale` }, name);
  return { status: 200, body: scaleOf(found.object, type) };
};

async function routeReview(path: ResourcePath, { request, user }: Exchange, { gate }: RouteDeps): Promise<Answer> {
  if (request.method !== 'POST' || path.name !== '') throw noSuchPath();
  const value = await readValue(request);
  const answer = answerReview(path, asKubeObject(value), { user, gate });
  if (!answer) throw noSuchPath();
  return { status: 201, body: answer };
}
