// Every route of the contract becomes a path of the server: authenticate, check, handle, answer. In that order, so that
// a stranger learns nothing from the checks.
import { Readable, type Writable } from 'node:stream';
import { type Route, type RouteInputChecks, type RouteName, routeInputChecks, routes } from '@fairlead/contracts';
import type { Context, Hono } from 'hono';
import type { Access } from '../access/index.ts';
import { type AuthenticateUser, authenticateRuntime } from '../auth/index.ts';
import type { Caller, RuntimeRecord, Store } from '../store/index.ts';
import type { Admission } from './admission.ts';
import { authorise, authoriseObject, noteDenial } from './authorise.ts';
import { ApiFailure, invalidInput } from './failure.ts';
import { type HandlerInput, type Handlers, JsonText, StreamAnswer, TextAnswer } from './handler.ts';
import { sendJson, sendText } from './json-answer.ts';
import { readJsonBody } from './read-body.ts';
import { type ApiEnv, credentialsOf, refuseForeignPages, sessionTokenOf } from './request-context.ts';

const maxUserBodyBytes = 1024 * 1024;
const maxReportBytes = 20 * 1024 * 1024;
const handleWithinMs = 60_000;

type AnyHandler = (input: HandlerInput<Route>) => Promise<unknown>;

interface MountDeps {
  readonly store: Store;
  readonly access: Access;
  readonly admission: Admission;
  readonly authenticateUser: AuthenticateUser;
  readonly handlers: Handlers;
}

export function mountRoutes(app: Hono<ApiEnv>, { handlers, ...deps }: MountDeps): void {
  const byPath = new Map<string, string[]>();
  for (const [name, route] of Object.entries(routes) as [RouteName, Route][]) {
    // The table ties each name to its own input; taken together they are one shape to the server.
    const handler = handlers[name] as AnyHandler | undefined;
    if (!handler) throw new Error(`route ${name} has no handler`);
    if (route.auth === 'user' && !route.needs) throw new Error(`route ${name} does not say what it needs`);
    const path = honoPath(route.path);
    const methods = byPath.get(path) ?? [];
    if (methods.includes(route.method)) throw new Error(`route ${name} is at the place of another: ${route.path}`);
    byPath.set(path, [...methods, route.method]);
    const checks = routeInputChecks(route, invalidInput, { refuseUnknown: true });
    const mounted = { name, route, checks, handler, ...deps };
    app.on(route.method, path, (context) => serve(context, mounted));
  }
  for (const [path, methods] of byPath) {
    app.all(path, (context) => {
      context.env.outgoing.setHeader('allow', methods.join(', '));
      throw new ApiFailure('method_not_allowed', `this path takes ${methods.join(', ')}`);
    });
  }
}

const honoPath = (path: string) => path.replaceAll(/\{(\w+)\}/g, ':$1');

interface Mounted extends Omit<MountDeps, 'handlers'> {
  readonly name: string;
  readonly route: Route;
  readonly checks: RouteInputChecks;
  readonly handler: AnyHandler;
}

async function serve(context: Context<ApiEnv>, mounted: Mounted): Promise<Response> {
  const { name, route, admission } = mounted;
  context.set('route', name);
  refuseForeignPages(context.env.incoming);
  if (route.auth === 'runtime') admission.refuseWhenFull();
  const caller = await callerOf(mounted, context);
  if (route.auth === 'none') return answerTo(context, mounted, caller);
  if (route.auth === 'user') {
    admission.take({ kind: 'user', id: (caller as Caller).user.id });
    return answerTo(context, mounted, caller);
  }
  const { id } = caller as RuntimeRecord;
  admission.take({ kind: 'runtime', id });
  return admission.takeIn(id, () => answerTo(context, mounted, caller));
}

async function answerTo(context: Context<ApiEnv>, mounted: Mounted, caller: unknown): Promise<Response> {
  const { name, route, checks, handler, store, access } = mounted;
  const { incoming, outgoing } = context.env;
  const requestId = context.get('requestId');
  const wish = route.auth === 'user' ? { name, route, caller: caller as Caller } : undefined;
  if (wish) await authorise({ store, requestId }, wish);
  const params = checks.params(context.req.param() as Record<string, string>);
  if (wish) await authoriseObject({ store, access, requestId }, { ...wish, params });
  const recheck = async () => {
    const known = (await callerOf(mounted, context)) as Caller;
    if (!wish) return;
    await authorise({ store, requestId }, { ...wish, caller: known });
    await authoriseObject({ store, access, requestId }, { ...wish, caller: known, params });
  };
  const signals = signalsOf(outgoing);
  const maxBytes = route.auth === 'runtime' ? maxReportBytes : maxUserBodyBytes;
  const input = {
    params,
    query: checks.query(context.req.query()),
    body: route.body ? checks.body(await readJsonBody(incoming, { maxBytes })) : undefined,
    caller,
    requestId,
    get signal() {
      return signals.signal;
    },
    get gone() {
      return signals.gone;
    },
    recheck,
    sessionToken: sessionTokenOf(incoming),
    client: incoming.headers['user-agent'] ?? '',
    setCookie: (value: string) => outgoing.setHeader('set-cookie', value),
  };
  // Each part was checked against the schema that the handler's types come from.
  const answer = await handler(input as HandlerInput<Route>).catch(async (error: unknown) => {
    if (wish && error instanceof ApiFailure && error.code === 'forbidden') {
      await noteDenial({ store, requestId }, wish, error.message);
    }
    throw error;
  });
  const { status = 200 } = route;
  outgoing.setHeader('cache-control', 'no-store');
  if (status === 204) return context.body(null, 204);
  if (answer instanceof StreamAnswer) return streamed(context, answer);
  if (answer instanceof TextAnswer) return sendText(context, { status: 200, ...answer });
  if (answer instanceof JsonText) return sendText(context, { status, contentType: 'application/json', ...answer });
  return sendJson(context, answer, status);
}

/** Made when a handler asks for them: most never wait for anything but the database. */
function signalsOf(outgoing: Writable): Pick<HandlerInput<Route>, 'signal' | 'gone'> {
  let signal: AbortSignal | undefined;
  let gone: AbortController | undefined;
  return {
    get signal() {
      signal ??= AbortSignal.timeout(handleWithinMs);
      return signal;
    },
    get gone() {
      if (!gone) {
        const made = new AbortController();
        if (outgoing.destroyed) made.abort();
        else outgoing.once('close', () => made.abort());
        gone = made;
      }
      return gone.signal;
    },
  };
}

function streamed(context: Context<ApiEnv>, { body }: StreamAnswer): Response {
  const headers = { 'content-type': 'text/event-stream', 'x-accel-buffering': 'no' };
  return context.body(Readable.toWeb(body) as ReadableStream, 200, headers); // one type, declared by Node and by the web
}

function callerOf({ route, store, authenticateUser }: Mounted, { env }: Context<ApiEnv>): Promise<unknown> {
  if (route.auth === 'none') return Promise.resolve(undefined);
  const credentials = credentialsOf(env.incoming);
  return route.auth === 'user' ? authenticateUser(credentials) : authenticateRuntime({ store }, credentials);
}
