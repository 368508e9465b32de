// The way of an act: to the app-proxy of one runtime, through its tunnel, with the platform's word on who the user is.
// An act is sent once. When the line is cut under way nobody can know whether it happened, and the answer says so.
import type { Readable } from 'node:stream';
import { FairleadError, isAbortError } from '@fairlead/base';
import {
  type ApiErrorBody,
  type AppProxyRouteName,
  appProxyRoutes,
  assertionHeader,
  type ErrorCode,
  errorStatus,
  fillPath,
} from '@fairlead/contracts';
import { TunnelCutError, TunnelLimitError, type TunnelResponse, tunnelErrorHeader } from '@fairlead/tunnel';
import type { SigningKey } from '../auth/index.ts';
import type { Caller, RuntimeRecord, Store } from '../store/index.ts';
import type { RuntimeTunnels } from './runtime-tunnels.ts';

interface ActDeps {
  readonly store: Store;
  readonly tunnels: RuntimeTunnels;
  readonly signingKey: SigningKey;
}

interface ForwardedAct {
  readonly runtime: RuntimeRecord;
  readonly route: AppProxyRouteName;
  readonly params: { readonly namespace: string; readonly name: string };
  readonly body: unknown;
  readonly caller: Caller;
  readonly requestId: string;
  readonly signal: AbortSignal;
}

class ActError extends FairleadError {
  declare readonly code: ErrorCode;

  constructor(code: ErrorCode, message: string, options: { cause?: unknown; details?: Record<string, unknown> } = {}) {
    super(code, message, options);
  }
}

const actWithinMs = 30_000;
const maxAnswerBytes = 1024 * 1024;

/** The app-proxy's answer to the act, as it gave it. */
export async function forwardAct(deps: ActDeps, act: ForwardedAct): Promise<unknown> {
  const { runtime, params, requestId } = act;
  const declared = appProxyRoutes[act.route];
  const session = deps.tunnels.session(runtime.id);
  if (!session) throw away(runtime);
  const assertion = await deps.signingKey.signAssertion(
    {
      sub: act.caller.user.id,
      name: act.caller.user.name,
      ...(act.caller.user.email ? { email: act.caller.user.email } : {}),
      account: act.caller.account.id,
      act: declared.act,
      on: `${params.namespace}/${params.name}`,
      requestId,
    },
    { runtimeId: runtime.id, clock: deps.store.clock },
  );
  const signal = AbortSignal.any([act.signal, AbortSignal.timeout(actWithinMs)]);
  try {
    const answer = await session.request({
      method: declared.method,
      path: fillPath(declared.path, params),
      headers: { 'content-type': 'application/json', [assertionHeader]: assertion, 'x-request-id': requestId },
      body: Buffer.from(JSON.stringify(act.body ?? {})),
      signal,
    });
    return await readAnswer(answer, runtime);
  } catch (error) {
    throw translate(error, runtime);
  }
}

function translate(error: unknown, runtime: RuntimeRecord): unknown {
  if (error instanceof TunnelLimitError) {
    return new ActError('too_many_requests', `runtime ${runtime.name} has too many requests under way`, {
      cause: error,
    });
  }
  if (error instanceof TunnelCutError && !error.maybeDelivered) return away(runtime, error);
  if (error instanceof TunnelCutError || isAbortError(error)) {
    const message = `runtime ${runtime.name} did not answer in time or the line was cut: the act may or may not have happened; look at the application before trying again`;
    return new ActError('outcome_unknown', message, { cause: error });
  }
  return error;
}

function away(runtime: RuntimeRecord, cause?: unknown): ActError {
  const message = `runtime ${runtime.name} is not connected; check that its tunnel client runs and can reach the platform`;
  return new ActError('runtime_unreachable', message, { cause, details: { runtime: runtime.name } });
}

async function readAnswer({ status, headers, body }: TunnelResponse, runtime: RuntimeRecord): Promise<unknown> {
  const text = await readText(body);
  const parsed = parseJson(text);
  if (status >= 200 && status < 300 && parsed !== undefined) return parsed;
  if (headers[tunnelErrorHeader] !== undefined) {
    const message = `runtime ${runtime.name} is connected, but its request router does not answer`;
    throw new ActError('runtime_unreachable', message);
  }
  const { code, message, details } = (parsed ?? {}) as Partial<ApiErrorBody>;
  const said = message ?? `it answered ${status}`;
  // A session of the browser is fine when the runtime refuses the platform's word: that must not sign anybody out.
  if (code === 'not_signed_in')
    throw new ActError('forbidden', `runtime ${runtime.name} does not accept the act: ${said}`);
  if (code !== undefined && code in errorStatus) {
    throw new ActError(code as ErrorCode, said, details ? { details } : {});
  }
  throw new ActError('runtime_unreachable', `runtime ${runtime.name} could not act: ${said}`);
}

async function readText(body: Readable): Promise<string> {
  const chunks: Buffer[] = [];
  let sizeBytes = 0;
  for await (const chunk of body) {
    sizeBytes += (chunk as Buffer).length;
    if (sizeBytes > maxAnswerBytes) throw new ActError('internal', 'the runtime answered with too much');
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
