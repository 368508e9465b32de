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
import { finishedOperation, Overtaken } from './overtaken.ts';
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
const maxOvertaken = 1_000;

interface Known {
  readonly uid: string;
  readonly hash: string;
  /** The operation that was over then. */
  readonly operation: string | undefined;
  /** False: built to be compared, and the platform may not have it. */
  readonly isTold: boolean;
}

/** What the engine says of an application's resources, as of now. */
interface Details {
  readonly tree: ApplicationTree;
  readonly managed: readonly ManagedResource[];
  /** False when it had no tree or manifests to give; the status is worth reporting without them. */
  readonly isWhole: boolean;
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
  /** The version of each application that was built last; only compared for equality. */
  readonly #looked = new Map<string, string | undefined>();
  /** Of the first list: built to be compared, not yet sent. */
  readonly #unverified = new Set<string>();
  /** The platform asked for these, whatever we believe. */
  readonly #owed = new Set<string>();
  readonly #overtaken = new Overtaken();
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
      if (old) this.#noteOvertaken(old, type === 'delete' ? undefined : object);
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

  /** The operation of `old` may be over and no longer in the object. */
  #noteOvertaken(old: KubeObject, next: KubeObject | undefined): void {
    const key = keyOf(old);
    if (!this.#isMine(key)) return;
    const operation = finishedOperation(old);
    if (operation === undefined || operation === (next && asApplication(next).status?.operationState?.startedAt))
      return;
    const known = this.#known.get(key);
    if (known?.isTold && known.operation === operation) return;
    this.#overtaken.add(key, old);
    if (this.#overtaken.count <= maxOvertaken) return;
    for (const object of this.#overtaken.of(key)) {
      const application = asApplication(object);
      const repositories = this.#bringers.repositories(application);
      const input = { application, commit: undefined, tree: {}, managed: [], repositories };
      this.#send(key, object, buildReport(input, this.#deps.redactor));
    }
  }

  #look(key: string): void {
    if (!this.#isMine(key) || this.#pace.isHeld(key)) return;
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

  /** Adds what was not reported in its present version, what is gone, and what is owed. */
  #rescan(): void {
    this.#rescanOwed = false;
    const { informer } = this.#deps;
    const changed = informer
      .list()
      .filter((object) => this.#looked.get(keyOf(object)) !== object.metadata.resourceVersion);
    const gone = [...this.#known.keys()].filter((key) => !informer.get(informerKey(key)));
    for (const key of new Set([...this.#owed, ...gone, ...this.#overtaken.keys(), ...changed.map(keyOf)])) {
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
    const compared = new Map(this.#known);
    const objects = Object.fromEntries([...compared].map(([key, { hash }]) => [key, hash]));
    const answer = await exchangeDigest({ reporter: name, kind: 'application', epoch, shard, objects }, { signal });
    metrics.digests.inc();
    this.#digestOwed = false;
    const differing = [...answer.send, ...answer.unknown].filter((key) => this.#isMine(key));
    if (differing.length > 0) log.info({ count: differing.length }, 'the platform differs, reporting again');
    for (const key of differing) {
      compared.delete(key);
      this.#owed.add(key);
      this.#look(key);
    }
    for (const [key, known] of compared) {
      if (this.#known.get(key) === known) this.#known.set(key, { ...known, isTold: true });
    }
  }

  async #report(key: string, signal: AbortSignal): Promise<ReconcileResult> {
    const { informer, metrics, clock } = this.#deps;
    this.#pace.looked(key);
    while (this.#overtaken.of(key).length > 0) await this.#reportOvertaken(key, signal);
    const object = informer.get(informerKey(key));
    if (!object) {
      this.#reportDeletion(key);
      return undefined;
    }
    const before = this.#known.get(key);
    if (before && before.uid !== object.metadata.uid) this.#reportDeletion(key); // deleted and made anew since
    const startedMs = clock.monotonic();
    const asked = this.#details(object, signal);
    const built = await this.#build(object, asked, signal);
    metrics.buildSeconds.observe((clock.monotonic() - startedMs) / 1000);
    return this.#settled(object, built, await asked);
  }

  /** Sends what was built where the platform does not have it, and says when to look again. */
  #settled(object: KubeObject, built: BuiltReport, { isWhole }: Details): ReconcileResult {
    const { metrics, outbox } = this.#deps;
    const { report, hash } = built;
    const key = keyOf(object);
    this.#looked.set(key, object.metadata.resourceVersion);
    const isFirstLook = this.#unverified.delete(key);
    const isOwed = this.#owed.delete(key);
    const before = this.#known.get(key);
    const isChanged = before?.hash !== hash;
    const isSettled = isWhole && report.health.status !== 'Progressing' && report.operation?.phase !== 'Running';
    const requeueAfterMs = this.#looksAgain.after(key, { isSettled, isChanged });
    if (isFirstLook && !isOwed) {
      this.#known.set(key, { uid: report.uid, hash, operation: finishedOperation(object), isTold: false });
      return { requeueAfterMs };
    }
    if (isChanged || isOwed) this.#send(key, object, built);
    else metrics.unchanged.inc();
    metrics.pending.set(outbox.size);
    return { requeueAfterMs };
  }

  /** What the engine says of resources is as of now; the operations and their results are as they were. */
  async #reportOvertaken(key: string, signal: AbortSignal): Promise<void> {
    const objects = this.#overtaken.of(key);
    const [first] = objects;
    if (!first) return;
    const details = await this.#details(first, signal);
    for (const object of objects) this.#send(key, object, await this.#build(object, details, signal));
  }

  #send(key: string, object: KubeObject, { report, hash, contents }: BuiltReport): void {
    const operation = finishedOperation(object);
    this.#known.set(key, { uid: report.uid, hash, operation, isTold: true });
    this.#overtaken.told(key, operation);
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

  async #details(object: KubeObject, signal: AbortSignal): Promise<Details> {
    const { engine } = this.#deps;
    const { namespace = '', name } = object.metadata;
    const [tree, managed] = await Promise.all([
      this.#orNothing({ namespace, name }, engine.resourceTree({ namespace, name }, { signal })),
      this.#orNothing({ namespace, name }, engine.managedResources({ namespace, name }, { signal })),
    ]);
    return { tree: tree ?? {}, managed: managed ?? [], isWhole: tree !== undefined && managed !== undefined };
  }

  async #build(object: KubeObject, details: Details | Promise<Details>, signal: AbortSignal): Promise<BuiltReport> {
    const application = asApplication(object);
    const [{ tree, managed }, commit, changeCommit] = await Promise.all([
      details,
      this.#commits.commitOf(application, { signal }),
      this.#commits.changeOf(application, { signal }),
    ]);
    const repositories = this.#bringers.repositories(application);
    return buildReport({ application, commit, changeCommit, repositories, tree, managed }, this.#deps.redactor);
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

const keyOf = ({ metadata }: KubeObject) => `${metadata.namespace ?? ''}/${metadata.name}`;
const informerKey = (key: string) => `argoproj.io/Application/${key}`;
