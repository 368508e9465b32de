// The laptop's hosted runtime: made known to the platform once, then it registers with its own key.
import { type Clock, type Logger, sleep } from '@fairlead/base';
import type { ApiClient } from '@fairlead/contracts';
import { defaultRuntimeNamespace, runtimeIdentitySecret } from '@fairlead/contracts';
import { isNotFound, type KubeClient } from '@fairlead/kube';
import { registerRuntime } from '@fairlead/runtime';

interface HostedOptions {
  readonly name: string;
  readonly api: ApiClient;
  readonly kube: KubeClient;
  readonly platformUrl: string;
  readonly log: Logger;
  readonly clock: Clock;
  readonly signal: AbortSignal;
}

export async function ensureHostedRuntime(options: HostedOptions): Promise<void> {
  const { name, api, kube, platformUrl, log, signal } = options;
  if (!(await isRegistered(kube, signal))) {
    const { installToken } = await api.call('createRuntime', { body: { name, kind: 'hosted' } }, { signal });
    await registerRuntime({ client: kube, platformUrl, installToken, log, signal });
  }
  await untilConnected(options);
}

async function isRegistered(kube: KubeClient, signal: AbortSignal): Promise<boolean> {
  const ref = {
    group: '',
    version: 'v1',
    kind: 'Secret',
    namespace: defaultRuntimeNamespace,
    name: runtimeIdentitySecret,
  };
  try {
    await kube.get(ref, { signal });
    return true;
  } catch (error) {
    if (isNotFound(error)) return false;
    throw error;
  }
}

async function untilConnected({ name, api, clock, signal }: HostedOptions): Promise<void> {
  const deadline = clock.monotonic() + 30_000;
  for (;;) {
    const runtime = await api.call('getRuntime', { params: { runtime: name } }, { signal });
    if (runtime.status === 'connected') return;
    if (clock.monotonic() > deadline) throw new Error(`runtime ${name} did not connect to the platform within 30 s`);
    await sleep(50, { clock, signal });
  }
}
