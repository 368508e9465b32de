import { setMaxListeners } from 'node:events';
import { anySignal, backoffDelay, type Clock, errorMessage, type Lifecycle, type Logger, sleep } from '@fairlead/base';
import type { RuntimeIdentity } from '@fairlead/contracts';
import type { KubeClient } from '@fairlead/kube';
import { IdentityWatch } from '../identity/index.ts';

interface Deps {
  readonly client: KubeClient;
  readonly namespace: string;
  readonly lifecycle: Lifecycle;
  readonly log: Logger;
  readonly clock: Clock;
}

/** Speaks as whoever the runtime is, until it is replaced or the role stops; who fails starts again after a pause. */
export async function eachIdentity(
  { client, namespace, lifecycle, log, clock }: Deps,
  speak: (identity: RuntimeIdentity, signal: AbortSignal) => Promise<void>,
): Promise<void> {
  const { signal } = lifecycle;
  const identities = new IdentityWatch({ client, namespace, log, clock });
  lifecycle.background('identity', identities.run({ signal }));
  for (let failures = 0; !signal.aborted; failures++) {
    const identity = identities.current ?? (await identities.next(undefined, { signal }));
    const { until, done } = whileCurrent(identities, { identity, signal });
    try {
      await speak(identity, until);
    } catch (error) {
      if (signal.aborted) return;
      log.warn({ error: errorMessage(error) }, 'reporter failed, starts again');
      await sleep(backoffDelay(failures, { baseMs: 200, maxMs: 10_000 }), { signal, clock });
    } finally {
      done();
    }
  }
}

/** A signal that aborts when the identity is replaced by another, or the role stops. */
function whileCurrent(
  identities: IdentityWatch,
  { identity, signal }: { identity: RuntimeIdentity; signal: AbortSignal },
): { until: AbortSignal; done: () => void } {
  const replaced = new AbortController();
  const until = anySignal([signal, replaced.signal]);
  setMaxListeners(0, until); // every request and loop of a reporter listens for the end, and leaves when it is over
  const done = () => replaced.abort();
  identities.next(identity, { signal: until }).then(done, done);
  return { until, done };
}
