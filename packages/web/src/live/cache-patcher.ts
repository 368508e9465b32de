// Carries live messages into the query cache. Messages are collected for a tenth of a second, so that a burst costs one
// rendering. Bound: `maxPending` applications per batch; at the bound the batch is given up and everything on screen is
// loaded again, which costs less.
// Promise: an answer that was under way when a message came, and may be of before it, does not take the message back.
import type {
  ApplicationDetail,
  ApplicationRow,
  ApplicationSummary,
  LiveMessage,
  RuntimeRow,
} from '@fairlead/contracts';
import type { QueryClient, QueryFilters } from '@tanstack/react-query';
import { keys } from '../api/index.ts';
import type { PageClock } from './page-clock.ts';
import { idKey, type ListData, patchList, patchRuntimes } from './patches.ts';

const batchMs = 100;
const detailDelayMs = 300;
const listDelayMs = 2500;
const deploymentsDelayMs = 3000;
const facetsDelayMs = 5000;
const maxPending = 2000;

/** A plan is an answer about commits, dear to ask for: what happens in the clusters does not change it. */
const notOfTheFeed: readonly string[] = [keys.me[0], keys.plan({})[0]];

type Changes = Map<string, ApplicationRow | null>;

export class CachePatcher {
  readonly #client: QueryClient;
  readonly #clock: PageClock;
  #pending: Changes = new Map();
  /** Told to the lists while one of them was being loaded: once more when it has come. */
  #untilLoaded: Changes = new Map();
  #cancelFlush: (() => void) | undefined;
  #reloads = new Map<string, () => void>();
  /** Hashes of queries that are asked again when their answer has come. */
  readonly #again = new Set<string>();

  constructor(client: QueryClient, clock: PageClock) {
    this.#client = client;
    this.#clock = clock;
  }

  receive(message: LiveMessage): void {
    switch (message.type) {
      case 'application':
        this.#collect(idKey(message.row.id), message.row);
        return;
      case 'application-deleted':
        this.#collect(idKey(message.id), null);
        return;
      case 'summary':
        this.#tell<ApplicationSummary>(keys.summary, () => message.summary);
        return;
      case 'runtime':
        this.#tell<RuntimeRow[]>(keys.runtimes, (rows) => patchRuntimes(rows, message.row));
        return;
      case 'runtime-deleted':
        this.#tell<RuntimeRow[]>(keys.runtimes, (rows) => rows.filter(({ name }) => name !== message.name));
        return;
      case 'cluster':
      case 'cluster-deleted':
        this.#reloadLater('clusters', detailDelayMs, keys.clusters);
        this.#reloadLater('setup', detailDelayMs, keys.setup);
        return;
      case 'git-source':
      case 'git-source-deleted':
        this.#reloadLater('git-sources', detailDelayMs, keys.gitSources);
        this.#reloadLater('setup', detailDelayMs, keys.setup);
        return;
      case 'notifications':
        this.#reloadLater('notifications', detailDelayMs, keys.notifications);
        return;
      default: // reset and ping are the feed's own; kinds of a newer server are not for this page
    }
  }

  /** Loads again what is on screen, and marks the rest as old. */
  reloadAll(): void {
    this.#pending.clear();
    this.#untilLoaded.clear();
    this.#reload({ predicate: ({ queryKey }) => !notOfTheFeed.includes(String(queryKey[0])) });
  }

  #tell<T>(queryKey: readonly string[], update: (data: T) => T): void {
    this.#patch(queryKey, update);
    if (this.#client.isFetching({ queryKey }) > 0) this.#reload({ queryKey });
  }

  /** In place: what was loaded when, and what is marked as old, stays as it was. */
  #patch<T>(queryKey: readonly string[], update: (data: T) => T): void {
    for (const query of this.#client.getQueryCache().findAll({ queryKey })) {
      const { dataUpdatedAt: updatedAt, isInvalidated } = query.state;
      const data = this.#client.getQueryData<T>(query.queryKey);
      const patched = data === undefined ? data : update(data);
      if (patched === data) continue;
      this.#client.setQueryData(query.queryKey, patched, { updatedAt });
      if (isInvalidated) query.invalidate();
    }
  }

  /** A request under way is not broken off; it is made again when it has come. */
  #reload(filters: QueryFilters): void {
    const underWay = this.#client.getQueryCache().findAll({ ...filters, type: 'active', fetchStatus: 'fetching' });
    void this.#client.invalidateQueries(filters, { cancelRefetch: false });
    for (const { queryHash, queryKey } of underWay) {
      if (this.#again.has(queryHash)) continue;
      this.#again.add(queryHash);
      const only = { queryKey, exact: true };
      void this.#client.refetchQueries(only, { cancelRefetch: false }).then(() => {
        this.#again.delete(queryHash);
        void this.#client.invalidateQueries(only, { cancelRefetch: false });
      });
    }
  }

  #collect(key: string, row: ApplicationRow | null): void {
    this.#pending.set(key, row);
    if (this.#pending.size > maxPending) this.reloadAll();
    this.#cancelFlush ??= this.#clock.after(batchMs, () => this.#flush());
  }

  #flush(): void {
    this.#cancelFlush = undefined;
    const changes = this.#pending;
    this.#pending = new Map();
    this.#patchLists(changes);
    if (changes.size === 0) return;
    this.#reloadLater('deployments', deploymentsDelayMs, ['deployments']);
    this.#reloadLater('facets', facetsDelayMs, keys.anyFacets);
    for (const [key, row] of changes) this.#patchDetail(key, row);
  }

  #patchLists(changes: Changes): void {
    const isLoading = this.#client.isFetching({ queryKey: keys.lists }) > 0;
    const told = new Map([...this.#untilLoaded, ...changes]);
    this.#untilLoaded = isLoading ? told : new Map();
    if (this.#untilLoaded.size > maxPending) {
      this.reloadAll();
      return;
    }
    if (isLoading) this.#cancelFlush ??= this.#clock.after(batchMs, () => this.#flush());
    const due = isLoading ? changes : told;
    if (due.size === 0) return;
    let needsReload = false;
    let pages = 1;
    this.#patch<ListData>(keys.lists, (list) => {
      const patched = patchList(list, due);
      needsReload ||= patched.needsReload;
      pages = Math.max(pages, list.pages.length);
      return patched.list;
    });
    // Each loaded page is a request: the longer the list, the rarer.
    if (needsReload) this.#reloadLater('lists', listDelayMs * pages, keys.lists);
  }

  #patchDetail(key: string, row: ApplicationRow | null): void {
    const [runtime = '', namespace = '', name = ''] = key.split('/');
    const id = { runtime, namespace, name };
    // Also one that was not there when it was asked for: somebody waits for it.
    if (!this.#client.getQueryState(keys.detail(id))) return;
    if (row) this.#patch<ApplicationDetail>(keys.detail(id), (detail) => ({ ...detail, row }));
    this.#reloadLater(key, detailDelayMs, [...keys.details, runtime, namespace, name]);
  }

  /** At most one reload per name is waiting, so that a storm of changes reloads at the pace of the delay. */
  #reloadLater(name: string, delayMs: number, queryKey: readonly string[]): void {
    if (this.#reloads.has(name)) return;
    const cancel = this.#clock.after(delayMs, () => {
      this.#reloads.delete(name);
      this.#reload({ queryKey });
    });
    this.#reloads.set(name, cancel);
  }
}
