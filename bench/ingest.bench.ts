// Reports taken per second by one platform with a real PostgreSQL, four of five a change of status only, the fifth with new
// manifests of 10 kB; and how long one takes from being sent to being visible. Generator, platform and PostgreSQL share
// the machine: what each costs is printed.
import { contentHash } from '@fairlead/base';
import { type ApplicationReport, createApiClient } from '@fairlead/contracts';
import { registerTestRuntime, reported, sampleReport } from '@fairlead/platform/testing';
import { cpuPer, cpuSeconds, type PlatformProcess, startPlatformProcess } from './platform-process.ts';
import { type BenchContext, percentile, type Result, spreadOf } from './report.ts';

const runtimes = 4;
const applicationsEach = 500;
const batchSize = 100;
const durationMs = 20_000;

export async function measure({ say }: BenchContext): Promise<Result[]> {
  const platform = await startPlatformProcess();
  try {
    const api = createApiClient({
      baseUrl: platform.url,
      headers: () => ({ authorization: `Bearer ${platform.apiKey}` }),
    });
    const senders = [];
    for (let n = 0; n < runtimes; n++)
      senders.push(new Sender(await registerTestRuntime({ ...platform, api }, `rt-${n}`)));
    say(`${runtimes} runtimes report ${batchSize} objects a batch for ${durationMs / 1000} s`);
    const before = cpuSeconds(platform);
    const startedMs = performance.now();
    const until = startedMs + durationMs;
    await Promise.all(senders.map((sender) => sender.run(until)));
    const seconds = (performance.now() - startedMs) / 1000;
    const after = cpuSeconds(platform);
    const events = senders.reduce((sum, { sent }) => sum + sent, 0);
    const rate = events / seconds;
    // A batch is visible when it is acknowledged: the acknowledgement comes after the commit.
    const latencies = senders.flatMap(({ latenciesMs }) => latenciesMs);
    return [
      { metric: 'reports taken', unit: 'events/s', value: rate, spread: [rate, rate], goal: '>= 2000' },
      {
        metric: 'from sent to visible, p99',
        unit: 'ms',
        value: percentile(latencies, 0.99),
        spread: spreadOf(latencies),
        goal: '<= 1000',
      },
      ...cpuPer(1_000, { before, after, count: events, noun: 'events' }),
      await lost(platform, senders),
    ];
  } finally {
    await platform.stop();
  }
}

type TestRuntime = Awaited<ReturnType<typeof registerTestRuntime>>;

class Sender {
  readonly latenciesMs: number[] = [];
  readonly last = new Map<string, string>();
  readonly runtime: TestRuntime;
  sent = 0;
  #sequence = 0;

  constructor(runtime: TestRuntime) {
    this.runtime = runtime;
  }

  async run(untilMs: number): Promise<void> {
    while (performance.now() < untilMs) {
      const contents: Record<string, unknown> = {};
      const objects = Array.from({ length: batchSize }, () => this.#next(contents));
      const startedMs = performance.now();
      const body = { reporter: 'bench', objects, contents };
      const { applied } = await this.runtime.api.call('reportEvents', { body });
      this.latenciesMs.push(performance.now() - startedMs);
      this.sent += applied;
    }
  }

  #next(contents: Record<string, unknown>) {
    const n = ++this.#sequence;
    const name = `service-${n % applicationsEach}`;
    const isHealthy = Math.floor(n / applicationsEach) % 2 === 0;
    const message = `change ${n}`;
    const overrides: Partial<ApplicationReport> = {
      health: { status: isHealthy ? 'Healthy' : 'Progressing', message },
    };
    this.last.set(name, message);
    if (n % 5 !== 0) return reported(sampleReport(name, overrides), n);
    const manifest = {
      kind: 'ConfigMap',
      data: { text: `${n} `.repeat(Math.ceil(10_000 / `${n} `.length)), runtime: this.runtime.name },
    };
    const hash = contentHash(manifest);
    contents[hash] = manifest;
    const resource = {
      group: '',
      version: 'v1',
      kind: 'ConfigMap',
      namespace: name,
      name: 'c',
      desired: hash,
      live: hash,
    };
    return reported(sampleReport(name, { ...overrides, resources: [resource] }), n);
  }
}

async function lost({ url, apiKey }: PlatformProcess, senders: readonly Sender[]): Promise<Result> {
  const api = createApiClient({ baseUrl: url, headers: () => ({ authorization: `Bearer ${apiKey}` }) });
  let missing = 0;
  for (const { runtime, last } of senders) {
    for (const [name, change] of [...last].filter((_, index) => index % 10 === 0)) {
      const params = { runtime: runtime.name, namespace: 'argocd', name };
      const { report } = await api.call('getApplication', { params });
      if (report.health.message !== change) missing++;
    }
  }
  return { metric: 'last states that are missing', unit: 'applications', value: missing, spread: [0, 0], goal: '<= 0' };
}
