// The feed of versions that the operator names: a file, or an https URL. Without one nobody is asked: the platform never
// calls home by itself. It is read when the platform starts and then regularly; one that cannot be read leaves what was
// read before, with the problem beside it. Bounds: 256 KiB, ten seconds, no redirects.
import { readFile } from 'node:fs/promises';
import { type Clock, errorMessage, everyInterval, type Logger, readAll, withDeadline } from '@fairlead/base';
import { checker, type FeedVersion, VersionFeed, type Versions } from '@fairlead/contracts';
import { VersionFeedError } from './errors.ts';

interface FeedDeps {
  /** Path or URL; undefined: no feed. */
  readonly place: string | undefined;
  readonly clock: Clock;
  readonly log: Logger;
  readonly fetch?: typeof fetch;
}

const maxBytes = 256 * 1024;
const answerWithinMs = 10_000;
const everyMs = { file: 60_000, url: 6 * 3_600_000, none: 0 } as const;
const checkFeed = checker(VersionFeed);

export class VersionFeedReader {
  readonly #deps: FeedDeps;
  readonly #source: Versions['feed']['source'];
  #state: Versions['feed'];
  #versions: readonly FeedVersion[] = [];

  /** Throws VersionFeedError for a place that is no https URL and no path. */
  constructor(deps: FeedDeps) {
    this.#deps = deps;
    this.#source = sourceOf(deps.place);
    this.#state = { source: this.#source };
  }

  get state(): Versions['feed'] {
    return this.#state;
  }

  get versions(): readonly FeedVersion[] {
    return this.#versions;
  }

  async run({ signal }: { readonly signal: AbortSignal }): Promise<void> {
    if (this.#source === 'none') return;
    await everyInterval(everyMs[this.#source], () => this.read({ signal }), { signal, clock: this.#deps.clock });
  }

  /** Never rejects: what went wrong is the state's `problem`. */
  async read({ signal }: { readonly signal: AbortSignal }): Promise<void> {
    const { place, clock, log } = this.#deps;
    if (place === undefined) return;
    try {
      const text = this.#source === 'file' ? await readText(place) : await this.#ask(place, signal);
      this.#versions = parseFeed(text);
      this.#state = { source: this.#source, readAt: new Date(clock.now()).toISOString() };
    } catch (error) {
      if (signal.aborted) return;
      const problem = errorMessage(error).slice(0, 500);
      log.warn({ problem }, 'the version feed cannot be read, will retry');
      this.#state = { ...this.#state, problem };
    }
  }

  async #ask(url: string, signal: AbortSignal): Promise<string> {
    const { fetch: ask = fetch } = this.#deps;
    const both = withDeadline(signal, answerWithinMs);
    const answer = await ask(url, { signal: both, redirect: 'error', headers: { accept: 'application/json' } });
    if (!answer.ok) throw new VersionFeedError(`the version feed answered ${answer.status}`);
    return (await readAll(answer.body, { maxBytes })).toString('utf8');
  }
}

function sourceOf(place: string | undefined): Versions['feed']['source'] {
  if (place === undefined || place === '') return 'none';
  if (!/^[a-z][a-z0-9+.-]*:\/\//i.test(place)) return 'file';
  if (!/^https:\/\//i.test(place)) throw new VersionFeedError('versionFeed must be an https URL or the path of a file');
  return 'url';
}

async function readText(path: string): Promise<string> {
  const bytes = await readFile(path);
  if (bytes.length > maxBytes) throw new VersionFeedError(`the version feed is larger than ${maxBytes} bytes`);
  return bytes.toString('utf8');
}

function parseFeed(text: string): readonly FeedVersion[] {
  let parsed: unknown;
  try {
    parsed = JSON.parse(text);
  } catch (cause) {
    throw new VersionFeedError('the version feed is not JSON', { cause });
  }
  const checked = checkFeed(parsed);
  if (checked.ok) return checked.value.versions;
  const [first] = checked.problems;
  throw new VersionFeedError(`the version feed is not understood: ${first?.field ?? ''} ${first?.reason ?? ''}`.trim());
}
