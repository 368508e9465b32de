// Changes → messages: several changes of one object become one message with its newest row and its last number.
import { isSeen, isUnrestricted, type LiveMessage, namedObject, type Visibility } from '@fairlead/contracts';
import { withinSight } from '../access/index.ts';
import {
  applicationRows,
  clusterRows,
  gitSourceRows,
  runtimeById,
  runtimeRow,
  type Sight,
  type Store,
  type StoredChange,
  seesEverything,
} from '../store/index.ts';

export interface NumberedMessage {
  /** What a client resumes after; messages that no change stands behind have none. */
  readonly id?: number;
  readonly message: LiveMessage;
}

export class RowReader {
  readonly #store: Store;
  /** Names by id; there are few runtimes, and a name never changes. */
  readonly #runtimeNames = new Map<string, string>();

  constructor(store: Store) {
    this.#store = store;
  }

  /** What somebody with this view learns of the changes: nothing of what they neither see nor saw. */
  async messages(changes: readonly StoredChange[], sight: Sight): Promise<NumberedMessage[]> {
    const visibility = sight.application;
    const newest = coalesce(changes);
    const rows = await applicationRows(
      this.#store.db,
      newest.filter(({ kind }) => kind === 'application'),
      visibility,
    );
    const saw = isUnrestricted(visibility) ? undefined : await this.#seenBefore(changes, visibility);
    const messages: NumberedMessage[] = [];
    for (const change of newest) {
      if (change.kind === 'access') continue; // the hub tells those whom it concerns
      if (change.kind === 'notification') messages.push({ id: change.id, message: { type: 'notifications' } });
      else if (change.kind === 'runtime') messages.push(...(await this.#runtimeMessages(change, sight)));
      else if (change.kind !== 'application') messages.push(...(await this.#entityMessages(change, sight)));
      else {
        const row = rows.get(`${change.runtimeId}/${change.key}`);
        const message: LiveMessage | undefined = row
          ? { type: 'application', row }
          : saw === undefined || saw.has(idOf(change))
            ? await this.#deletion(change)
            : undefined;
        if (message) messages.push({ id: change.id, message });
      }
    }
    return messages;
  }

  /** Applications that were visible before one of the changes. */
  async #seenBefore(changes: readonly StoredChange[], visibility: Visibility): Promise<Set<string>> {
    const seen = new Set<string>();
    for (const change of changes) {
      if (!change.before) continue;
      const runtime = (await this.#nameOf(change.runtimeId)) ?? '';
      const name = change.key.slice(change.key.indexOf('/') + 1);
      if (isSeen(visibility, { ...change.before, runtime, name })) seen.add(idOf(change));
    }
    return seen;
  }

  async #deletion({ runtimeId, key }: StoredChange): Promise<LiveMessage | undefined> {
    const runtime = await this.#nameOf(runtimeId);
    if (runtime === undefined) return undefined; // `runtime-deleted` says it all
    return { type: 'application-deleted', id: applicationId(runtime, key) };
  }

  async #runtimeMessages({ id, accountId, key }: StoredChange, sight: Sight): Promise<NumberedMessage[]> {
    const counted = { ...seesEverything, application: sight.application };
    const row = await runtimeRow(this.#store.db, { accountId, sight: counted, name: key });
    const isShown = isSeen(sight.runtime, namedObject({ entity: 'runtime', runtime: key, name: key }));
    if (row) return isShown ? [{ id, message: { type: 'runtime', row: withinSight(row, sight) } }] : [];
    // Its applications went with it, all at once.
    const reset: NumberedMessage = { id, message: { type: 'reset' } };
    return isShown ? [{ id, message: { type: 'runtime-deleted', name: key } }, reset] : [reset];
  }

  async #entityMessages(change: StoredChange, sight: Sight): Promise<NumberedMessage[]> {
    const { id, accountId, runtimeId, key } = change;
    const query = { accountId, sight, object: { runtimeId, key } };
    if (change.kind === 'cluster') {
      const [row] = await clusterRows(this.#store.db, query);
      if (row) return [{ id, message: { type: 'cluster', row } }];
    } else {
      const [row] = await gitSourceRows(this.#store.db, query);
      if (row) return [{ id, message: { type: 'git-source', row } }];
    }
    const runtime = await this.#nameOf(runtimeId);
    if (runtime === undefined) return []; // `runtime-deleted` says it all
    if (change.kind === 'cluster') {
      if (isUnrestricted(sight.cluster) && isUnrestricted(sight.runtime))
        return [{ id, message: { type: 'cluster-deleted', runtime, server: key } }];
      const hidden = await clusterRows(this.#store.db, { ...query, sight: seesEverything });
      // Rules name a cluster, its key is its address: nobody knows any more whether this one was seen.
      return hidden.length > 0 ? [] : [{ id, message: { type: 'reset' } }];
    }
    if (sight.gitSource.manifests !== undefined) {
      const hidden = await gitSourceRows(this.#store.db, { ...query, sight: seesEverything });
      // Where it looked is not known any more, and so not whether it was seen.
      return hidden.length > 0 ? [] : [{ id, message: { type: 'reset' } }];
    }
    const { name } = applicationId(runtime, key);
    const isShown =
      isSeen(sight.runtime, namedObject({ entity: 'runtime', runtime, name: runtime })) &&
      isSeen(sight.gitSource, namedObject({ entity: 'gitSource', runtime, name }));
    if (!isShown) return [];
    return [{ id, message: { type: 'git-source-deleted', id: applicationId(runtime, key) } }];
  }

  async #nameOf(runtimeId: string): Promise<string | undefined> {
    const known = this.#runtimeNames.get(runtimeId);
    if (known !== undefined) return known;
    const runtime = await runtimeById(this.#store.db, runtimeId);
    if (runtime) this.#runtimeNames.set(runtimeId, runtime.name);
    return runtime?.name;
  }
}

function applicationId(runtime: string, key: string) {
  const slash = key.indexOf('/');
  return { runtime, namespace: key.slice(0, slash), name: key.slice(slash + 1) };
}

const idOf = ({ kind, runtimeId, key }: StoredChange) => `${kind} ${runtimeId} ${key}`;

/** The last change of each object, in the order of their numbers. */
function coalesce(changes: readonly StoredChange[]): StoredChange[] {
  const newest = new Map<string, StoredChange>();
  for (const change of changes) {
    const id = idOf(change);
    newest.delete(id); // so that the map keeps the order of the last change, not of the first
    newest.set(id, change);
  }
  return [...newest.values()];
}
