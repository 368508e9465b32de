import type { HttpBindings } from '@hono/node-server';

export interface ProxyEnv {
  readonly Bindings: HttpBindings;
  /** `act` of the route that serves the request; '-' when none does. */
  readonly Variables: { requestId: string; act: string };
}
