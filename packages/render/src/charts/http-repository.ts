// A chart repository over http(s): an index.yaml and archives. The index is asked for again when it is older than a
// minute, by etag; archives are verified against the digest the index gives.
import { BoundedCache, type Clock } from '@fairlead/base';
import type { ChartReference, ChartRepository } from './chart-source.ts';
import { ChartError } from './errors.ts';
import { basicAuthorization, type Get, refusal, shown } from './http-get.ts';
import { pickVersion } from './pick-version.ts';
import { type IndexEntry, indexEntries } from './repository-index.ts';

interface CachedIndex {
  readonly text: string;
  readonly etag: string | undefined;
  readonly askedMs: number;
}

export interface Asking {
  readonly known: ChartRepository | undefined;
  readonly signal?: AbortSignal | undefined;
  readonly fresh?: boolean | undefined;
}

export interface FoundArchive {
  readonly version: string;
  readonly url: string;
  readonly digest: string;
}

const maxIndexBytes = 64 * 1024 * 1024;
const indexTtlMs = 60_000;

export class HttpRepositories {
  readonly #clock: Clock;
  readonly #get: Get;
  readonly #indexes = new BoundedCache<string, CachedIndex>(2 * maxIndexBytes);

  constructor(clock: Clock, get: Get) {
    this.#clock = clock;
    this.#get = get;
  }

  async find({ name, version, repository }: ChartReference, asking: Asking): Promise<FoundArchive> {
    const base = repository.endsWith('/') ? repository : `${repository}/`;
    const where = `${shown(base)}index.yaml`;
    const entries = indexEntries(await this.#index(base, asking), name, where);
    if (!entries) throw new ChartError('chart_not_found', `chart ${name}: ${where} does not have it`);
    const versions = entries.map((entry) => entry.version);
    const picked = pickVersion(versions, version);
    const entry = entries.find((one) => one.version === picked);
    if (!entry) throw noSuchVersion({ name, version }, where, versions);
    return { version: entry.version, url: archiveUrl(entry, base, `${name} ${entry.version}`), digest: entry.digest };
  }

  async #index(base: string, { known, signal, fresh }: Asking): Promise<string> {
    const key = JSON.stringify([base, basicAuthorization(known)]);
    const cached = this.#indexes.get(key);
    const askedMs = this.#clock.monotonic();
    if (cached && !fresh && askedMs - cached.askedMs < indexTtlMs) return cached.text;
    const url = new URL('index.yaml', base).href;
    const answer = await this.#get({
      url,
      headers: cached?.etag === undefined ? {} : { 'if-none-match': cached.etag },
      authorization: authorizationFor(url, known),
      repository: known,
      maxBytes: maxIndexBytes,
      signal,
    });
    if (answer.status !== 200 && !(answer.status === 304 && cached)) throw refusal(url, answer, 'index of charts');
    const text = answer.status === 304 && cached ? cached.text : answer.body.toString('utf8');
    const { etag = cached?.etag } = answer.headers;
    this.#indexes.set(key, { text, etag, askedMs }, text.length * 2 + 1000);
    return text;
  }
}

export function noSuchVersion(
  { name, version }: Pick<ChartReference, 'name' | 'version'>,
  where: string,
  available: readonly string[],
): ChartError {
  const some = available.slice(0, 5).join(', ');
  return new ChartError(
    'chart_not_found',
    `chart ${name}: no version matches ${JSON.stringify(version || '*')} in ${where}; it has ${some || 'none'}${available.length > 5 ? ', …' : ''}`,
  );
}

/** Only to the origin the Secret is for. */
export function authorizationFor(url: string, known: ChartRepository | undefined): string | undefined {
  if (!known || !URL.canParse(known.url)) return undefined;
  return new URL(known.url).origin === new URL(url).origin ? basicAuthorization(known) : undefined;
}

function archiveUrl({ urls }: IndexEntry, base: string, what: string): string {
  const [first] = urls;
  if (first === undefined || !URL.canParse(first, base))
    throw new ChartError('chart_invalid', `chart ${what}: the index of ${shown(base)} names no address for it`);
  return new URL(first, base).href;
}
