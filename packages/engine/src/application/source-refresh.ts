// When an application's source is loaded anew, and what the last load gave. One per application, in memory only: after
// a restart everything is loaded once.
import { type Clock, errorMessage, isAbortError, type Random, RetryableError } from '@fairlead/base';
import { type Application, refreshAnnotation } from '@fairlead/contracts';
import { equalJson } from '@fairlead/kube';
import type { LoadedSources, RenderContext, SourceLoader } from '@fairlead/render';
import type { PollTimes } from '../settings/index.ts';
import { isMultiSource, isOfSameSources, revisionsIn, sourcesOf } from './sources.ts';

/**
 * How much has to be done anew: compare with what is loaded, load the newest revision, the same knowing that there is a
 * new one, or load past every cache.
 */
export type RefreshLevel = 'compare' | 'load' | 'pushed' | 'hard';
const refreshLevels: readonly RefreshLevel[] = ['compare', 'load', 'pushed', 'hard'];

interface SourceRefreshDeps {
  readonly sources: SourceLoader;
  readonly clock: Clock;
  readonly random: Random;
  /** Asked whenever it counts: settings change. */
  readonly polls: () => PollTimes;
  readonly onLoad: () => void;
  readonly onFailure: (message: string) => void;
}

/** Applications that are polled within this time share what was read for the first of them. */
const pollShareMs = 30_000;
/** Timers may fire this much before their time. */
const earlyMs = 50;
const firstRetryMs = 5000;
/** Where nothing is polled. */
const lastRetryMs = 120_000;

export class SourceRefresh {
  readonly #deps: SourceRefreshDeps;
  #level: RefreshLevel = 'load';
  /** Monotonic time of the newest demand: nothing that was read before may answer it. */
  #asOfMs: number;
  /** Monotonic times of the last poll or load, and of the last load past every cache. */
  #polledMs = 0;
  #hardMs: number;
  /** This application's part of the jitter, from 0 to 1. */
  #share = 0;
  /** At first, and after a failure: when to load, whatever the polls. */
  #retryMs: number | undefined = 0;
  #failures = 0;
  #isLoading = false;
  #isOfPoll = false;
  #renderedWith: string | undefined;
  #current: LoadedSources | { readonly error: string } = { error: 'the source was not loaded yet' };

  constructor(deps: SourceRefreshDeps) {
    this.#deps = deps;
    this.#asOfMs = deps.clock.monotonic();
    this.#hardMs = this.#asOfMs;
  }

  get current(): LoadedSources | { readonly error: string } {
    return this.#current;
  }

  /** False while a load is due or under way: what it will bring may be older than what is known elsewhere. */
  get isSettled(): boolean {
    return this.#level === 'compare' && !this.#isLoading;
  }

  /** Nobody asked for the last load, and nobody was told of a push: its turn had come. */
  get isOfPoll(): boolean {
    return this.#isOfPoll;
  }

  /** Infinity: there is none. */
  get untilPollMs(): number {
    const { everyMs, jitterMs } = this.#deps.polls();
    const nextMs = this.#retryMs ?? this.#polledMs + everyMs + jitterMs * this.#share;
    return Math.max(0, Math.min(nextMs - this.#deps.clock.monotonic(), this.#untilHardMs));
  }

  get #untilHardMs(): number {
    const { hardEveryMs, jitterMs } = this.#deps.polls();
    return this.#hardMs + hardEveryMs + jitterMs * this.#share - this.#deps.clock.monotonic();
  }

  get isPollDue(): boolean {
    return this.untilPollMs <= earlyMs;
  }

  /** The next `loadIfDue` does at least this much, with what was read from the remote since `asOfMs`. */
  demand(level: RefreshLevel, asOfMs = this.#deps.clock.monotonic()): void {
    if (refreshLevels.indexOf(level) > refreshLevels.indexOf(this.#level)) this.#level = level;
    this.#asOfMs = Math.max(this.#asOfMs, asOfMs);
  }

  /**
   * When a poll is due and nothing else: `unmoved`, every source is where it was; `untouched`, they have moved, and nothing
   * that was read of them is another now. What cannot be said so cheaply, a repository that cannot be reached, for one, is
   * left to `loadIfDue`.
   */
  async poll(application: Application, signal: AbortSignal): Promise<'unmoved' | 'untouched' | 'unknown'> {
    const { sources } = this.#deps;
    const loaded = this.#current;
    if (
      !this.isSettled ||
      !this.isPollDue ||
      this.#untilHardMs <= earlyMs ||
      'error' in loaded ||
      !isBuiltIn(this.#renderedWith)
    )
      return 'unknown';
    const options = { signal, asOfMs: this.#sharedSinceMs() };
    const own = sourcesOf(application);
    try {
      if (await sources.isStillAt(own, loaded, options)) return 'unmoved';
      return (await sources.isUntouched(own, loaded, options)) ? 'untouched' : 'unknown';
    } catch {
      return 'unknown'; // and `loadIfDue` tells why
    }
  }

  /** The poll that was due is over, without a load. */
  endPoll(): void {
    this.#setNextPoll();
  }

  #sharedSinceMs(): number {
    const { clock, polls } = this.#deps;
    return clock.monotonic() - Math.min(pollShareMs, polls().everyMs / 4);
  }

  #setNextPoll(): void {
    const { clock, random } = this.#deps;
    this.#polledMs = clock.monotonic();
    this.#share = random();
    this.#retryMs = undefined;
  }

  async loadIfDue(application: Application, context: RenderContext, signal: AbortSignal): Promise<void> {
    const loading = { sources: sourcesOf(application), isMulti: isMultiSource(application), context };
    const asked = application.metadata.annotations?.[refreshAnnotation];
    const comparedTo = application.status?.sync?.comparedTo;
    const isMoved = comparedTo !== undefined && !isComparedTo(comparedTo, application);
    // A sync that somebody asks for goes to what the repository holds now, whether or not a push was told of.
    const isToSync = application.operation !== undefined && revisionsIn(application.operation.sync).length === 0;
    if (isToSync) this.demand('load');
    if (asked !== undefined || isMoved) this.demand(asked === 'hard' ? 'hard' : 'load');
    if (context.renderWith !== this.#renderedWith) this.demand('load');
    this.#renderedWith = context.renderWith;
    if (this.#untilHardMs <= earlyMs) this.demand('hard');
    const isDue = this.#level !== 'compare' || this.untilPollMs === 0;
    if (!isDue || loading.sources.length === 0) return;
    const { sources } = this.#deps;
    const level = this.#level;
    const asOfMs = level === 'compare' ? this.#sharedSinceMs() : this.#asOfMs;
    this.#level = 'compare';
    this.#isOfPoll = level === 'compare';
    this.#setNextPoll();
    if (level === 'hard') this.#hardMs = this.#polledMs;
    this.#deps.onLoad();
    this.#isLoading = true;
    try {
      const options = { signal, asOfMs, fresh: level === 'hard', fetchFirst: level === 'pushed' };
      this.#current = await sources.load(loading, options);
      this.#failures = 0;
    } catch (error) {
      if (signal.aborted && isAbortError(error)) throw error;
      this.#failed(error);
    } finally {
      this.#isLoading = false;
    }
  }

  /** What may pass by itself is tried again soon, with growing pauses; the rest waits for a push, a poll or a person. */
  #failed(error: unknown): void {
    const { clock, polls, onFailure } = this.#deps;
    const message = errorMessage(error);
    this.#current = { error: message };
    onFailure(message);
    if (!(error instanceof RetryableError)) return;
    const { everyMs } = polls();
    const longestMs = Number.isFinite(everyMs) ? everyMs : lastRetryMs;
    this.#retryMs = clock.monotonic() + Math.min(longestMs, firstRetryMs * 2 ** this.#failures++);
  }
}

/** Programs on PATH may be others by now. */
const isBuiltIn = (renderWith: string | undefined) => renderWith === undefined || renderWith === 'built-in';

function isComparedTo(comparedTo: { readonly destination?: unknown }, application: Application): boolean {
  return isOfSameSources(comparedTo, application) && equalJson(comparedTo.destination, application.spec.destination);
}
