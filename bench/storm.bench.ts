// A thousand runtimes, each with its tunnel and its reports; then the platform is killed and comes back, and all of them
// return at once: how long until the last one is connected, has compared digests and has had a new report taken. The
// runtimes are this process: real tunnel clients with their real patience, keys and tokens, all from one address.
import { backoffDelay, mapLimit, sleep } from '@fairlead/base';
import { createApiClient, type ReportDigest, tunnelPath } from '@fairlead/contracts';
import { registerTestRuntime, reported, sampleReport } from '@fairlead/platform/testing';
import { dialTunnel } from '@fairlead/tunnel';
import { cpuPer, cpuSeconds, type PlatformProcess, startPlatformProcess } from './platform-process.ts';
import { costOf } from './processes.ts';
import { type BenchContext, type Result, spreadOf } from './report.ts';

const runtimes = 1_000;
const applicationsEach = 10;
const giveUpMs = 300_000;

export async function measure({ say }: BenchContext): Promise<Result[]> {
  const platform = await startPlatformProcess();
  const clients: Client[] = [];
  try {
    await register(platform, clients);
    say(`${runtimes} runtimes are registered`);
    const first = await storm(clients, () => {
      for (const client of clients) client.dial(platform.url);
      return Promise.resolve();
    });
    say(`all are connected after ${(Math.max(...first) / 1000).toFixed(1)} s; the platform is killed`);
    const pssMiB = costOf(platform.pid).pssMiB;
    const returned = await storm(clients, () => platform.restart());
    const sum = (of: (client: Client) => number) => clients.reduce((total, client) => total + of(client), 0);
    say(
      `${sum(({ dials }) => dials)} connections were tried, ${sum(({ refusals }) => refusals)} reports had to be sent again`,
    );
    const after = cpuSeconds(platform);
    // The new process has done nothing else yet.
    const before = [after[0] ?? 0, 0, after[2] ?? 0];
    return [
      seconds('1,000 runtimes connect and report for the first time', first),
      seconds('1,000 runtimes are back and have reported, after the platform was killed', returned, '<= 60'),
      { metric: 'platform with 1,000 tunnels', unit: 'MiB PSS', value: pssMiB, spread: [pssMiB, pssMiB] },
      ...cpuPer(1_000, { before, after, count: runtimes, noun: 'returns' }).filter(({ metric }) =>
        metric.endsWith('platform'),
      ),
      await lost(platform, clients),
    ];
  } finally {
    for (const client of clients) client.stop();
    await platform.stop();
  }
}

const seconds = (metric: string, timesMs: readonly number[], goal?: string): Result => {
  const inSeconds = timesMs.map((ms) => ms / 1000);
  const value = Math.max(...inSeconds);
  return { metric, unit: 's', value, spread: spreadOf(inSeconds), ...(goal ? { goal } : {}) };
};

async function register(platform: PlatformProcess, clients: Client[]): Promise<void> {
  const headers = () => ({ authorization: `Bearer ${platform.apiKey}` });
  const api = createApiClient({ baseUrl: platform.url, headers });
  const names = Array.from({ length: runtimes }, (_, n) => `rt-${n}`);
  await mapLimit(names, 8, async (name) => {
    clients.push(new Client(await registerTestRuntime({ url: platform.url, api }, name)));
  });
}

/** From `start` on until each client has reported; in ms. */
async function storm(clients: readonly Client[], start: () => Promise<void>): Promise<number[]> {
  for (const client of clients) client.round++;
  const startedMs = performance.now();
  await start();
  while (clients.some(({ round, reportedRound }) => reportedRound < round)) {
    if (performance.now() - startedMs > giveUpMs) break;
    await sleep(100);
  }
  return clients.map(({ round, reportedRound, reportedAtMs }) =>
    reportedRound < round ? giveUpMs : reportedAtMs - startedMs,
  );
}

type TestRuntime = Awaited<ReturnType<typeof registerTestRuntime>>;

class Client {
  readonly runtime: TestRuntime;
  round = 0;
  reportedRound = 0;
  reportedAtMs = 0;
  /** Connections tried, and requests refused or cut. */
  dials = 0;
  refusals = 0;
  readonly #stopping = new AbortController();
  #connection = 0;

  constructor(runtime: TestRuntime) {
    this.runtime = runtime;
  }

  dial(url: string): void {
    const { signal } = this.#stopping;
    void dialTunnel({
      url: `${url.replace(/^http/, 'ws')}${tunnelPath}`,
      proof: (nonce) => this.runtime.token({ nonce }),
      origin: 'http://127.0.0.1:9', // nothing is asked of these runtimes
      runtimeVersion: 'bench',
      signal,
      onState: (state) => {
        if (state === 'connecting') this.dials++;
        if (state === 'connected') void this.#report(++this.#connection);
      },
    });
  }

  stop(): void {
    this.#stopping.abort();
  }

  /** What a reporter does after a gap: compare, then send; again until it is taken or the connection is another one. */
  async #report(connection: number): Promise<void> {
    const { round } = this;
    const objects = Array.from({ length: applicationsEach }, (_, n) =>
      reported(sampleReport(`service-${n}`, { health: { status: 'Healthy', message: `round ${round}` } }), round),
    );
    const digest: ReportDigest = {
      reporter: 'bench',
      kind: 'application',
      epoch: 1,
      shard: { index: 0, count: 1 },
      objects: Object.fromEntries(objects.map(({ key, hash }) => [key, hash])),
    };
    for (let attempt = 0; !this.#stopping.signal.aborted && connection === this.#connection; attempt++) {
      try {
        await this.runtime.api.call('exchangeDigest', { body: digest });
        await this.runtime.api.call('reportEvents', { body: { reporter: 'bench', objects, contents: {} } });
        this.reportedAtMs = performance.now();
        this.reportedRound = round;
        return;
      } catch {
        this.refusals++;
        // Refused or cut: it keeps what it has and comes again, as patient as a reporter.
        const delayMs = backoffDelay(attempt, { baseMs: 200, maxMs: 15_000 });
        await sleep(delayMs);
      }
    }
  }
}

async function lost({ url, apiKey }: PlatformProcess, clients: readonly Client[]): Promise<Result> {
  const api = createApiClient({ baseUrl: url, headers: () => ({ authorization: `Bearer ${apiKey}` }) });
  let missing = 0;
  for (const { runtime, round } of clients.filter((_, index) => index % 20 === 0)) {
    const params = { runtime: runtime.name, namespace: 'argocd', name: 'service-3' };
    const { report } = await api.call('getApplication', { params });
    if (report.health.message !== `round ${round}`) missing++;
  }
  return { metric: 'last states that are missing', unit: 'applications', value: missing, spread: [0, 0], goal: '<= 0' };
}
