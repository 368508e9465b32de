import { mapLimit } from '@fairlead/base';
import { openTestIngest, startTestServer, type TestIngest } from '@fairlead/platform/testing';
import { runSchedule, type ScheduleReport } from './schedule.ts';

const atOnce = 8;

export interface Totals {
  readonly schedules: number;
  readonly changes: number;
  readonly operations: number;
  readonly faults: Readonly<Record<string, number>>;
  /** Each with its seed. */
  readonly lost: string[];
  readonly reordered: string[];
  readonly doubled: string[];
}

/** An ingest on a PostgreSQL of its own. */
export async function startSimulation(): Promise<{ ingest: TestIngest; stop(): Promise<void> }> {
  const postgres = await startTestServer();
  const ingest = await openTestIngest(await postgres.createDatabase());
  return {
    ingest,
    async stop() {
      await ingest.stop();
      await postgres.stop();
    },
  };
}

export async function runMany(ingest: TestIngest, { from, count }: { from: number; count: number }): Promise<Totals> {
  const seeds = Array.from({ length: count }, (_, n) => from + n);
  const reports: { seed: number; report: ScheduleReport }[] = [];
  await mapLimit(seeds, atOnce, async (seed) => {
    reports.push({ seed, report: await runSchedule(ingest, { seed }) });
  });
  const named = (what: 'lost' | 'reordered' | 'doubled') =>
    reports.flatMap(({ seed, report }) => report[what].map((text) => `seed ${seed}: ${text}`));
  const faults: Record<string, number> = {};
  for (const { report } of reports) {
    for (const [name, times] of Object.entries(report.faults)) faults[name] = (faults[name] ?? 0) + times;
  }
  const sum = (what: 'changes' | 'operations') => reports.reduce((total, { report }) => total + report[what], 0);
  return {
    schedules: reports.length,
    changes: sum('changes'),
    operations: sum('operations'),
    faults,
    lost: named('lost'),
    reordered: named('reordered'),
    doubled: named('doubled'),
  };
}
