// Watches Applications and reports what changed. Level-triggered: a change only says "look at this one", and what is
// sent is the state found then. The queue holds at most 1,000 applications; when it is full nothing blocks and nothing is
// forgotten: a rescan of the local copy is owed and happens when there is room. An operation that another overtakes
// while its application waits is kept with its application and reported first. After a start and after any gap the
// reporter compares with the platform and sends what differs, deletions included. Changes on the heels of a look wait a
// moment, so that one look takes them all (`pace.ts`).
import { type Clock, contentHash, errorMessage, isAbortError, type Logger, type Random } from '@fairlead/base';
import {
  type ApplicationTree,
  asApplication,
  type DigestAnswer,
  defaultEngineNamespace,
  type ManagedResource,
  type ReportDigest,
} from '@fairlead/contracts';
import { type Informer, type KubeObject, type ReconcileResult, runWorkers, WorkQueue } from '@fairlead/kube';
import { type ApplicationName, type ArgoCdClient, EngineRefusedError } from '../argo-cd/index.ts';
import type { SourceClient } from '../source-server/index.ts';
import { Bringers } from './bringers.ts';
import { type BuiltReport, buildReport } from './build-report.ts';
import { CommitCache } from './commit-cache.ts';
import { LooksAgain } from './look-again.ts';
import type { ReporterMetrics } from './metrics.ts';
import type { Outbox } from './outbox.ts';
import { Pace } from './pace.ts';
import type { Redactor } from './redact.ts';
import { shardOf } from './shard.ts';

interface ReporterDeps {
  readonly informer: Pick<Informer, 'get' | 'list' | 'onChange' | 'synced'>;
  readonly engine: Pick<ArgoCdClient, 'managedResources' | 'resourceTree' | 'revisionMetadata'>;
  readonly sources?: Pick<SourceClient, 'ask'> | undefined;
  readonly outbox: Outbox;
  readonly redactor: Redactor;
  readonly exchangeDigest: (digest: ReportDigest, options: { readonly signal: AbortSignal }) => Promise<DigestAnswer>;
  readonly metrics: ReporterMetrics;
  readonly log: Logger;
  readonly clock: Clock;
  readonly random?: Random;
}

interface ReporterOptions {
  readonly name: string;
  readonly epoch: number;
  readonly shard: { readonly index: number; readonly count: number };
  /** Where applications are whose tracking names no namespace; default the engine's usual one. */
  readonly engineNamespace?: string | undefined;
}

const maxQueued = 1_000;
const workers = 8;
const digestEveryMs = 10 * 60_000;

/** Applications kept in memory because of an operation that is not reported yet; beyond it they are reported as they are,
 * without what the engine would say of their resources. */
const maxFinished = 1_000;

interface Known {
  readonly uid: string;
  readonly hash: string;
}

export class ApplicationReporter {
  readonly #deps: ReporterDeps;
  readonly #options: ReporterOptions;
  readonly #queue: WorkQueue;
  readonly #commits: CommitCache;
  readonly #bringers: Bringers;
  readonly #pace: Pace;
  /** What was reported last, or is believed to be known at the platform. */
  readonly #known = new Map<string, Known>();
  readonly #looksAgain = new LooksAgain(() => this.#known.size);
  /** The version of each application that was looked at last; only compared for equality. */
  readonly #looked = new Map<string, string | undefined>();
  /** Of the first list: built to be compared, not yet sent. */
  readonly #unverified = new Set<string>();
  /** The platform asked for these, whatever we believe. */
  readonly #owed = new Set<string>();
  /** As they were when an operation ended that has not been reported yet, by application. */
  readonly #finished = new Map<string, KubeObject[]>();
  #finishedCount = 0;
  #sequence = 0;
  #rescanOwed = false;
  #digestOwed = false;

  constructor(deps: ReporterDeps, options: ReporterOptions) {
    this.#deps = deps;
    this.#options = options;
    this.#commits = new CommitCache(deps.engine, deps.sources);
    this.#bringers = new Bringers(deps.informer, options.engineNamespace ?? defaultEngineNamespace);
    this.#pace = new Pace(deps.clock);
    this.#queue = new WorkQueue({
      clock: deps.clock,
      random: deps.random ?? Math.random,
      baseDelayMs: 200,
      maxDelayMs: 10_000,
    });
  }

  /** Something may have been missed: compare with the platform when there is time. */
  oweDigest(): void {
    this.#digestOwed = true;
    this.#queue.addAfter('', 1_000);
  }

  async run({ signal }: { signal: AbortSignal }): Promise<void> {
    const { informer, log } = this.#deps;
    await informer.synced({ signal });
    this.#bringers.begin();
    for (const object of informer.list()) if (this.#isMine(keyOf(object))) this.#unverified.add(keyOf(object));
    const stop = informer.onChange(({ type, object, old }) => {
      this.#unverified.delete(keyOf(object));
      if (old) this.#noteFinished(old, type === 'delete' ? undefined : object);
      this.#look(keyOf(object));
      for (const key of this.#bringers.note(object, old, type === 'delete')) this.#look(key);
    });
    log.info({ applications: this.#unverified.size, epoch: this.#options.epoch }, 'reporter starts');
    this.#digestOwed = true;
    this.#rescan();
    this.#queue.add('');
    const reconcile = (key: string) => (key === '' ? this.#settle(signal) : this.#report(key, signal));
    await runWorkers({ queue: this.#queue, concurrency: workers, reconcile, signal, log });
    stop();
  }

  #isMine(key: string): boolean {
    const { index, count } = this.#options.shard;
    return count === 1 || shardOf(key.slice(key.indexOf('/') + 1), count) === index;
  }

  /** The operation of `old` is over and no longer in the object: its result is in nobody's hands but ours. */
  #noteFinished(old: KubeObject, next: KubeObject | undefined): void {
    const key = keyOf(old);
    if (!this.#isMine(key)) return;
    const before = operationOf(old);
    if (!before?.finishedAt || before.startedAt === (next && operationOf(next))?.startedAt) return;
    if (this.#looked.get(key) === old.metadata.resourceVersion) return; // reported, or being reported, as it was
    this.#finishedCount++;
    this.#finished.set(key, [...(this.#finished.get(key) ?? []), old]);
    if (this.#finishedCount <= maxFinished) return;
    for (const object of this.#takeFinished(key)) {
      const application = asApplication(object);
      const repositories = this.#bringers.repositories(application);
      const known = { application, commit: undefined, tree: {}, managed: [], repositories };
      const built = buildReport(known, this.#deps.redactor);
      this.#sendOvertaken(key, built);
    }
  }

  #takeFinished(key: string): readonly KubeObject[] {
    const finished = this.#finished.get(key) ?? [];
    this.#finished.delete(key);
    this.#finishedCount -= finished.length;
    return finished;
  }

  #look(key: string): void {
    if (!this.#isMine(key)) return;
    const { metrics } = this.#deps;
    if (this.#queued() >= maxQueued) {
      if (!this.#rescanOwed) metrics.overflows.inc();
      this.#rescanOwed = true;
      this.#queue.addAfter('', 500);
      return;
    }
    const waitMs = this.#pace.hold(key);
    if (waitMs !== undefined) this.#queue.addAfter(key, waitMs);
    metrics.queueDepth.set(this.#queued());
  }

  #queued(): number {
    return this.#queue.stats().depth + this.#pace.held;
  }

  /** Adds what was not looked at in its present version, what is gone, and what is owed. */
  #rescan(): void {
    this.#rescanOwed = false;
    const { informer } = this.#deps;
    const changed = informer
      .list()
      .filter((object) => this.#looked.get(keyOf(object)) !== object.metadata.resourceVersion);
    const gone = [...this.#known.keys()].filter((key) => !informer.get(informerKey(key)));
    for (const key of new Set([...this.#owed, ...gone, ...changed.map(keyOf)])) {
      if (this.#rescanOwed) return; // full again; the rest comes with the next round
      this.#look(key);
    }
  }

  /** The key '' stands for what concerns no single application: owed rescans and comparisons. */
  async #settle(signal: AbortSignal): Promise<ReconcileResult> {
    if (this.#rescanOwed && this.#queued() < maxQueued / 2) this.#rescan();
    const isQuiet = this.#unverified.size === 0 && !this.#rescanOwed && this.#deps.outbox.size === 0;
    if (this.#digestOwed && isQuiet) await this.#compare(signal);
    const isOwing = this.#digestOwed || this.#rescanOwed;
    if (!isOwing) this.#digestOwed = true; // for the next regular round
    return { requeueAfterMs: isOwing ? 100 : digestEveryMs };
  }

  async #compare(signal: AbortSignal): Promise<void> {
    const { exchangeDigest, metrics, log } = this.#deps;
    const { name, epoch, shard } = this.#options;
    const objects = Object.fromEntries([...this.#known].map(([key, { hash }]) => [key, hash]));
    const answer = await exchangeDigest({ reporter: name, kind: 'application', epoch, shard, objects }, { signal });
    metrics.digests.inc();
    this.#digestOwed = false;
    const differing = [...answer.send, ...answer.unknown].filter((key) => this.#isMine(key));
    if (differing.length > 0) log.info({ count: differing.length }, 'the platform differs, reporting again');
    for (const key of differing) {
      this.#owed.add(key);
      this.#look(key);
    }
  }

  async #report(key: string, signal: AbortSignal): Promise<ReconcileResult> {
    const { informer, metrics, clock, outbox } = this.#deps;
    this.#pace.looked(key);
    for (const overtaken of this.#takeFinished(key)) await this.#reportOvertaken(key, overtaken, signal);
    const object = informer.get(informerKey(key));
    if (!object) {
      this.#reportDeletion(key);
      return undefined;
    }
    const before = this.#known.get(key);
    if (before && before.uid !== object.metadata.uid) this.#reportDeletion(key); // deleted and made anew since
    this.#looked.set(key, object.metadata.resourceVersion);
    const startedMs = clock.monotonic();
    const { built, isWhole } = await this.#build(object, signal);
    metrics.buildSeconds.observe((clock.monotonic() - startedMs) / 1000);
    const { report, hash, contents } = built;
    const isFirstLook = this.#unverified.delete(key);
    const isOwed = this.#owed.delete(key);
    const isChanged = this.#known.get(key)?.hash !== hash;
    this.#known.set(key, { uid: report.uid, hash });
    const isSettled = isWhole && report.health.status !== 'Progressing' && report.operation?.phase !== 'Running';
    const requeueAfterMs = this.#looksAgain.after(key, { isSettled, isChanged });
    if (isFirstLook && !isOwed) return { requeueAfterMs };
    if (isChanged || isOwed) {
      const stamp = this.#stamp(key, report.uid, hash);
      outbox.add({ object: { kind: 'application', application: report, ...stamp }, contents });
    } else metrics.unchanged.inc();
    metrics.pending.set(outbox.size);
    return { requeueAfterMs };
  }

  /** What the engine says of resources is as of now; the operation and its results are as they were. */
  async #reportOvertaken(key: string, object: KubeObject, signal: AbortSignal): Promise<void> {
    const { built } = await this.#build(object, signal);
    this.#sendOvertaken(key, built);
  }

  #sendOvertaken(key: string, { report, hash, contents }: BuiltReport): void {
    this.#known.set(key, { uid: report.uid, hash });
    const stamp = this.#stamp(key, report.uid, hash);
    this.#deps.outbox.add({ object: { kind: 'application', application: report, ...stamp }, contents });
  }

  #reportDeletion(key: string): void {
    const known = this.#known.get(key);
    const isOwed = this.#owed.delete(key);
    this.#unverified.delete(key);
    this.#looked.delete(key);
    this.#looksAgain.forget(key);
    this.#pace.forget(key);
    this.#known.delete(key);
    if (!known && !isOwed) return;
    const stamp = this.#stamp(key, known?.uid ?? '', contentHash(null));
    this.#deps.outbox.add({ object: { kind: 'application', deleted: true, ...stamp }, contents: new Map() });
  }

  #stamp(key: string, uid: string, hash: string) {
    const observedAt = new Date(this.#deps.clock.now()).toISOString();
    return { key, uid, hash, epoch: this.#options.epoch, sequence: ++this.#sequence, observedAt };
  }

  /** `isWhole` is false when the engine had no tree or manifests to give; the status is worth reporting without them. */
  async #build(object: KubeObject, signal: AbortSignal): Promise<{ built: BuiltReport; isWhole: boolean }> {
    const { engine, redactor } = this.#deps;
    const application = asApplication(object);
    const name = { namespace: application.metadata.namespace ?? '', name: application.metadata.name };
    const [commit, changeCommit, tree, managed] = await Promise.all([
      this.#commits.commitOf(application, { signal }),
      this.#commits.changeOf(application, { signal }),
      this.#orNothing(name, engine.resourceTree(name, { signal })),
      this.#orNothing(name, engine.managedResources(name, { signal })),
    ]);
    const noTree: ApplicationTree = {};
    const noResources: readonly ManagedResource[] = [];
    const found = { tree: tree ?? noTree, managed: managed ?? noResources };
    const repositories = this.#bringers.repositories(application);
    const built = buildReport({ application, commit, changeCommit, repositories, ...found }, redactor);
    return { built, isWhole: tree !== undefined && managed !== undefined };
  }

  async #orNothing<T>(name: ApplicationName, asked: Promise<T>): Promise<T | undefined> {
    try {
      return await asked;
    } catch (error) {
      if (!(error instanceof EngineRefusedError) || isAbortError(error)) throw error;
      this.#deps.log.debug({ ...name, error: errorMessage(error) }, 'the engine has no details of an application');
      return undefined;
    }
  }
}

/** Fields are read leniently: it is an object of that kind. */
const operationOf = (object: KubeObject) => asApplication(object).status?.operationState;
const keyOf = ({ metadata }: KubeObject) => `${metadata.namespace ?? ''}/${metadata.name}`;
const informerKey = (key: string) => `argoproj.io/Application/${key}`;
