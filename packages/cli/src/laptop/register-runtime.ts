// A runtime of the laptop: made known to the platform once, then it registers with its own key. Both sides remember
// (the platform in its database, the runtime in a Secret of its cluster); a side that was wiped is brought in line.
import { type Clock, FairleadError, type Logger, sleep } from '@fairlead/base';
import {
  type ApiClient,
  ApiError,
  defaultRuntimeNamespace,
  type RuntimeRow,
  runtimeIdentitySecret,
} from '@fairlead/contracts';
import { isNotFound, type KubeClient, type KubeObject, stringAt } from '@fairlead/kube';
import { registerRuntime } from '@fairlead/runtime';

interface RuntimeOptions {
  readonly name: string;
  readonly kind: 'hosted' | 'hybrid';
  readonly api: ApiClient;
  readonly kube: KubeClient;
  readonly platformUrl: string;
  readonly log: Logger;
  readonly clock: Clock;
  readonly signal: AbortSignal;
}

const secretRef = {
  group: '',
  version: 'v1',
  kind: 'Secret',
  namespace: defaultRuntimeNamespace,
  name: runtimeIdentitySecret,
};

const connectWithinMs = 30_000;

export async function ensureRuntime(options: RuntimeOptions): Promise<void> {
  const { kube, signal } = options;
  const [known, secret] = await Promise.all([findRuntime(options), findIdentity(options)]);
  const isRegistered = known !== undefined && known.status !== 'pending';
  if (secret && isRegistered) await moveTo(options, secret);
  else {
    if (secret) await kube.delete(secretRef, { signal }); // the platform was wiped, and knows this identity no more
    if (isRegistered) await options.api.call('deleteRuntime', { params: { runtime: options.name } }, { signal });
    await register(options);
  }
  await untilConnected(options);
}

async function register({ name, kind, api, kube, platformUrl, log, signal }: RuntimeOptions): Promise<void> {
  const { installToken } = await api.call('createRuntime', { body: { name, kind } }, { signal });
  await registerRuntime({ client: kube, platformUrl, installToken, log, signal });
}

/** The platform may listen elsewhere than last time (`--port`); the runtime follows its Secret. */
async function moveTo({ kube, platformUrl, log, signal }: RuntimeOptions, secret: KubeObject): Promise<void> {
  const before = Buffer.from(stringAt(secret, 'data', 'platformUrl') ?? '', 'base64').toString();
  if (before === platformUrl) return;
  log.info({ before, platformUrl }, 'the platform has moved; telling the runtime');
  const data = { platformUrl: Buffer.from(platformUrl).toString('base64') };
  await kube.patch(secretRef, { data }, { type: 'merge', signal });
}

async function findRuntime({ name, api, signal }: RuntimeOptions): Promise<RuntimeRow | undefined> {
  try {
    return await api.call('getRuntime', { params: { runtime: name } }, { signal });
  } catch (error) {
    if (error instanceof ApiError && error.code === 'not_found') return undefined;
    throw error;
  }
}

async function findIdentity({ kube, signal }: RuntimeOptions): Promise<KubeObject | undefined> {
  try {
    return await kube.get(secretRef, { signal });
  } catch (error) {
    if (isNotFound(error)) return undefined;
    throw error;
  }
}

async function untilConnected(options: RuntimeOptions): Promise<void> {
  const { name, clock, signal } = options;
  const deadlineMs = clock.monotonic() + connectWithinMs;
  while ((await findRuntime(options))?.status !== 'connected') {
    if (clock.monotonic() > deadlineMs) {
      throw new FairleadError(
        'not_connected',
        `runtime ${name} did not connect to the platform within ${connectWithinMs / 1000} s`,
      );
    }
    await sleep(50, { clock, signal });
  }
}
