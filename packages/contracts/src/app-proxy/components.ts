// What the components of a runtime write into their logs.
import { type Static, Type } from 'typebox';
import { appProxyApi, appProxyRoute, eventStream } from './route.ts';

/** Every component that a runtime may have, by the name of its role, in the order in which they need each other. */
export const runtimeComponents = [
  'cluster',
  'engine',
  'source-server',
  'app-proxy',
  'request-router',
  'tunnel-client',
  'application-reporter',
  'resource-reporter',
  'change-revision',
] as const;
export type RuntimeComponent = (typeof runtimeComponents)[number];

export const ComponentLogLine = Type.Object({
  /** RFC 3339; '' for a line that is not of the component itself. */
  time: Type.String(),
  /** `debug`, `info`, `warn` or `error`; '' as above. */
  level: Type.String(),
  /** The whole line, JSON as it was written. */
  line: Type.String(),
  /** Of a component that runs in pods: which one wrote it. */
  pod: Type.Optional(Type.String()),
});
export type ComponentLogLine = Static<typeof ComponentLogLine>;

export const componentRoutes = {
  streamComponentLogs: appProxyRoute({
    method: 'GET',
    path: `${appProxyApi}/components/{component}/logs`,
    summary:
      'The last log lines of a component of the runtime, as events. Ends after the last line, or goes on with `follow`.',
    auth: 'user',
    // They name applications that access rules may hide from a member.
    needs: 'admin',
    act: 'component.logs',
    params: Type.Object({ component: Type.Enum([...runtimeComponents]) }),
    query: Type.Object({
      follow: Type.Optional(Type.Boolean()),
      /** The last so many lines; default 200. */
      tail: Type.Optional(Type.Integer({ minimum: 1, maximum: 5_000 })),
    }),
    response: ComponentLogLine,
    produces: eventStream,
  }),
} as const;
