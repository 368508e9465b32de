// A runtime for a cluster that is there already: its key is made and kept in the cluster, its components run on this
// machine for as long as the process that holds them, and are kept up. Nothing but the identity, the engine's kinds and their namespaces
// is put into the cluster. The same command again goes on where it was left, also without a token.
import { existsSync } from 'node:fs';
import { type Clock, errorMessage, FairleadError, type Logger, sleep } from '@fairlead/base';
import { ApiError, defaultRuntimeNamespace, type RuntimeIdentity } from '@fairlead/contracts';
import { KubeClient } from '@fairlead/kube';
import { readIdentity, registerRuntime } from '@fairlead/runtime';
import { type RuntimeHome, tellState } from '../home/index.ts';
import { onFreePorts, Supervisor } from '../laptop/index.ts';
import type { ChosenContext } from '../managed-cluster/index.ts';
import { type ArgoCd, choosePlan } from './plan.ts';
import { refuseForeignEngine } from './refuse-foreign-engine.ts';

interface AttachOptions {
  readonly name: string;
  readonly platformUrl: string;
  /** Undefined: the cluster holds the identity of an earlier time. */
  readonly token: string | undefined;
  readonly context: ChosenContext;
  readonly argoCd: ArgoCd | undefined;
  readonly place: RuntimeHome;
  readonly say: (line: string) => void;
  readonly log: Logger;
  readonly clock: Clock;
  readonly signal: AbortSignal;
}

const connectWithinMs = 60_000;

/** Throws when the runtime cannot be registered. */
export async function registerAttached(options: AttachOptions): Promise<void> {
  const identity = await register(options);
  const { server } = options.context.connection;
  options.say(`${server}: runtime ${identity.runtimeName} is registered with ${options.platformUrl}.`);
}

/** Holds a registered runtime up until the signal; throws when its components cannot start. */
export const holdRuntime = (options: HoldOptions): Promise<void> => onFreePorts(() => holdOnce(options));

interface HoldOptions extends AttachOptions {
  readonly whenConnected: () => void;
}

async function holdOnce(options: HoldOptions): Promise<void> {
  const { place, log, clock, signal } = options;
  tellState(place, { phase: 'starting' });
  const { plan, probeUrl } = await choosePlan(options);
  const supervisor = new Supervisor({ env: {}, logsDir: place.logsDir, log, clock });
  try {
    await supervisor.start(plan);
    await untilConnected(options, probeUrl);
    if (!signal.aborted) {
      tellState(place, { phase: 'connected' });
      options.whenConnected();
    }
    await new Promise<void>((resolve) => {
      if (signal.aborted) resolve();
      signal.addEventListener('abort', () => resolve(), { once: true });
    });
  } finally {
    await supervisor.stop([plan.name]);
    if (existsSync(place.dir)) tellState(place, { phase: 'stopped' });
  }
}

async function register({
  name,
  token,
  context,
  argoCd,
  log,
  clock,
  ...options
}: AttachOptions): Promise<RuntimeIdentity> {
  const { signal } = options;
  const platformUrl = options.platformUrl.replace(/\/+$/, '');
  const client = new KubeClient(context.connection, { clock });
  try {
    const known = await knownIdentity(client, { context, signal });
    if (known) refuseOther(known, { name, platformUrl, context });
    if (!argoCd) await refuseForeignEngine(client, { signal });
    if (token === undefined) {
      if (known) return known;
      throw new FairleadError(
        'bad_usage',
        `--token: the cluster of context ${context.name} holds no runtime yet; Runtimes → Add runtime gives a token`,
      );
    }
    return await registerRuntime({
      ...{ client, platformUrl, installToken: token, runtimeName: name, offerAgain: true, log, signal },
    });
  } catch (error) {
    throw told(error, platformUrl);
  } finally {
    await client.close();
  }
}

interface Looked {
  readonly context: ChosenContext;
  readonly signal: AbortSignal;
}

/** The first word with the cluster: that it does not answer, or not to this account, is said of it. */
async function knownIdentity(client: KubeClient, { context, signal }: Looked): Promise<RuntimeIdentity | undefined> {
  try {
    return await readIdentity(client, { namespace: defaultRuntimeNamespace, signal });
  } catch (cause) {
    throw new FairleadError(
      'cluster_unreachable',
      `--context ${context.name}: the cluster at ${context.connection.server} did not tell whether it holds a runtime: ${errorMessage(cause)}; kubectl --context ${context.name} get secrets -n ${defaultRuntimeNamespace} must work`,
      { cause },
    );
  }
}

interface Wanted {
  readonly name: string;
  readonly platformUrl: string;
  readonly context: ChosenContext;
}

function refuseOther(known: RuntimeIdentity, { name, platformUrl, context }: Wanted): void {
  if (known.runtimeName === name && known.platformUrl === platformUrl) return;
  throw new FairleadError(
    'conflict',
    `the cluster of context ${context.name} holds runtime ${known.runtimeName} of ${known.platformUrl}; take that out first: fairlead runtime detach --kubeconfig ${context.file}`,
  );
}

function told(error: unknown, platformUrl: string): unknown {
  if (error instanceof ApiError && error.code === 'not_signed_in') {
    return new FairleadError(
      'not_signed_in',
      `--token: ${error.message} (Runtimes → Add runtime, or the page of the runtime)`,
    );
  }
  if (error instanceof TypeError) {
    return new FairleadError(
      'platform_unreachable',
      `--platform ${platformUrl}: no answer there; give the address that your browser has`,
      {
        cause: error,
      },
    );
  }
  return error;
}

/** Asks the tunnel client itself. What takes long is told once, and waited for: a network may come back. */
async function untilConnected({ name, platformUrl, place, say, clock, signal }: AttachOptions, probeUrl: string) {
  const patientUntilMs = clock.monotonic() + connectWithinMs;
  for (let isTold = false; !signal.aborted; ) {
    const answer = await fetch(`${probeUrl}/readyz`, { signal }).catch(() => undefined); // it may be starting again
    if (answer?.ok) return;
    if (!isTold && clock.monotonic() > patientUntilMs) {
      isTold = true;
      say(
        `Runtime ${name} did not reach ${platformUrl} within ${connectWithinMs / 1000} s, and goes on trying; ${place.logsDir}/tunnel-client.log says why.`,
      );
    }
    await sleep(100, { clock, signal }).catch(() => undefined); // the loop condition sees the abort
  }
}
