// Charts from repositories (http, https) and OCI registries.
//
// Promises: an archive is what its digest says or an error; each is downloaded once and kept by digest, on disk when a
// folder is given; credentials are those of the repository's own Secret and reach no other host; indexes, archives,
// redirects and time are bounded. Not here: provenance files, repositories that need a cloud's own sign-in.
import { BoundedCache, type Clock, sha256Hex, systemClock } from '@fairlead/base';
import { DiskStore } from '../store/index.ts';
import type { ChartReference, ChartRepository, ChartSource, FetchedChart, ResolvedChart } from './chart-source.ts';
import { ChartError } from './errors.ts';
import { type Get, httpGet, refusal, shown } from './http-get.ts';
import { authorizationFor, type FoundArchive, HttpRepositories } from './http-repository.ts';
import { OciRegistries } from './oci-registry.ts';

interface ChartRepositoriesOptions {
  /** Where archives are kept; in memory only when not given. */
  readonly dir?: string | undefined;
  /** All that are known, with their credentials; asked anew each time. */
  readonly known?: () => readonly ChartRepository[];
  /** Authorities (PEM) that stand in place of the system's for a host. */
  readonly authoritiesFor?: (hostname: string) => string | undefined;
  readonly clock?: Clock;
}

type Asked = Parameters<ChartSource['fetch']>[1];

const maxArchiveBytes = 32 * 1024 * 1024;
const maxKeptBytes = 64 * 1024 * 1024;
const maxDiskBytes = 1024 * 1024 * 1024;

export class ChartRepositories implements ChartSource {
  readonly #known: () => readonly ChartRepository[];
  readonly #get: Get;
  readonly #http: HttpRepositories;
  readonly #oci: OciRegistries;
  readonly #disk: DiskStore | undefined;
  readonly #kept = new BoundedCache<string, Buffer>(maxKeptBytes);
  readonly counts = { downloads: 0, hits: 0 };

  constructor({ dir, known = () => [], authoritiesFor, clock = systemClock }: ChartRepositoriesOptions = {}) {
    this.#known = known;
    this.#get = (request) => httpGet({ ...request, authoritiesFor });
    this.#http = new HttpRepositories(clock, this.#get);
    this.#oci = new OciRegistries(clock, this.#get);
    this.#disk = dir === undefined ? undefined : new DiskStore({ dir, maxBytes: maxDiskBytes, clock });
  }

  async resolve(reference: ChartReference, options: Asked = {}): Promise<ResolvedChart> {
    const { version, digest } = (await this.#find(reference, options)).archive;
    return { version, digest };
  }

  async fetch(reference: ChartReference, options: Asked = {}): Promise<FetchedChart> {
    const { archive, known } = await this.#find(reference, options);
    const { version } = archive;
    // Without a digest in the index the address stands for the content, as long as nobody asks for it fresh.
    const key = archive.digest === '' ? `url ${archive.url}` : `sha256 ${archive.digest}`;
    const kept = archive.digest === '' && options.fresh ? undefined : await this.#findKept(key);
    const content =
      kept ?? (await this.#download(archive, { ...options, known, what: `${reference.name} ${version}` }));
    if (kept) this.counts.hits++;
    else {
      this.#kept.set(key, content, content.length);
      await this.#disk?.put(key, content);
    }
    return { version, digest: sha256Hex(content), content };
  }

  async #findKept(key: string): Promise<Buffer | undefined> {
    return this.#kept.get(key) ?? (await this.#disk?.get(key));
  }

  async #find(reference: ChartReference, options: Asked = {}): Promise<Found> {
    const { repository, known, isOci } = this.#locate(reference);
    const asked = { ...reference, repository };
    const asking = { ...options, known };
    const archive = await (isOci ? this.#oci.find(asked, asking) : this.#http.find(asked, asking));
    return { archive, known };
  }

  async #download(
    { url, digest, version }: FoundArchive,
    { known, signal, what }: { known: ChartRepository | undefined; signal?: AbortSignal | undefined; what: string },
  ): Promise<Buffer> {
    this.counts.downloads++;
    const isBlob = /\/v2\/.*\/blobs\/sha256:/.test(url);
    const asking = { known, signal, maxBytes: maxArchiveBytes };
    const answer = isBlob
      ? await this.#oci.get(url, asking)
      : await this.#get({ url, repository: known, authorization: authorizationFor(url, known), ...asking });
    if (answer.status !== 200) throw refusal(url, answer, `chart ${what}`);
    const actual = sha256Hex(answer.body);
    if (digest !== '' && digest !== actual) {
      throw new ChartError(
        'chart_invalid',
        `chart ${what} at ${shown(url)}: its digest is ${actual}, the repository promised ${digest}; nothing of version ${version} was used`,
      );
    }
    return answer.body;
  }

  #locate({ repository, name }: ChartReference): Located {
    const all = this.#known();
    const alias = /^(?:@|alias:)(.+)$/s.exec(repository)?.[1];
    const byName = alias === undefined ? undefined : all.find((one) => one.name === alias);
    if (alias !== undefined && !byName) {
      throw new ChartError(
        'chart_not_found',
        `chart ${name}: no repository is called ${JSON.stringify(alias)}; add a repository Secret of type helm with this name`,
      );
    }
    const url = byName?.url ?? repository;
    const known = byName ?? settingsFor(url, all);
    const isOci = url.startsWith('oci://') || known?.isOci === true || !/^[a-z][a-z0-9+.-]*:\/\//i.test(url);
    return { repository: url, known, isOci };
  }
}

interface Found {
  readonly archive: FoundArchive;
  readonly known: ChartRepository | undefined;
}

interface Located {
  readonly repository: string;
  readonly known: ChartRepository | undefined;
  readonly isOci: boolean;
}

const bare = (url: string): string =>
  url
    .replace(/^oci:\/\//, '')
    .replace(/\/+$/, '')
    .toLowerCase();

/** The repository itself, else the longest template its URL begins with. */
function settingsFor(url: string, all: readonly ChartRepository[]): ChartRepository | undefined {
  const wanted = bare(url);
  const exact = all.find((one) => !one.isTemplate && bare(one.url) === wanted);
  if (exact?.username || exact?.password || exact?.bearerToken || exact?.clientCertificate) return exact;
  const above = all
    .filter(
      (one) =>
        (one.isTemplate || isRegistry(one)) && (wanted === bare(one.url) || wanted.startsWith(`${bare(one.url)}/`)),
    )
    .sort((a, b) => b.url.length - a.url.length);
  return above[0] ?? exact;
}

/** Charts of one registry share its credentials, whatever their path. */
const isRegistry = ({ isOci }: ChartRepository): boolean => isOci === true;
