// A flood of changes and what it does to the reporter's queue, its memory and the truth. Whether anything is lost is told by
// comparing what the platform shows with what the cluster holds, for every application, and with every operation that ended.
import type { ChildProcess } from 'node:child_process';
import { sleep } from '@fairlead/base';
import { type ApiClient, type Application, asApplication } from '@fairlead/contracts';
import type { KubeObject } from '@fairlead/kube';
import type { PlatformProcess } from './platform-process.ts';
import { costOf } from './processes.ts';
import type { Result } from './report.ts';
import { type Flood, operationLine, operationsOf } from './report-changes.ts';

export interface Offered {
  /** From the first change to the last. */
  readonly seconds: number;
  /** What else there is to tell. */
  readonly results: readonly Result[];
}

/** Where the changes come from. */
export interface FloodSource {
  readonly name: string;
  readonly pids: readonly number[];
  /** Of one that is to offer changes at a rate. */
  readonly rateGoal?: string;
  /** Resolves when the last change is made. */
  offer(flood: Flood): Promise<Offered>;
  /** All Applications as they are now. */
  states(): Promise<readonly KubeObject[]>;
}

export interface FloodWorld {
  readonly api: ApiClient;
  readonly platform: PlatformProcess;
  readonly reporter: ChildProcess;
  readonly metricsUrl: string;
  readonly source: FloodSource;
}

const drainWithinMs = 120_000;

export async function flood(world: FloodWorld, given: Flood): Promise<Result[]> {
  const { api, reporter, metricsUrl, platform, source } = world;
  const pid = reporter.pid ?? 0;
  const watched = watchReporter(metricsUrl, pid);
  const sentBefore = await sentReports(metricsUrl);
  const cpuBefore = cpuOf(world);
  const startedMs = performance.now();
  const offered = await source.offer(given);
  const floodSeconds = (performance.now() - startedMs) / 1000;
  const operations = operationsOf(given);
  const isShown = async () => (await wrong(world)) === 0 && (await lostOf(api, operations)) === 0;
  const isDrained = await until(isShown, drainWithinMs).then(
    () => true,
    () => false,
  );
  const wholeSeconds = (performance.now() - startedMs) / 1000;
  const cpuAfter = cpuOf(world);
  const { depths, memory } = await watched.stop();
  const shown = await deployments(api);
  const [before = 0] = memory;
  const drainSeconds = isDrained ? wholeSeconds - floodSeconds : Number.POSITIVE_INFINITY;
  return [
    one('rate offered', 'changes/s', given.changes / offered.seconds, source.rateGoal),
    ...offered.results,
    one('rate taken, until all is shown', 'changes/s', given.changes / wholeSeconds),
    one('reports that told of it', 'reports', (await sentReports(metricsUrl)) - sentBefore),
    ...cpuAfter.map(({ name, seconds }, index) =>
      one(`CPU of the ${name}`, 's', seconds - (cpuBefore[index]?.seconds ?? 0)),
    ),
    one('deepest queue', 'applications', Math.max(...depths), '<= 1000'),
    one('last change to all of it shown', 's', drainSeconds, '<= 60'),
    one('final states lost', 'applications', await wrong(world), '<= 0'),
    one(`operation results lost, of ${operations.length}`, 'operations', await lostOf(api, operations), '<= 0'),
    one(
      'operation results told more than once',
      'operations',
      operations.filter((line) => (shown.get(line) ?? 0) > 1).length,
      '<= 0',
    ),
    {
      metric: 'memory of the reporter at its most (before–after)',
      unit: 'MiB',
      value: Math.max(...memory),
      spread: [before, memory.at(-1) ?? 0],
    },
    one('memory of the platform', 'MiB', costOf(platform.pid).pssMiB),
  ];
}

function cpuOf({ source, reporter, platform }: FloodWorld) {
  const { user, system } = process.cpuUsage();
  const of = (...pids: readonly number[]) => pids.reduce((sum, pid) => sum + costOf(pid).cpuSeconds, 0);
  return [
    { name: 'bench itself and the engine in it', seconds: (user + system) / 1e6 },
    { name: source.name, seconds: of(...source.pids) },
    { name: 'reporter', seconds: of(reporter.pid ?? 0) },
    { name: 'platform', seconds: of(platform.pid) },
    { name: 'PostgreSQL', seconds: of(platform.postgresPid) },
  ];
}

/** Depth of its queue and its memory, five times a second. */
function watchReporter(metricsUrl: string, pid: number) {
  const depths: number[] = [];
  const memory: number[] = [costOf(pid).pssMiB];
  const watching = new AbortController();
  const watched = (async () => {
    while (!watching.signal.aborted) {
      const text = await (await fetch(metricsUrl)).text();
      depths.push(Number(/^fairlead_reporter_queue_depth\S* (\d+)/m.exec(text)?.[1] ?? Number.NaN));
      memory.push(costOf(pid).pssMiB);
      await sleep(200, { signal: watching.signal }).catch(() => undefined); // the loop sees the abort
    }
  })();
  const stop = async () => {
    watching.abort();
    await watched;
    return { depths, memory };
  };
  return { stop };
}

async function sentReports(metricsUrl: string): Promise<number> {
  const text = await (await fetch(metricsUrl)).text();
  return [...text.matchAll(/^fairlead_reporter_sent_objects_total\S* (\d+)/gm)].reduce(
    (sum, [, n]) => sum + Number(n),
    0,
  );
}

/** Applications that are not at the platform as they are at the source, or only at one of both. */
async function wrong({ api, source }: FloodWorld): Promise<number> {
  const shown = new Map<string, string>();
  for (let after: string | undefined; ; ) {
    const page = await api.call('listApplications', { query: { limit: 500, ...(after ? { after } : {}) } });
    for (const { id, sync, health } of page.items) shown.set(id.name, stateLine({ sync, health }));
    after = page.next;
    if (after === undefined) break;
  }
  const held = (await source.states()).map(asApplication);
  const isDifferent = ({ metadata, status = {} }: Application) => shown.get(metadata.name) !== stateLine(status);
  const names = new Set(held.map(({ metadata }) => metadata.name));
  return held.filter(isDifferent).length + [...shown.keys()].filter((name) => !names.has(name)).length;
}

const stateLine = ({ sync, health }: Pick<NonNullable<Application['status']>, 'sync' | 'health'>) =>
  `${sync?.revision} ${sync?.status} ${health?.status}`;

async function lostOf(api: ApiClient, operations: readonly string[]): Promise<number> {
  const shown = await deployments(api);
  return operations.filter((line) => !shown.has(line)).length;
}

/** How often each operation is told. */
async function deployments(api: ApiClient): Promise<ReadonlyMap<string, number>> {
  const told = new Map<string, number>();
  for (let after: string | undefined; ; ) {
    const page = await api.call('listAllDeployments', { query: { limit: 200, ...(after ? { after } : {}) } });
    for (const { application, ...row } of page.items) {
      const line = operationLine({ name: application.name, ...row });
      told.set(line, (told.get(line) ?? 0) + 1);
    }
    after = page.next;
    if (after === undefined) return told;
  }
}

export const one = (metric: string, unit: string, value: number, goal?: string): Result => ({
  ...{ metric, unit, value, spread: [value, value] as const },
  ...(goal ? { goal } : {}),
});

export async function until(check: () => Promise<boolean>, withinMs = 60_000): Promise<void> {
  const deadline = performance.now() + withinMs;
  while (!(await check())) {
    if (performance.now() > deadline) throw new Error('it did not come to pass in time');
    await sleep(100);
  }
}
