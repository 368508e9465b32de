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

interface Many {
  /** The first seed. */
  readonly from: number;
  readonly count: number;
  /** Told after each schedule, in the order in which they end. */
  readonly onDone?: (seed: number, report: ScheduleReport) => void;
}

export async function runMany(ingest: TestIngest, { from, count, onDone }: Many): Promise<Totals> {
  const seeds = Array.from({ length: count }, (_, n) => from + n);
  const reports: { seed: number; report: ScheduleReport }[] = [];
  await mapLimit(seeds, atOnce, async (seed) => {
    const report = await runSchedule(ingest, { seed });
    reports.push({ seed, report });
    onDone?.(seed, report);
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
