// What is read live of one application's resources, and what is done to one of them: asked of the engine when somebody
// wants it, never stored. Values of Secrets are masked.
//
// A resource is named as the reported tree names it: group, kind, namespace, and its name as `resource` (the path has the
// name and namespace of the application). The version is found by the app-proxy.
import { type Static, Type } from 'typebox';
import { ActReceipt } from '../api/entities.ts';
import { Explanation } from '../why/explanation.ts';
import { appProxyApplication as application, appProxyRoute, eventStream } from './route.ts';

const text = Type.String();
const optionalText = Type.Optional(Type.String({ maxLength: 253 }));
const optionalFlag = Type.Optional(Type.Boolean());
const params = Type.Object({ namespace: text, name: text });
const oneResource = {
  /** Absent or '' for the core group. */
  group: optionalText,
  kind: Type.String({ minLength: 1, maxLength: 253 }),
  /** Absent for what has no namespace. */
  namespace: optionalText,
  /** Its name. */
  resource: Type.String({ minLength: 1, maxLength: 253 }),
};

/** One line of a container's log. */
export const LogLine = Type.Object({
  pod: text,
  /** RFC 3339 with fractions; '' when the engine does not tell. */
  time: text,
  line: text,
});
export type LogLine = Static<typeof LogLine>;

/** A Kubernetes Event, as people read it. */
export const EventRow = Type.Object({
  type: Type.Union([Type.Literal('Normal'), Type.Literal('Warning')]),
  reason: text,
  message: text,
  /** How often it was seen. */
  count: Type.Integer(),
  firstSeen: Type.Optional(text),
  lastSeen: Type.Optional(text),
  /** Who says it, e.g. `kubelet`. */
  source: text,
  object: Type.Object({ kind: text, namespace: text, name: text }),
});
export type EventRow = Static<typeof EventRow>;

/** What can be done to a resource, as the engine knows it for its kind and state. */
export const ResourceAction = Type.Object({
  /** e.g. `restart`, `scale`, `pause`, `resume`. */
  name: text,
  /** For people; absent: the name says enough. */
  title: Type.Optional(text),
  /** Not possible in the present state. */
  disabled: Type.Boolean(),
  /** Values that the action asks for, e.g. `replicas`. */
  parameters: Type.Array(Type.Object({ name: text, default: Type.Optional(text) })),
});
export type ResourceAction = Static<typeof ResourceAction>;

export const resourceRoutes = {
  streamLogs: appProxyRoute({
    method: 'GET',
    path: `${application}/logs`,
    summary:
      'Log lines of the pods of an application, of one resource or of one pod, as events. Ends after the last line, or goes on with `follow`.',
    auth: 'user',
    needs: 'VIEW_POD_LOGS',
    act: 'application.logs',
    params,
    query: Type.Object({
      /** All pods below a workload, e.g. `kind=Deployment&group=apps&resource=web`; without it, all of the application. */
      group: optionalText,
      kind: optionalText,
      namespace: optionalText,
      resource: optionalText,
      /** One pod only. */
      pod: optionalText,
      /** Needed for a pod with several containers. */
      container: optionalText,
      follow: optionalFlag,
      /** Of the container that ran before the last restart. */
      previous: optionalFlag,
      /** The last so many lines; default 100. */
      tail: Type.Optional(Type.Integer({ minimum: 1, maximum: 10_000 })),
      sinceSeconds: Type.Optional(Type.Integer({ minimum: 1, maximum: 31_536_000 })),
    }),
    response: LogLine,
    produces: eventStream,
  }),
  listEvents: appProxyRoute({
    method: 'GET',
    path: `${application}/events`,
    summary: 'Kubernetes events of the application itself or of one of its resources, newest first.',
    auth: 'user',
    needs: 'VIEW',
    act: 'application.events',
    params,
    /** Without kind and resource: events of the application itself. */
    query: Type.Object({
      ...oneResource,
      kind: Type.Optional(oneResource.kind),
      resource: Type.Optional(oneResource.resource),
    }),
    response: Type.Object({ items: Type.Array(EventRow) }),
  }),
  getLiveResource: appProxyRoute({
    method: 'GET',
    path: `${application}/live-resource`,
    summary: 'One resource of the application as it is in the cluster now; values of Secrets masked.',
    auth: 'user',
    needs: 'VIEW',
    act: 'application.resource',
    params,
    query: Type.Object(oneResource),
    response: Type.Object({ manifest: Type.Record(text, Type.Unknown()) }),
    maxAnswerBytes: 8 * 1024 * 1024,
  }),
  deleteLiveResource: appProxyRoute({
    method: 'DELETE',
    path: `${application}/live-resource`,
    summary: 'Deletes one resource from the cluster; what Git has comes back with the next sync or self-heal.',
    auth: 'user',
    needs: 'DELETE',
    act: 'application.delete-resource',
    params,
    query: Type.Object({
      ...oneResource,
      /** At once, without waiting for a graceful end. */
      force: optionalFlag,
      /** Leave what it owns. */
      orphan: optionalFlag,
    }),
    response: ActReceipt,
    status: 202,
  }),
  listResourceActions: appProxyRoute({
    method: 'GET',
    path: `${application}/resource-actions`,
    summary: 'What can be done to one resource: restart, scale, pause, resume and the like.',
    auth: 'user',
    needs: 'VIEW',
    act: 'application.actions',
    params,
    query: Type.Object(oneResource),
    response: Type.Object({ items: Type.Array(ResourceAction) }),
  }),
  runResourceAction: appProxyRoute({
    method: 'POST',
    path: `${application}/resource-actions`,
    summary: 'Runs an action on one resource.',
    auth: 'user',
    needs: 'SYNC',
    act: 'application.run-action',
    params,
    body: Type.Object({
      ...oneResource,
      action: Type.String({ minLength: 1, maxLength: 253 }),
      parameters: Type.Optional(Type.Record(text, Type.String({ maxLength: 1000 }))),
    }),
    response: ActReceipt,
    status: 202,
  }),
  explainApplication: appProxyRoute({
    method: 'GET',
    path: `${application}/why`,
    summary:
      'Why the application is not green, with its pods, their events and last log lines looked at now. The reported explanation is in getApplication.',
    auth: 'user',
    // It quotes log lines.
    needs: 'VIEW_POD_LOGS',
    act: 'application.why',
    params,
    /** Nothing when there is nothing to explain. */
    response: Type.Object({ explanation: Type.Optional(Explanation) }),
  }),
} as const;
