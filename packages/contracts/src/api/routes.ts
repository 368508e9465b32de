// Every route of the platform API. Adding one here makes it part of the client and of OpenAPI; the server refuses to
// start when one of them has no handler.
import { Type } from 'typebox';
import { DigestAnswer, ReportBatch, ReportDigest, ReportReceipt } from '../events/report.ts';
import { RuntimePublicKey } from '../runtime/identity.ts';
import {
  ActReceipt,
  ApplicationDetail,
  ApplicationDiff,
  ApplicationFacets,
  ApplicationId,
  ApplicationPage,
  ApplicationTimeline,
  DeploymentPage,
  Me,
  RefreshRequest,
  ResourceManifests,
  RuntimeRow,
  SyncRequest,
} from './entities.ts';
import { route } from './route.ts';

const text = Type.String();
const optionalText = Type.Optional(Type.String());
const runtimeName = Type.Object({ runtime: text });
/** RFC 3339, e.g. `2026-11-15T10:00:00Z`. */
const moment = Type.String({
  pattern: '^\\d{4}-\\d\\d-\\d\\dT\\d\\d:\\d\\d:\\d\\d(\\.\\d{1,9})?(Z|[+-]\\d\\d:\\d\\d)$',
});
const optionalMoment = Type.Optional(moment);
const page = { limit: Type.Optional(Type.Integer({ minimum: 1, maximum: 500 })), after: optionalText };
const applicationFilter = {
  /** Matches name, namespace, repository, image and revision, case-insensitive. */
  search: optionalText,
  /** Comma lists: `Degraded,Missing`. */
  health: optionalText,
  sync: optionalText,
  runtime: optionalText,
  cluster: optionalText,
  namespace: optionalText,
  destinationNamespace: optionalText,
  project: optionalText,
  repo: optionalText,
  /** Comma list of `key=value` or `key`; all must be there. */
  label: optionalText,
};
const application = '/api/v1/applications/{runtime}/{namespace}/{name}';

export const routes = {
  createSignInLink: route({
    method: 'POST',
    path: '/api/v1/sign-in-links',
    summary: 'A one-time link that signs the calling user in to the browser UI.',
    auth: 'user',
    status: 201,
    response: Type.Object({ url: text, expiresAt: text }),
  }),
  signInByLink: route({
    method: 'POST',
    path: '/api/v1/sign-in/link',
    summary: 'Exchanges the code of a one-time link for a session cookie.',
    auth: 'none',
    body: Type.Object({ code: Type.String({ maxLength: 200 }) }),
    response: Me,
  }),
  signOut: route({
    method: 'POST',
    path: '/api/v1/sign-out',
    summary: 'Ends the session of the cookie.',
    auth: 'none',
    status: 204,
    response: Type.Null(),
  }),
  me: route({
    method: 'GET',
    path: '/api/v1/me',
    summary: 'Who is calling.',
    auth: 'user',
    response: Me,
  }),
  listApplications: route({
    method: 'GET',
    path: '/api/v1/applications',
    summary: 'Applications of all runtimes, filtered, sorted and paged by the server.',
    auth: 'user',
    query: Type.Object({
      ...applicationFilter,
      sort: Type.Optional(Type.Union([Type.Literal('attention'), Type.Literal('name'), Type.Literal('changed')])),
      limit: Type.Optional(Type.Integer({ minimum: 1, maximum: 500 })),
      after: optionalText,
    }),
    response: ApplicationPage,
  }),
  listApplicationFacets: route({
    method: 'GET',
    path: '/api/v1/application-facets',
    summary: 'The values that the filters of the list could take, with how many applications each would show.',
    auth: 'user',
    query: Type.Object(applicationFilter),
    response: ApplicationFacets,
  }),
  getApplication: route({
    method: 'GET',
    path: application,
    summary: 'Everything that was reported of one application: status, tree, resources, history.',
    auth: 'user',
    params: ApplicationId,
    query: Type.Object({ at: optionalMoment }),
    response: ApplicationDetail,
  }),
  getApplicationResource: route({
    method: 'GET',
    path: `${application}/resource`,
    summary: 'Desired and live manifest of one managed resource, and both sides of their diff.',
    auth: 'user',
    params: ApplicationId,
    query: Type.Object({
      group: optionalText,
      kind: text,
      namespace: optionalText,
      resource: text,
      at: optionalMoment,
    }),
    response: ResourceManifests,
  }),
  listDeployments: route({
    method: 'GET',
    path: `${application}/deployments`,
    summary: 'Deployments of one application, newest first: who, what, how long, how it ended.',
    auth: 'user',
    params: ApplicationId,
    query: Type.Object(page),
    response: DeploymentPage,
  }),
  listAllDeployments: route({
    method: 'GET',
    path: '/api/v1/deployments',
    summary: 'Deployments of all applications, newest first.',
    auth: 'user',
    query: Type.Object({ ...page, from: optionalMoment, to: optionalMoment }),
    response: DeploymentPage,
  }),
  getApplicationTimeline: route({
    method: 'GET',
    path: `${application}/timeline`,
    summary: 'The moments at which an application changed, newest first, and its deployments per day.',
    auth: 'user',
    params: ApplicationId,
    query: Type.Object({ ...page, from: optionalMoment, to: optionalMoment }),
    response: ApplicationTimeline,
  }),
  diffApplication: route({
    method: 'GET',
    path: `${application}/diff`,
    summary: 'What is different between two moments: resources added, removed and changed, by manifest hash.',
    auth: 'user',
    params: ApplicationId,
    /** Without `to`: now. */
    query: Type.Object({ from: moment, to: optionalMoment }),
    response: ApplicationDiff,
  }),
  syncApplication: route({
    method: 'POST',
    path: `${application}/sync`,
    summary: 'Starts a synchronisation in the runtime.',
    auth: 'user',
    status: 202,
    params: ApplicationId,
    body: SyncRequest,
    response: ActReceipt,
  }),
  refreshApplication: route({
    method: 'POST',
    path: `${application}/refresh`,
    summary: 'Compares the application with Git now; `hard` forgets cached manifests too.',
    auth: 'user',
    status: 202,
    params: ApplicationId,
    body: RefreshRequest,
    response: ActReceipt,
  }),
  terminateOperation: route({
    method: 'POST',
    path: `${application}/terminate`,
    summary: 'Stops the running operation of the application.',
    auth: 'user',
    status: 202,
    params: ApplicationId,
    response: ActReceipt,
  }),
  listRuntimes: route({
    method: 'GET',
    path: '/api/v1/runtimes',
    summary: 'Runtimes of the account with status, components and clusters.',
    auth: 'user',
    response: Type.Object({ items: Type.Array(RuntimeRow) }),
  }),
  getRuntime: route({
    method: 'GET',
    path: '/api/v1/runtimes/{runtime}',
    summary: 'One runtime.',
    auth: 'user',
    params: runtimeName,
    response: RuntimeRow,
  }),
  createRuntime: route({
    method: 'POST',
    path: '/api/v1/runtimes',
    summary:
      'Makes a runtime known and gives the one-time token it registers with. Again for a pending one: a new token.',
    auth: 'user',
    status: 201,
    body: Type.Object({
      name: Type.String({ pattern: '^[a-z]([-a-z0-9]{0,36}[a-z0-9])?$' }),
      kind: Type.Union([Type.Literal('hosted'), Type.Literal('hybrid')]),
    }),
    response: Type.Object({ runtime: RuntimeRow, installToken: text, expiresAt: text }),
  }),
  registerRuntime: route({
    method: 'POST',
    path: '/api/v1/runtimes/register',
    summary: 'A runtime exchanges its one-time install token for an identity: it brings its public key.',
    auth: 'none',
    status: 201,
    body: Type.Object({ installToken: text, publicKey: RuntimePublicKey }),
    response: Type.Object({
      runtimeId: text,
      runtimeName: text,
      accountId: text,
      /** The runtime verifies user assertions with this key. */
      platformPublicKey: RuntimePublicKey,
    }),
  }),
  deleteRuntime: route({
    method: 'DELETE',
    path: '/api/v1/runtimes/{runtime}',
    summary: 'Forgets a runtime and all it reported; cuts its tunnel.',
    auth: 'user',
    status: 204,
    params: runtimeName,
    response: Type.Null(),
  }),
  reportEvents: route({
    method: 'POST',
    path: '/api/v1/events',
    summary: 'A runtime reports the state of objects. Idempotent; gzip bodies welcome.',
    auth: 'runtime',
    body: ReportBatch,
    response: ReportReceipt,
  }),
  exchangeDigest: route({
    method: 'POST',
    path: '/api/v1/events/digest',
    summary: 'After a gap: which objects the runtime should report again.',
    auth: 'runtime',
    body: ReportDigest,
    response: DigestAnswer,
  }),
} as const;

export type RouteName = keyof typeof routes;

/** Not in the table, since their bodies are streams: SSE at `livePath`, WebSocket upgrade at `tunnelPath`. */
export const livePath = '/api/v1/live';
export const tunnelPath = '/api/v1/tunnel';
