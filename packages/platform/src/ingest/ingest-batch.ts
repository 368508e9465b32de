// A runtime's batch from the wire to the commit. The answer is given after the commit only: what was acknowledged is
// kept. A value that the database itself refuses is found by applying the objects one by one, and set aside.
import { Counter, errorMessage, Histogram, type Logger, type Registry } from '@fairlead/base';
import type { ReportBatch, ReportReceipt } from '@fairlead/contracts';
import { isDataError, type RuntimeRecord, type Store } from '../store/index.ts';
import { type AcceptedBatch, type Quarantined, readBatch } from './accept.ts';
import { type Applied, applyReports } from './apply.ts';

interface IngestDeps {
  readonly store: Store;
  readonly log: Logger;
  readonly metrics: IngestMetrics;
}

export class IngestMetrics {
  readonly objects: Counter;
  readonly durationSeconds: Histogram;

  constructor(registry: Registry) {
    this.objects = new Counter({
      name: 'fairlead_ingest_objects_total',
      help: 'Reported objects by outcome: applied, ignored (known or older), quarantined',
      labelNames: ['outcome'],
      registers: [registry],
    });
    this.durationSeconds = new Histogram({
      name: 'fairlead_ingest_batch_seconds',
      help: 'From the read batch to its commit',
      buckets: [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5],
      registers: [registry],
    });
  }
}

/** What is kept of an object that could not be read. */
const maxKeptBytes = 64 * 1024;
/** Kept per runtime; older ones go. */
const maxQuarantined = 1_000;

export async function ingestBatch(
  deps: IngestDeps,
  { runtime, batch }: { runtime: RuntimeRecord; batch: ReportBatch },
): Promise<ReportReceipt> {
  const { store, log, metrics } = deps;
  const startedMs = store.clock.monotonic();
  const accepted = readBatch(batch, { runtimeName: runtime.name });
  const { result, refused } = await apply(deps, runtime, accepted);
  const quarantined = [...accepted.quarantined, ...refused];
  if (quarantined.length > 0) {
    log.warn(
      { runtime: runtime.name, reporter: accepted.reporter, count: quarantined.length, first: quarantined[0]?.reason },
      'reported objects were set aside',
    );
    await keepAside(deps, { runtime, reporter: accepted.reporter, quarantined });
  }
  metrics.objects.inc({ outcome: 'applied' }, result.applied);
  metrics.objects.inc({ outcome: 'ignored' }, result.ignored);
  metrics.objects.inc({ outcome: 'quarantined' }, quarantined.length);
  metrics.durationSeconds.observe((store.clock.monotonic() - startedMs) / 1000);
  const badContents = new Set(quarantined.filter(({ index }) => index < 0).map(({ key }) => key));
  return {
    applied: result.applied,
    ignored: result.ignored,
    missingContents: result.missingContents.filter((hash) => !badContents.has(hash)),
    quarantined: quarantined.map(({ index, key, reason }) => ({ index, key, reason })),
  };
}

interface Outcome {
  readonly result: Applied;
  readonly refused: readonly Quarantined[];
}

async function apply({ store }: IngestDeps, runtime: RuntimeRecord, accepted: AcceptedBatch): Promise<Outcome> {
  const { objects, places, contents, named } = accepted;
  const now = new Date(store.clock.now());
  const attempt = (some: typeof objects) =>
    store.transaction((trx) => applyReports(trx, { runtime, objects: some, contents, named, now }));
  try {
    return { result: await attempt(objects), refused: [] };
  } catch (error) {
    if (!isDataError(error)) throw error;
  }
  const refused: Quarantined[] = [];
  let result: Applied = { applied: 0, ignored: 0, missingContents: [] };
  for (const [index, object] of objects.entries()) {
    try {
      const one = await attempt([object]);
      result = { ...one, applied: result.applied + one.applied, ignored: result.ignored + one.ignored };
    } catch (error) {
      if (!isDataError(error)) throw error;
      refused.push({ index: places[index] ?? index, key: object.key, reason: errorMessage(error), object });
    }
  }
  return { result, refused };
}

interface Aside {
  readonly runtime: RuntimeRecord;
  readonly reporter: string;
  readonly quarantined: readonly Quarantined[];
}

async function keepAside({ store }: IngestDeps, { runtime, reporter, quarantined }: Aside): Promise<void> {
  const at = new Date(store.clock.now());
  // Neither NUL nor half a surrogate pair can be stored as text.
  const plain = (text: string) => Buffer.from(text.replaceAll('\0', '\uFFFD')).toString('utf8');
  const rows = quarantined.map(({ key, reason, object }) => ({
    account_id: runtime.accountId,
    runtime_id: runtime.id,
    reporter: plain(reporter),
    key: plain(key),
    reason: plain(reason.slice(0, 2_000)),
    object: plain((JSON.stringify(object) ?? 'null').slice(0, maxKeptBytes)),
    at,
  }));
  await store.transaction(async (trx) => {
    await trx.insertInto('quarantine').values(rows).execute();
    await trx
      .deleteFrom('quarantine')
      .where('runtime_id', '=', runtime.id)
      .where('id', 'not in', (eb) =>
        eb
          .selectFrom('quarantine as kept')
          .select('kept.id')
          .where('kept.runtime_id', '=', runtime.id)
          .orderBy('kept.id', 'desc')
          .limit(maxQuarantined),
      )
      .execute();
  });
}
