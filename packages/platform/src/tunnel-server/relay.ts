// The one relay: any route of the contract to the app-proxy of one runtime, through its tunnel or at its URL, with the
// platform's word on who the user is and what the call is for. Answers are JSON up to the route's bound, or a stream.
// An act is sent once: again only when it certainly was not seen, by another way or when a part of the runtime that was just
// starting anew answers. When the line is cut under way nobody can know whether it happened, and the answer says so.
import type { Readable } from 'node:stream';
import { anySignal, FairleadError, isAbortError, sleep, withDeadline } from '@fairlead/base';
import {
  type ApiErrorBody,
  type AppProxyRoute,
  assertedObject,
  assertionHeader,
  type ErrorCode,
  errorStatus,
  fillPath,
  queryString,
} from '@fairlead/contracts';
import { TunnelCutError, TunnelLimitError, type TunnelResponse, tunnelErrorHeader } from '@fairlead/tunnel';
import type { SigningKey } from '../auth/index.ts';
import { type Line, RuntimeAccessError } from '../runtime-access/index.ts';
import { type Caller, type RuntimeRecord, runtimeById, type Store } from '../store/index.ts';
import type { RuntimeTunnels } from './runtime-tunnels.ts';

export interface ActDeps {
  readonly store: Store;
  readonly tunnels: RuntimeTunnels;
  readonly signingKey: SigningKey;
}

interface RelayedCall {
  readonly runtime: RuntimeRecord;
  readonly route: AppProxyRoute;
  readonly params: Readonly<Record<string, string>>;
  readonly query: object | undefined;
  readonly body: unknown;
  readonly caller: Caller;
  readonly requestId: string;
  readonly signal: AbortSignal;
  /** The runtime is given as it would be, not as it is stored: no other way to it is looked for. */
  readonly isTrial?: true;
}

class ActError extends FairleadError {
  declare readonly code: ErrorCode;

  constructor(code: ErrorCode, message: string, options: { cause?: unknown; details?: Record<string, unknown> } = {}) {
    super(code, message, options);
  }
}

const actWithinMs = 30_000;
const startsWithinMs = 5_000;
const startPollMs = 200;
const maxAnswerBytes = 1024 * 1024;
/** The assertion is a header, and headers are short. */
const maxTeamsBytes = 6 * 1024;

/** The app-proxy's answer, as it gave it; null where the route has none. */
export async function relayCall(deps: ActDeps, call: RelayedCall): Promise<unknown> {
  const signal = withDeadline(call.signal, actWithinMs);
  try {
    const answer = await send(deps, call, signal);
    return await readAnswer(answer, call);
  } catch (error) {
    throw translate(error, call);
  }
}

/** The body of a streamed answer; whoever takes it must read or destroy it. A refusal throws like `relayCall`. */
export async function relayStream(deps: ActDeps, call: RelayedCall): Promise<Readable> {
  const tooLate = new AbortController();
  const cancel = deps.store.clock.after(actWithinMs, () => tooLate.abort());
  try {
    const answer = await send(deps, call, anySignal([call.signal, tooLate.signal]));
    if (answer.status === 200) return answer.body;
    await readAnswer(answer, call);
    throw new ActError('internal', `runtime ${call.runtime.name} answered a stream with status ${answer.status}`);
  } catch (error) {
    throw translate(error, call);
  } finally {
    cancel();
  }
}

/** A part of a runtime that was restarted listens again within seconds: the call waits for it. */
async function send(deps: ActDeps, call: RelayedCall, signal: AbortSignal): Promise<TunnelResponse> {
  const { clock } = deps.store;
  const deadlineMs = clock.monotonic() + startsWithinMs;
  for (;;) {
    const answer = await sendOnce(deps, call, signal);
    const failure = answer.headers[tunnelErrorHeader];
    const mayBeSentAgain = failure === 'unseen' || (failure === 'cut' && isRead(call.route));
    if (!mayBeSentAgain || call.isTrial || clock.monotonic() > deadlineMs) return answer;
    answer.body.destroy();
    await sleep(startPollMs, { signal, clock });
  }
}

async function sendOnce(deps: ActDeps, call: RelayedCall, signal: AbortSignal): Promise<TunnelResponse> {
  const { runtime, route, params, caller, requestId } = call;
  const line = deps.tunnels.line(runtime) ?? (call.isTrial ? undefined : await currentLine(deps, runtime, signal));
  if (!line) throw away(runtime);
  const { user, account } = caller;
  if (JSON.stringify(user.teams).length > maxTeamsBytes) {
    const message = `${user.name} is in more teams than a runtime can be told of; take them out of some`;
    throw new ActError('invalid', message);
  }
  const assertion = await deps.signingKey.signAssertion(
    {
      sub: user.id,
      name: user.name,
      ...(user.email ? { email: user.email } : {}),
      account: account.id,
      role: user.role,
      teams: [...user.teams],
      act: route.act,
      on: assertedObject(route, params),
      requestId,
    },
    { runtimeId: runtime.id, clock: deps.store.clock },
  );
  const request = {
    method: route.method,
    path: `${fillPath(route.path, params)}${queryString(call.query)}`,
    headers: {
      ...(route.body ? { 'content-type': 'application/json' } : {}),
      [assertionHeader]: assertion,
      'x-request-id': requestId,
    },
    body: route.body ? Buffer.from(JSON.stringify(call.body ?? {})) : undefined,
    signal,
  };
  try {
    return await line.request(request);
  } catch (error) {
    const isUnseen = error instanceof TunnelCutError && !error.maybeDelivered;
    const next = isUnseen && !call.isTrial ? await currentLine(deps, runtime, signal) : undefined;
    if (!next || next === line) throw error;
    return next.request(request);
  }
}

/** The way may have been switched since the runtime was looked up, or be lost for a moment. */
async function currentLine(
  { store, tunnels }: ActDeps,
  { id }: RuntimeRecord,
  signal: AbortSignal,
): Promise<Line | undefined> {
  const now = await runtimeById(store.db, id);
  return now && tunnels.comingLine(now, signal);
}

function translate(error: unknown, { runtime, route }: RelayedCall): unknown {
  if (error instanceof TunnelLimitError) {
    return new ActError('too_many_requests', `runtime ${runtime.name} has too many requests under way`, {
      cause: error,
    });
  }
  if (error instanceof TunnelCutError && !error.maybeDelivered) return away(runtime, error);
  if (error instanceof RuntimeAccessError) {
    const message = `runtime ${runtime.name} is not called: ${error.message}`;
    return new ActError('runtime_unreachable', message, { cause: error, details: { runtime: runtime.name } });
  }
  if (error instanceof TunnelCutError || isAbortError(error)) {
    if (isRead(route)) {
      const message = `runtime ${runtime.name} did not answer in time or the line was cut; try again`;
      return new ActError('runtime_unreachable', message, { cause: error, details: { runtime: runtime.name } });
    }
    return outcomeUnknown(runtime, error);
  }
  return error;
}

const isRead = (route: AppProxyRoute) => route.method === 'GET' || route.reads === true;

function outcomeUnknown(runtime: RuntimeRecord, cause?: unknown): ActError {
  const message = `runtime ${runtime.name} did not answer in time or the line was cut: the act may or may not have happened; look before trying again`;
  return new ActError('outcome_unknown', message, { cause });
}

function away(runtime: RuntimeRecord, cause?: unknown): ActError {
  const message =
    runtime.accessUrl === null
      ? `runtime ${runtime.name} is not connected; check that its tunnel client runs and can reach the platform`
      : `runtime ${runtime.name} does not answer at ${runtime.accessUrl}; check that its request router is exposed there`;
  return new ActError('runtime_unreachable', message, { cause, details: { runtime: runtime.name } });
}

async function readAnswer(
  { status, headers, body }: TunnelResponse,
  { runtime, route }: RelayedCall,
): Promise<unknown> {
  const text = await readText(body, route.maxAnswerBytes ?? maxAnswerBytes);
  if (status === 204) return null;
  const parsed = parseJson(text);
  if (status >= 200 && status < 300 && parsed !== undefined) return parsed;
  const { code, message, details } = (parsed ?? {}) as Partial<ApiErrorBody>;
  const failure = headers[tunnelErrorHeader];
  if (failure === 'cut' && !isRead(route)) throw outcomeUnknown(runtime);
  if (failure !== undefined) {
    const reason = message ?? 'a part of it does not answer';
    throw new ActError('runtime_unreachable', `runtime ${runtime.name} is connected, but ${reason}`);
  }
  const said = message ?? `it answered ${status}`;
  // A session of the browser is fine when the runtime refuses the platform's word: that must not sign anybody out.
  if (code === 'not_signed_in')
    throw new ActError('forbidden', `runtime ${runtime.name} does not accept the act: ${said}`);
  if (code !== undefined && code in errorStatus) {
    throw new ActError(code as ErrorCode, said, details ? { details } : {});
  }
  throw new ActError('runtime_unreachable', `runtime ${runtime.name} could not act: ${said}`);
}

async function readText(body: Readable, maxBytes: number): Promise<string> {
  const chunks: Buffer[] = [];
  let sizeBytes = 0;
  for await (const chunk of body) {
    sizeBytes += (chunk as Buffer).length;
    if (sizeBytes > maxBytes) throw new ActError('internal', 'the runtime answered with too much');
    chunks.push(chunk as Buffer);
  }
  return Buffer.concat(chunks).toString('utf8');
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined; // a proxy page, not an app-proxy's answer; the caller says so
  }
}
