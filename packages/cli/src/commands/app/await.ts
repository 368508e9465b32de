import { FairleadError, sleep, systemClock } from '@fairlead/base';
import { type ApiClient, ApiError, type ApplicationId, type ApplicationRow } from '@fairlead/contracts';

/** Looks until `isDone`; the row is undefined while the application is not there. Fails after the time with its state. */
export async function awaitApplication(
  api: ApiClient,
  id: ApplicationId,
  { isDone, timeoutMs }: { isDone: (row: ApplicationRow | undefined) => boolean; timeoutMs: number },
): Promise<ApplicationRow | undefined> {
  const deadline = systemClock.monotonic() + timeoutMs;
  for (;;) {
    const row = await rowOf(api, id);
    if (isDone(row)) return row;
    if (systemClock.monotonic() > deadline) {
      const at = row?.sync.revision ? ` at ${row.sync.revision.slice(0, 7)}` : '';
      const state = row ? `${row.health.status} and ${row.sync.status}${at}` : 'not there';
      const message = `${id.name} is ${state} after ${timeoutMs / 1000} s; see fairlead app why ${id.name}`;
      throw new FairleadError('timeout', message);
    }
    await sleep(250);
  }
}

async function rowOf(api: ApiClient, params: ApplicationId): Promise<ApplicationRow | undefined> {
  try {
    return (await api.call('getApplication', { params })).row;
  } catch (error) {
    if (error instanceof ApiError && error.code === 'not_found') return undefined;
    throw error;
  }
}

export const isGreen = (row: ApplicationRow | undefined): boolean =>
  row?.health.status === 'Healthy' && row.sync.status === 'Synced';

/** `--timeout`, in seconds, as milliseconds. */
export function timeoutOf(text: string): number {
  if (/^[1-9]\d{0,5}$/.test(text)) return Number(text) * 1000;
  throw new FairleadError('bad_usage', `--timeout ${text}: must be a whole number of seconds from 1 on`);
}
