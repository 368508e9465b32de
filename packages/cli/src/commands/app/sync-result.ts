// What became of a sync. Engines give their operations no id: they are told apart by the second they began in, and by who
// asked for them.
import { type Clock, FairleadError, sleep } from '@fairlead/base';
import type { ApiClient, ApplicationId, ApplicationReport } from '@fairlead/contracts';
import { plain } from '../../output/index.ts';

type Operation = ApplicationReport['operation'];

const isAnother = (before: Operation, now: NonNullable<Operation>) =>
  before?.startedAt !== now.startedAt || before.initiatedBy !== now.initiatedBy;

/** An operation that begins in the second of the one before could not be told from it; this waits for the next. */
export async function untilTellable(before: Operation, clock: Clock): Promise<void> {
  if (before && Math.abs(clock.now() - Date.parse(before.startedAt)) < 1000) await sleep(1000, { clock });
}

interface Awaited {
  readonly before: Operation;
  readonly timeoutMs: number;
  readonly clock: Clock;
}

/** Says how it ended; throws when that is not well, or is not known in time. */
export async function syncResult(api: ApiClient, id: ApplicationId, { before, timeoutMs, clock }: Awaited) {
  const deadline = clock.monotonic() + timeoutMs;
  while (clock.monotonic() < deadline) {
    const { report, row } = await api.call('getApplication', { params: id });
    const operation = report.operation;
    if (operation?.finishedAt && isAnother(before, operation)) {
      const message = plain(operation.message ?? '');
      if (operation.phase !== 'Succeeded')
        throw new FairleadError('sync_failed', `sync ${operation.phase}: ${message}`);
      process.stdout.write(`${operation.phase}: ${message}; ${row.sync.status}, ${row.health.status}\n`);
      return;
    }
    await sleep(200, { clock });
  }
  throw new FairleadError('timeout', `no result within ${timeoutMs / 1000} s; see fairlead app get ${id.name}`);
}
