// The sample is made once per home: what people delete later stays deleted. It does for them what the set-up guide does:
// the Shared Configuration Repository, a Git Source with its repository, and applications that come from there.
import { type Clock, sleep } from '@fairlead/base';
import { type ApiClient, argoGroup, defaultEngineNamespace } from '@fairlead/contracts';
import { isNotFound, type KubeClient } from '@fairlead/kube';
import { type Home, readApiKey, readJson, writeJson } from '../../home/index.ts';
import { applicationFiles, applicationsRepository, createGitCredentials } from './applications.ts';
import { configurationFiles, configurationRepository, followConfiguration } from './configuration.ts';
import { sampleApplicationName, sampleEnvironments, sampleFiles, sampleRepository } from './manifests.ts';
import { pushFiles } from './repository.ts';

interface SampleOptions {
  readonly home: Home;
  readonly runtime: string;
  readonly gitUrl: string;
  readonly kube: KubeClient;
  readonly api: ApiClient;
  readonly clock: Clock;
  readonly signal: AbortSignal;
}

interface Marker {
  readonly applications: readonly string[];
  /** Absent in homes from before applications came from a Git Source. */
  readonly configuration?: string;
}

const healthyWithinMs = 60_000;

/** False when it is made, but not healthy yet: a slow machine goes on after the start. */
export async function ensureSample(options: SampleOptions): Promise<boolean> {
  const { home } = options;
  const file = `${home.dataDir}/sample.json`;
  const before = readJson<Marker>(file);
  if (before?.configuration) return true;
  if (before) await adoptApplications(options);
  else await createSample(options);
  const applications = before?.applications ?? sampleEnvironments.map(sampleApplicationName);
  writeJson(file, { applications, configuration: configurationRepository } satisfies Marker);
  return before !== undefined || isHealthyWithin(healthyWithinMs, options);
}

async function createSample(options: SampleOptions): Promise<void> {
  const { kube, gitUrl, signal } = options;
  const apiKey = readApiKey(options.home);
  await Promise.all([
    createGitCredentials({ kube, gitUrl, apiKey, signal }),
    push(options, sampleRepository, { files: sampleFiles(), message: 'Add the guestbook sample' }),
    pushConfiguration(options, sampleEnvironments),
  ]);
  await followConfiguration(options);
}

/** Applications that an earlier version made come under the Git Source as they are; what was deleted stays deleted. */
async function adoptApplications(options: SampleOptions): Promise<void> {
  const { kube, signal } = options;
  const left: (typeof sampleEnvironments)[number][] = [];
  for (const environment of sampleEnvironments) {
    const name = sampleApplicationName(environment);
    const ref = { group: argoGroup, version: 'v1alpha1', kind: 'Application', namespace: defaultEngineNamespace, name };
    const isThere = await kube.get(ref, { signal }).then(
      () => true,
      (error: unknown) => {
        if (isNotFound(error)) return false;
        throw error;
      },
    );
    if (isThere) left.push(environment);
  }
  await pushConfiguration(options, left);
  await followConfiguration(options);
}

async function pushConfiguration(
  options: SampleOptions,
  environments: readonly (typeof sampleEnvironments)[number][],
): Promise<void> {
  const { gitUrl, runtime } = options;
  await Promise.all([
    push(options, applicationsRepository, {
      files: applicationFiles(gitUrl, environments),
      message: 'Add the applications of the guestbook',
    }),
    push(options, configurationRepository, {
      files: configurationFiles(gitUrl, runtime),
      message: `Set up runtime ${runtime} and its Git Source demo`,
    }),
  ]);
}

function push(
  { home, gitUrl, signal }: SampleOptions,
  repository: string,
  commit: { readonly files: Readonly<Record<string, string>>; readonly message: string },
): Promise<void> {
  return pushFiles({ url: `${gitUrl}/${repository}`, apiKey: readApiKey(home), ...commit, signal });
}

async function isHealthyWithin(ms: number, { api, clock, signal }: SampleOptions): Promise<boolean> {
  const wanted = sampleEnvironments.map(sampleApplicationName);
  const deadline = clock.monotonic() + ms;
  for (;;) {
    const { items } = await api.call('listApplications', {}, { signal });
    const healthy = items.filter((row) => row.health.status === 'Healthy' && row.sync.status === 'Synced');
    if (wanted.every((name) => healthy.some((row) => row.id.name === name))) return true;
    if (clock.monotonic() > deadline) return false;
    await sleep(100, { clock, signal });
  }
}
