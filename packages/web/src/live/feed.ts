// The live feed: one EventSource for the whole page.
//
// Promises: messages arrive in order, each once per connection; after any gap that the server cannot fill `onGap` is
// called, and whoever listens loads again. The browser's own reconnect resumes by Last-Event-ID and is no gap; a
// connection opened anew is one. Silence of more than `silenceMs` counts as lost, since a half-open line says nothing; so
// does a line that does not open in that time.
import { type LiveMessage, livePingSeconds } from '@fairlead/contracts';
import type { PageClock } from './page-clock.ts';

export type FeedPhase = 'connecting' | 'live' | 'lost' | 'paused';

export interface FeedState {
  readonly phase: FeedPhase;
  /** Page time (ms) of the last sign of life. */
  readonly lastHeardMs: number | undefined;
}

/** The part of EventSource the feed uses. */
export interface FeedSource {
  readonly readyState: number;
  onopen: (() => void) | null;
  onmessage: ((event: { readonly data: string }) => void) | null;
  onerror: (() => void) | null;
  close(): void;
}

export interface FeedDeps {
  open(): FeedSource;
  readonly clock: PageClock;
  /** Between 0 and 1; spreads the reconnects of many browsers after a restart of the server. */
  random(): number;
  onMessage(message: LiveMessage): void;
  onGap(): void;
  /** The server answered with something else than a stream; perhaps the session ended. */
  onRefused(): void;
}

const closed = 2;
const silenceMs = livePingSeconds * 2500;
const maxBackoffMs = 15_000;

export class LiveFeed {
  readonly #deps: FeedDeps;
  readonly #listeners = new Set<() => void>();
  #state: FeedState = { phase: 'connecting', lastHeardMs: undefined };
  #source: FeedSource | undefined;
  #cancelTimer: () => void = () => undefined;
  #attempt = 0;
  #isNew = true;
  #startedMs = 0;

  constructor(deps: FeedDeps) {
    this.#deps = deps;
  }

  readonly state = (): FeedState => this.#state;

  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  };

  /** Opens the line; a running one is replaced. */
  start(): void {
    this.#drop();
    this.#isNew = true;
    this.#startedMs = this.#deps.clock.now();
    if (this.#state.phase !== 'lost') this.#enter('connecting');
    const source = this.#deps.open();
    this.#source = source;
    source.onopen = () => this.#opened();
    source.onmessage = ({ data }) => this.#received(data);
    source.onerror = () => this.#failed(source);
    this.#watch();
  }

  /** Ends the line until `start`, e.g. when the page is hidden for long or the user signs out. */
  pause(): void {
    this.#drop();
    this.#enter('paused');
  }

  isSilent(): boolean {
    const { lastHeardMs } = this.#state;
    return lastHeardMs === undefined || this.#deps.clock.now() - lastHeardMs > silenceMs;
  }

  #opened(): void {
    this.#attempt = 0;
    this.#heard();
    if (!this.#isNew) return;
    this.#isNew = false;
    this.#deps.onGap();
  }

  #received(text: string): void {
    this.#heard();
    const message = parse(text);
    // What cannot be read was a change all the same: loading again is the only way not to miss it.
    if (!message || message.type === 'reset') this.#deps.onGap();
    else this.#deps.onMessage(message);
  }

  #failed(source: FeedSource): void {
    if (source !== this.#source) return;
    this.#enter('lost');
    if (source.readyState !== closed) return; // the browser tries again by itself and resumes
    this.#deps.onRefused();
    this.#drop();
    const delayMs = Math.min(maxBackoffMs, 1000 * 2 ** this.#attempt++) * (0.5 + this.#deps.random() / 2);
    this.#cancelTimer = this.#deps.clock.after(delayMs, () => this.start());
  }

  /** Looks once per ping interval whether the line still speaks. */
  #watch(): void {
    this.#cancelTimer = this.#deps.clock.after(livePingSeconds * 1000, () => {
      const isYoung = this.#deps.clock.now() - this.#startedMs <= silenceMs;
      if (!isYoung && this.isSilent()) {
        this.#enter('lost');
        this.start();
      } else this.#watch();
    });
  }

  #drop(): void {
    this.#cancelTimer();
    const source = this.#source;
    this.#source = undefined;
    if (!source) return;
    source.onopen = source.onmessage = source.onerror = null;
    source.close();
  }

  #heard(): void {
    this.#state = { phase: 'live', lastHeardMs: this.#deps.clock.now() };
    this.#notify();
  }

  #enter(phase: FeedPhase): void {
    if (this.#state.phase === phase) return;
    this.#state = { ...this.#state, phase };
    this.#notify();
  }

  #notify(): void {
    for (const listener of this.#listeners) listener();
  }
}

function parse(text: string): LiveMessage | undefined {
  try {
    const value: unknown = JSON.parse(text);
    // The server is held to the contract; only the discriminant is looked at, since schemas compile with eval.
    return typeof value === 'object' && value !== null && 'type' in value ? (value as LiveMessage) : undefined;
  } catch {
    return undefined; // the caller loads again
  }
}
