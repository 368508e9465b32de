// The sample is made once per home: what people delete later stays deleted.
import { existsSync } from 'node:fs';
import { type Clock, FairleadError, sleep } from '@fairlead/base';
import type { ApiClient } from '@fairlead/contracts';
import type { KubeClient } from '@fairlead/kube';
import { type Home, readApiKey, writeJson } from '../../home/index.ts';
import { createGitCredentials, createSampleApplications } from './applications.ts';
import { sampleApplicationName, sampleEnvironments } from './manifests.ts';
import { pushSample } from './repository.ts';

interface SampleOptions {
  readonly home: Home;
  readonly gitUrl: string;
  readonly kube: KubeClient;
  readonly api: ApiClient;
  readonly clock: Clock;
  readonly signal: AbortSignal;
}

export async function ensureSample({ home, gitUrl, kube, api, clock, signal }: SampleOptions): Promise<void> {
  const marker = `${home.dataDir}/sample.json`;
  if (existsSync(marker)) return;
  const apiKey = readApiKey(home);
  await createGitCredentials({ kube, gitUrl, apiKey, signal });
  await pushSample({ gitUrl, apiKey, signal });
  await createSampleApplications({ kube, gitUrl, apiKey, signal });
  const wanted = sampleEnvironments.map(sampleApplicationName);
  const deadline = clock.monotonic() + 60_000;
  for (;;) {
    const { items } = await api.call('listApplications', {}, { signal });
    const healthy = items.filter((row) => row.health.status === 'Healthy' && row.sync.status === 'Synced');
    if (wanted.every((name) => healthy.some((row) => row.id.name === name))) break;
    if (clock.monotonic() > deadline)
      throw new FairleadError(
        'sample_not_healthy',
        `the sample did not become healthy within 60 s; see ${home.logsDir}`,
      );
    await sleep(100, { clock, signal });
  }
  writeJson(marker, { applications: wanted });
}
