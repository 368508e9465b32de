// What the engine counts, for its metrics: each is read from the part that counts it when somebody asks.
import type { GitMirrors } from '@fairlead/git';
import type { Renderer } from '@fairlead/render';
import type { ApplicationController, ApplicationStore } from '../application/index.ts';
import type { Clusters } from '../clusters/index.ts';
import type { EventRecorder } from '../events/index.ts';
import type { Leadership } from '../leadership/index.ts';
import type { LuaRunner } from '../lua/index.ts';

interface Parts {
  readonly mirrors: GitMirrors;
  readonly renderer: Renderer;
  readonly clusters: Clusters;
  readonly store: ApplicationStore;
  readonly controller: ApplicationController;
  readonly leadership: Leadership;
  readonly lua: LuaRunner;
  readonly events: EventRecorder;
}

export function numbersOf({ mirrors, renderer, clusters, store, controller, leadership, lua, events }: Parts) {
  const sum = (what: 'objects' | 'kinds') =>
    clusters.list().reduce((total, { cache }) => total + cache.counts[what], 0);
  const requests = () => {
    const counts = clusters.list().flatMap(({ client }) => Object.entries(client.requestCounts()));
    const total = (isWanted: (verb: string) => boolean) =>
      counts.reduce((sofar, [verb, number]) => sofar + (isWanted(verb) ? number : 0), 0);
    return { plain: total((verb) => verb !== 'watch'), watches: total((verb) => verb === 'watch') };
  };
  const count = (status: string) => clusters.list().filter(({ state }) => state.status === status).length;
  return {
    applications: { help: 'Applications known', value: () => store.list().length },
    application_writes_total: { help: 'writes of Applications', value: () => store.counts.writes },
    queue_depth: { help: 'applications waiting for a look', value: () => controller.stats.depth },
    ignored_updates_total: {
      help: 'changes of live objects that made nobody look',
      value: () => controller.stats.ignoredUpdates,
    },
    queue_oldest_seconds: { help: 'longest wait in the queue', value: () => controller.stats.oldestMs / 1000 },
    reconciles_total: { help: 'looks at applications', value: () => controller.stats.reconciles },
    resting_polls_total: {
      help: 'looks that were over when the repositories had no news',
      value: () => controller.stats.restingPolls,
    },
    echoes_total: {
      help: 'looks that were over because an application was as the last one left it',
      value: () => controller.stats.echoes,
    },
    revisions_put_off_total: {
      help: 'revisions without other news that a later poll will write',
      value: () => controller.stats.revisionsLater,
    },
    conflicts_total: { help: 'writes that somebody else was ahead of', value: () => controller.stats.conflicts },
    reconcile_retries_total: { help: 'looks that failed and were retried', value: () => controller.stats.retries },
    source_loads_total: { help: 'sources resolved and rendered', value: () => controller.stats.loads },
    source_failures_total: { help: 'sources that could not be loaded', value: () => controller.stats.failures },
    syncs_total: { help: 'sync operations ended', value: () => controller.stats.syncs },
    journal_dropped_total: {
      help: 'operations that went from a journal at its bound',
      value: () => controller.stats.journalDropped,
    },
    events_written_total: { help: 'Kubernetes Events written', value: () => events.counts.written },
    events_dropped_total: {
      help: 'Kubernetes Events that were not written: too many waited, or the API server refused',
      value: () => events.counts.dropped + events.counts.refused,
    },
    acting: { help: '1 while this engine is the one that acts', value: () => Number(leadership.isActing) },
    terms_total: { help: 'times this engine began to act', value: () => leadership.counts.terms },
    lease_requests_total: { help: 'requests for the lease', value: () => leadership.counts.requests },
    clusters: { help: 'clusters known', value: () => clusters.list().length },
    clusters_failed: { help: 'clusters that do not answer', value: () => count('Failed') },
    kube_requests_total: { help: 'requests to API servers, watches aside', value: () => requests().plain },
    kube_watches_total: { help: 'watches begun', value: () => requests().watches },
    live_objects: { help: 'objects in the caches', value: () => sum('objects') },
    live_kinds: { help: 'kinds watched in all clusters', value: () => sum('kinds') },
    render_cache_hits_total: { help: 'renders answered from the cache', value: () => renderer.counts.hits },
    render_cache_misses_total: { help: 'renders carried out', value: () => renderer.counts.misses },
    render_cache_bytes: { help: 'size of the render cache', value: () => renderer.counts.sizeBytes },
    git_fetches_total: { help: 'fetches from remotes', value: () => mirrors.counts.fetches },
    git_readers: { help: 'git processes that read objects', value: () => mirrors.counts.readers },
    git_disk_bytes: { help: 'size of the mirrors on disk', value: () => mirrors.counts.diskBytes },
    git_mirrors_removed_total: { help: 'mirrors removed at the bound', value: () => mirrors.counts.mirrorsRemoved },
    git_disk_overflows_total: {
      help: 'times mirrors in use were above the bound',
      value: () => mirrors.counts.diskOverflows,
    },
    lua_ended_total: { help: 'threads of scripts that were ended', value: () => lua.counts.ended },
    git_waiting: { help: 'calls that wait for their turn at a remote', value: () => mirrors.counts.waiting },
  };
}
