// How one batch of live changes alters what the query cache holds. Pure; what is not touched keeps its identity, so that
// React renders only the rows that changed.
import type { ApplicationId, ApplicationPage, ApplicationRow, RuntimeRow } from '@fairlead/contracts';
import type { InfiniteData } from '@tanstack/react-query';

export type ListData = InfiniteData<ApplicationPage, string>;

export const idKey = ({ runtime, namespace, name }: ApplicationId): string => `${runtime}/${namespace}/${name}`;

/** By `idKey`; null for an application that was deleted. */
export type RowChanges = ReadonlyMap<string, ApplicationRow | null>;

export interface PatchedList {
  readonly list: ListData;
  /**
   * True when the server may now order or select rows otherwise than shown: a row is gone, unknown here, or its status
   * changed. Rows never jump under the pointer by a patch; loading again puts them in their place.
   */
  readonly needsReload: boolean;
}

export function patchList(list: ListData, changes: RowChanges): PatchedList {
  const unseen = new Set(changes.keys());
  let needsReload = false;
  const pages = list.pages.map((page) => {
    let touched = false;
    const items: ApplicationRow[] = [];
    for (const shown of page.items) {
      const key = idKey(shown.id);
      const change = changes.get(key);
      unseen.delete(key);
      if (change === undefined || (change && isOlder(change, shown))) {
        items.push(shown);
        continue;
      }
      touched = true;
      if (change) items.push(change);
      needsReload ||= change === null || isStatusChange(shown, change);
    }
    return touched ? { ...page, items } : page;
  });
  needsReload ||= unseen.size > 0;
  return { list: pages.every((page, i) => page === list.pages[i]) ? list : { ...list, pages }, needsReload };
}

const isOlder = (candidate: ApplicationRow, shown: ApplicationRow): boolean =>
  Date.parse(candidate.changedAt) < Date.parse(shown.changedAt);

const isStatusChange = (before: ApplicationRow, after: ApplicationRow): boolean =>
  before.health.status !== after.health.status || before.sync.status !== after.sync.status;

export function patchRuntimes(rows: readonly RuntimeRow[], row: RuntimeRow): RuntimeRow[] {
  const at = rows.findIndex(({ name }) => name === row.name);
  return at < 0 ? [...rows, row].sort((a, b) => a.name.localeCompare(b.name)) : rows.with(at, row);
}
