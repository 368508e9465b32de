// The live feed: the list of changes, turned into messages for whoever listens.
// Promises: a subscriber sees every object in its newest state, in the order of the changes; one that comes back with
// the number it saw last misses nothing, or is told `reset`. States in between may be coalesced. A subscriber that
// does not take its messages is cut (it resumes by its number); it holds up nobody. Everybody gets what access rules let
// them see; who sees something else after a change of rules, teams or roles is told `reset`.
import { type Clock, Counter, errorMessage, Gauge, type Logger, type Registry, sleep } from '@fairlead/base';
import type { LiveMessage, Visibility } from '@fairlead/contracts';
import type { Access } from '../access/index.ts';
import {
  type Caller,
  changesAfter,
  findUser,
  newestChange,
  oldestChange,
  type Sight,
  type Store,
  type StoredChange,
  summariseApplications,
} from '../store/index.ts';
import { type NumberedMessage, RowReader } from './rows.ts';

interface LiveSink {
  /** False when the subscriber holds too much unread: it is then cut. */
  send(event: string): boolean;
  close(): void;
}

interface LiveHubOptions {
  readonly store: Store;
  readonly access: Access;
  readonly log: Logger;
  readonly registry: Registry;
}

interface Subscriber {
  readonly accountId: string;
  readonly userId: string;
  readonly sink: LiveSink;
  /** As they were when their view was made. */
  caller: Caller;
  view: View;
}

/** Subscribers with the same view get the same messages, which are made once. */
interface View {
  /** Equal for equal views. */
  readonly name: string;
  readonly accountId: string;
  /** Of applications. */
  readonly visibility: Visibility;
  readonly sight: Sight;
}

const batchSize = 1_000;
/** More changes than this behind, loading again is cheaper than catching up. */
const maxCatchUp = 2_000;
const summaryDelayMs = 100;
const retryDelayMs = 500;

export class LiveHub {
  readonly #store: Store;
  readonly #access: Access;
  readonly #clock: Clock;
  readonly #log: Logger;
  readonly #rows: RowReader;
  readonly #subscribers = new Set<Subscriber>();
  readonly #summaries = new Map<string, () => void>();
  readonly #cut: Counter;
  #position: number | undefined;
  /** Reading changes and joining happen one after the other, so that nobody joins in the middle of a batch. */
  #turn: Promise<unknown> = Promise.resolve();
  #wake: () => void = () => undefined;
  #woken: boolean = true;

  constructor({ store, access, log, registry }: LiveHubOptions) {
    this.#store = store;
    this.#access = access;
    this.#clock = store.clock;
    this.#log = log;
    this.#rows = new RowReader(store);
    this.#cut = new Counter({
      name: 'fairlead_live_cut_total',
      help: 'Subscribers that were cut because they did not read',
      registers: [registry],
    });
    new Gauge({
      name: 'fairlead_live_subscribers',
      help: 'Open live feeds',
      registers: [registry],
      collect: gaugeOf(() => this.#subscribers.size),
    });
  }

  /** Something may have changed. */
  wake(): void {
    this.#woken = true;
    this.#wake();
  }

  async run({ signal }: { signal: AbortSignal }): Promise<void> {
    signal.addEventListener('abort', () => this.#wake(), { once: true });
    while (!signal.aborted) {
      if (!this.#woken) {
        await new Promise<void>((resolve) => {
          this.#wake = resolve;
        });
        continue;
      }
      this.#woken = false;
      try {
        await this.#inTurn(() => this.#readOn());
      } catch (error) {
        this.#log.warn({ error: errorMessage(error) }, 'live feed cannot read changes, will retry');
        this.#woken = true;
        await sleep(retryDelayMs, { signal, clock: this.#clock }).catch(() => undefined); // the loop sees the abort
      }
    }
    for (const subscriber of this.#subscribers) subscriber.sink.close();
    for (const cancel of this.#summaries.values()) cancel();
  }

  /** Joins after `lastSeen`, or from now on; the returned function leaves. */
  async subscribe(
    { caller, lastSeen }: { caller: Caller; lastSeen: number | undefined },
    sink: LiveSink,
  ): Promise<() => void> {
    let leave: () => void = () => undefined;
    await this.#inTurn(async () => {
      const position = await this.#currentPosition();
      // Rights may have changed since the caller was read, in a turn before this one.
      const now = (await findUser(this.#store.db, caller.user.id)) ?? caller;
      const view = await this.#viewOf(now);
      const subscriber: Subscriber = { accountId: now.account.id, userId: now.user.id, sink, caller: now, view };
      for (const message of await this.#catchUp({ view, lastSeen, position })) this.#send(subscriber, message);
      this.#subscribers.add(subscriber);
      leave = () => void this.#subscribers.delete(subscriber);
    });
    return () => leave();
  }

  /** Where rights follow Git: what was seen so far may not be any more, or more may. Also asks for what is due. */
  lookAtGitRights(userId?: string): Promise<void> {
    return this.#inTurn(async () => {
      const follows = [...this.#subscribers].filter(({ view }) => view.visibility.manifests !== undefined);
      const concerned = follows.filter((one) => userId === undefined || one.userId === userId);
      if (concerned.length === 0) return;
      const id = await this.#currentPosition();
      for (const subscriber of concerned) this.#show(subscriber, await this.#viewOf(subscriber.caller), id);
    });
  }

  #inTurn<T>(work: () => Promise<T>): Promise<T> {
    const result = this.#turn.then(work);
    this.#turn = result.catch(() => undefined); // the caller has the failure; the next one still gets its turn
    return result;
  }

  async #currentPosition(): Promise<number> {
    this.#position ??= await newestChange(this.#store);
    return this.#position;
  }

  async #viewOf(caller: Caller): Promise<View> {
    const { id: accountId } = caller.account;
    const sight = await this.#access.sight(caller);
    return { name: `${accountId} ${JSON.stringify(sight)}`, accountId, visibility: sight.application, sight };
  }

  async #catchUp(from: { view: View; lastSeen: number | undefined; position: number }) {
    const { view, lastSeen, position } = from;
    const { accountId } = view;
    const at = new Date(this.#clock.now()).toISOString();
    const upToDate: NumberedMessage = { id: position, message: { type: 'ping', at } };
    if (lastSeen === undefined) return [upToDate];
    const reset: NumberedMessage = { id: position, message: { type: 'reset' } };
    // What Git rights let the subscriber see meanwhile, nobody wrote down.
    if (view.visibility.manifests !== undefined) return [reset];
    const oldest = await oldestChange(this.#store.db);
    if (lastSeen > position || lastSeen < oldest - 1) return [reset];
    const missed = await changesAfter(this.#store.db, { after: lastSeen, limit: maxCatchUp + 1, accountId });
    // Nobody knows any more what the subscriber saw before the rules changed.
    if (missed.length > maxCatchUp || missed.some(({ kind }) => kind === 'access')) return [reset];
    const due = missed.filter(({ id }) => id <= position);
    return [...(await this.#rows.messages(due, view.sight)), upToDate];
  }

  async #readOn(): Promise<void> {
    let changes: StoredChange[];
    do {
      changes = await changesAfter(this.#store.db, { after: await this.#currentPosition(), limit: batchSize });
      await this.#deliver(changes);
      this.#position = changes.at(-1)?.id ?? this.#position;
    } while (changes.length === batchSize);
  }

  async #deliver(changes: readonly StoredChange[]): Promise<void> {
    const accounts = new Set([...this.#subscribers].map(({ accountId }) => accountId));
    for (const accountId of accounts) {
      const own = changes.filter((change) => change.accountId === accountId);
      if (own.length === 0) continue;
      const access = own.findLast(({ kind }) => kind === 'access');
      if (access) await this.#lookAgain(accountId, access.id);
      for (const [view, subscribers] of this.#byView(accountId)) {
        const messages = await this.#rows.messages(own, view.sight);
        for (const subscriber of subscribers) for (const message of messages) this.#send(subscriber, message);
      }
      this.#summariseSoon(accountId);
    }
  }

  #byView(accountId: string): Map<View, Subscriber[]> {
    const views = new Map<string, View>();
    const groups = new Map<View, Subscriber[]>();
    for (const subscriber of this.#subscribers) {
      if (subscriber.accountId !== accountId) continue;
      const view = views.get(subscriber.view.name) ?? subscriber.view;
      views.set(view.name, view);
      groups.set(view, [...(groups.get(view) ?? []), subscriber]);
    }
    return groups;
  }

  /** Rules, teams or roles changed. */
  async #lookAgain(accountId: string, id: number): Promise<void> {
    const callers = new Map<string, Caller | undefined>();
    for (const subscriber of [...this.#subscribers].filter((one) => one.accountId === accountId)) {
      const { userId } = subscriber;
      if (!callers.has(userId)) callers.set(userId, await findUser(this.#store.db, userId));
      const caller = callers.get(userId);
      if (!caller) {
        this.#subscribers.delete(subscriber);
        subscriber.sink.close();
        continue;
      }
      subscriber.caller = caller;
      this.#show(subscriber, await this.#viewOf(caller), id);
    }
  }

  /** From now on the subscriber is told of what this view shows. */
  #show(subscriber: Subscriber, view: View, id: number): void {
    if (view.name === subscriber.view.name) return;
    subscriber.view = view;
    this.#send(subscriber, { id, message: { type: 'reset' } });
  }

  #summariseSoon(accountId: string): void {
    if (this.#summaries.has(accountId)) return;
    const cancel = this.#clock.after(summaryDelayMs, () => {
      this.#summaries.delete(accountId);
      void this.#summarise(accountId);
    });
    this.#summaries.set(accountId, cancel);
  }

  async #summarise(accountId: string): Promise<void> {
    try {
      for (const [view, subscribers] of this.#byView(accountId)) {
        const summary = await summariseApplications(this.#store.db, view);
        // Whoever looks at something else by now gets a summary of that soon.
        const same = subscribers.filter((subscriber) => subscriber.view.name === view.name);
        for (const subscriber of same) this.#send(subscriber, { message: { type: 'summary', summary } });
      }
    } catch (error) {
      // The next change brings the next summary.
      this.#log.warn({ error: errorMessage(error) }, 'live summary failed');
    }
  }

  #send(subscriber: Subscriber, { id, message }: NumberedMessage): void {
    if (subscriber.sink.send(formatEvent(message, id))) return;
    if (this.#subscribers.delete(subscriber)) this.#cut.inc();
    subscriber.sink.close();
  }
}

function formatEvent(message: LiveMessage, id: number | undefined): string {
  return `${id === undefined ? '' : `id: ${id}\n`}data: ${JSON.stringify(message)}\n\n`;
}

function gaugeOf(read: () => number) {
  return function collect(this: Gauge) {
    this.set(read());
  };
}
