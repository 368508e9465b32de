// Carries live messages into the query cache. Messages are collected for a tenth of a second, so that a burst costs one
// rendering. Bound: `maxPending` applications per batch; at the bound the batch is given up and everything on screen is
// loaded again, which costs less.
import type {
  ApplicationDetail,
  ApplicationRow,
  ApplicationSummary,
  LiveMessage,
  RuntimeRow,
} from '@fairlead/contracts';
import type { QueryClient } from '@tanstack/react-query';
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

export class CachePatcher {
  readonly #client: QueryClient;
  readonly #clock: PageClock;
  #pending = new Map<string, ApplicationRow | null>();
  #cancelFlush: (() => void) | undefined;
  #reloads = new Map<string, () => void>();

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
        this.#client.setQueryData<ApplicationSummary>(keys.summary, message.summary);
        return;
      case 'runtime':
        this.#client.setQueryData<RuntimeRow[]>(keys.runtimes, (rows) => rows && patchRuntimes(rows, message.row));
        return;
      case 'runtime-deleted':
        this.#client.setQueryData<RuntimeRow[]>(keys.runtimes, (rows) =>
          rows?.filter(({ name }) => name !== message.name),
        );
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

  /** Loads again what is on screen, and marks the rest as old. Requests under way are not started twice. */
  reloadAll(): void {
    this.#pending.clear();
    void this.#client.invalidateQueries(
      { predicate: ({ queryKey }) => !notOfTheFeed.includes(String(queryKey[0])) },
      { cancelRefetch: false },
    );
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
    let needsReload = false;
    let pages = 1;
    this.#client.setQueriesData<ListData>({ queryKey: keys.lists }, (list) => {
      if (!list) return list;
      const patched = patchList(list, changes);
      needsReload ||= patched.needsReload;
      pages = Math.max(pages, list.pages.length);
      return patched.list;
    });
    // Each loaded page is a request: the longer the list, the rarer.
    if (needsReload) this.#reloadLater('lists', listDelayMs * pages, keys.lists);
    this.#reloadLater('deployments', deploymentsDelayMs, ['deployments']);
    this.#reloadLater('facets', facetsDelayMs, keys.anyFacets);
    for (const [key, row] of changes) this.#patchDetail(key, row);
  }

  #patchDetail(key: string, row: ApplicationRow | null): void {
    const [runtime = '', namespace = '', name = ''] = key.split('/');
    const id = { runtime, namespace, name };
    // Also one that was not there when it was asked for: somebody waits for it.
    if (!this.#client.getQueryState(keys.detail(id))) return;
    if (row) this.#client.setQueryData<ApplicationDetail>(keys.detail(id), (detail) => detail && { ...detail, row });
    this.#reloadLater(key, detailDelayMs, [...keys.details, runtime, namespace, name]);
  }

  /** At most one reload per name is waiting, so that a storm of changes reloads at the pace of the delay. */
  #reloadLater(name: string, delayMs: number, queryKey: readonly string[]): void {
    if (this.#reloads.has(name)) return;
    const cancel = this.#clock.after(delayMs, () => {
      this.#reloads.delete(name);
      void this.#client.invalidateQueries({ queryKey }, { cancelRefetch: false });
    });
    this.#reloads.set(name, cancel);
  }
}
