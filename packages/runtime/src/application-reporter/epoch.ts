// A number that grows with each start of any reporter of this runtime, by compare-and-swap on one ConfigMap. Reports of
// a later epoch win over those of an earlier one, whatever their sequence: so a reporter that was paused and comes back
// cannot overwrite what its successor said.
import { RetryableError, retry } from '@fairlead/base';
import { isAlreadyExists, isConflict, type KubeClient } from '@fairlead/kube';
import { fairleadLabels } from '../identity/index.ts';

const configMapName = 'fairlead-reporter-epoch';

interface EpochOptions {
  readonly namespace: string;
  readonly reporter: string;
  readonly signal: AbortSignal;
}

export function takeEpoch(client: KubeClient, options: EpochOptions): Promise<number> {
  return retry(() => attempt(client, options), {
    attempts: 20,
    baseMs: 50,
    maxMs: 2_000,
    signal: options.signal,
    isRetryable: (error) => error instanceof RetryableError,
  });
}

async function attempt(client: KubeClient, { namespace, reporter, signal }: EpochOptions): Promise<number> {
  const current = await client.find(refIn(namespace), { signal });
  const epoch = Number((current?.['data'] as Record<string, string> | undefined)?.['epoch'] ?? 0) + 1;
  const data = { epoch: String(epoch), takenBy: reporter };
  try {
    if (current) await client.update({ ...current, data }, { signal });
    else {
      const metadata = { name: configMapName, namespace, labels: { ...fairleadLabels } };
      await client.create({ apiVersion: 'v1', kind: 'ConfigMap', metadata, data }, { signal });
    }
    return epoch;
  } catch (error) {
    if (isConflict(error) || isAlreadyExists(error)) {
      throw new RetryableError('epoch_taken', 'another reporter took the epoch', { cause: error });
    }
    throw error;
  }
}

const refIn = (namespace: string) => ({
  ...{ group: '', version: 'v1', kind: 'ConfigMap', namespace, name: configMapName },
});
