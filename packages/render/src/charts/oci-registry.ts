// Charts in OCI registries: tags are versions (`+` written as `_`), the chart is one layer of the manifest, everything is
// verified by digest. Tokens are asked for as the registry says, kept for as long as it says, and sent to it alone.
import { BoundedCache, type Clock, sha256Hex } from '@fairlead/base';
import type { ChartReference, ChartRepository } from './chart-source.ts';
import { ChartError } from './errors.ts';
import { basicAuthorization, type Get, type GetAnswer, refusal } from './http-get.ts';
import { type Asking, type FoundArchive, noSuchVersion } from './http-repository.ts';
import { isExact, pickVersion } from './pick-version.ts';

const manifestType = 'application/vnd.oci.image.manifest.v1+json';
const layerTypes = ['application/vnd.cncf.helm.chart.content.v1.tar+gzip', 'application/tar+gzip'];
const maxManifestBytes = 4 * 1024 * 1024;
const maxTagPages = 100;
const listTtlMs = 60_000;

interface Registry {
  /** `https://host`. */
  readonly origin: string;
  /** Path of the chart in it. */
  readonly path: string;
}

export class OciRegistries {
  readonly #clock: Clock;
  readonly #get: Get;
  readonly #tokens = new BoundedCache<string, { authorization: string; untilMs: number }>(1_000);
  readonly #tags = new BoundedCache<string, { tags: readonly string[]; askedMs: number }>(100_000);
  readonly #found = new BoundedCache<string, { archive: FoundArchive; askedMs: number }>(1_000);

  constructor(clock: Clock, get: Get) {
    this.#clock = clock;
    this.#get = get;
  }

  async find(reference: ChartReference, asking: Asking): Promise<FoundArchive> {
    const registry = registryOf(reference, asking.known);
    const { name, version } = reference;
    let tag = version;
    if (!isExact(version)) {
      const tags = await this.#list(registry, asking);
      const picked = pickVersion(tags, version);
      if (picked === undefined) throw noSuchVersion(reference, `${registry.origin}/${registry.path}`, tags);
      tag = picked;
    }
    const key = `${registry.origin}/${registry.path}:${tag}`;
    const cached = this.#found.get(key);
    const askedMs = this.#clock.monotonic();
    if (cached && !asking.fresh && askedMs - cached.askedMs < listTtlMs) return cached.archive;
    const digest = await this.#layer(registry, tag, asking);
    const url = `${registry.origin}/v2/${registry.path}/blobs/sha256:${digest}`;
    const archive = { version: tag, url, digest };
    this.#found.set(key, { archive, askedMs });
    if (name === '') throw new ChartError('chart_invalid', `${key}: has no name`);
    return archive;
  }

  /** A request with whatever the registry wants to see first. */
  async get(
    url: string,
    { accept, maxBytes, known, signal }: Asking & { accept?: string; maxBytes: number },
  ): Promise<GetAnswer> {
    const { origin, pathname } = new URL(url);
    const scope = `${origin}${pathname.replace(/\/(?:manifests|blobs|tags)\/.*$/, '')}`;
    const base = { url, repository: known, maxBytes, signal, headers: accept === undefined ? {} : { accept } };
    const token = this.#tokens.get(scope);
    const isValid = token !== undefined && token.untilMs > this.#clock.monotonic();
    const answer = await this.#get({ ...base, authorization: isValid ? token.authorization : undefined });
    if (answer.status !== 401) return answer;
    const authorization = await this.#authorize(scope, answer, { known, signal });
    return authorization === undefined ? answer : this.#get({ ...base, authorization });
  }

  async #authorize(scope: string, { headers }: GetAnswer, { known, signal }: Asking): Promise<string | undefined> {
    const challenge = headers['www-authenticate'] ?? '';
    const basic = basicAuthorization(known);
    if (/^basic/i.test(challenge)) {
      if (basic) this.#keepToken(scope, basic, 300);
      return basic;
    }
    const part = (name: string) => new RegExp(`${name}="([^"]*)"`, 'i').exec(challenge)?.[1];
    const realm = part('realm');
    if (!/^bearer/i.test(challenge) || realm === undefined || !URL.canParse(realm)) return undefined;
    const url = new URL(realm);
    for (const name of ['service', 'scope']) {
      const value = part(name);
      if (value !== undefined) url.searchParams.set(name, value);
    }
    const isSafe = url.protocol === 'https:' || url.origin === new URL(scope).origin;
    const authorization = isSafe ? basic : undefined;
    const isOwn = url.origin === new URL(scope).origin;
    const answer = await this.#get({
      url: url.href,
      authorization,
      repository: isOwn ? known : undefined,
      maxBytes: maxManifestBytes,
      signal,
    });
    if (answer.status !== 200) throw refusal(url.href, answer, 'token of the registry');
    const { token, access_token: access, expires_in: seconds } = jsonOf(answer.body, realm);
    const given = typeof token === 'string' ? token : access;
    if (typeof given !== 'string') return undefined;
    this.#keepToken(scope, `Bearer ${given}`, typeof seconds === 'number' ? seconds : 60);
    return `Bearer ${given}`;
  }

  #keepToken(scope: string, authorization: string, seconds: number): void {
    const untilMs = this.#clock.monotonic() + Math.min(seconds, 3600) * 900;
    this.#tokens.set(scope, { authorization, untilMs });
  }

  async #list({ origin, path }: Registry, asking: Asking): Promise<readonly string[]> {
    const key = `${origin}/${path}`;
    const cached = this.#tags.get(key);
    const askedMs = this.#clock.monotonic();
    if (cached && !asking.fresh && askedMs - cached.askedMs < listTtlMs) return cached.tags;
    const tags: string[] = [];
    let url: string | undefined = `${origin}/v2/${path}/tags/list?n=1000`;
    for (let page = 0; url !== undefined; page++) {
      if (page >= maxTagPages)
        throw new ChartError('chart_refused', `${key}: lists more than ${maxTagPages} pages of tags; name a version`);
      const answer: GetAnswer = await this.get(url, { ...asking, maxBytes: maxManifestBytes });
      if (answer.status !== 200) throw refusal(url, answer, 'versions of the chart');
      const { tags: some } = jsonOf(answer.body, url);
      if (Array.isArray(some)) tags.push(...some.map((tag) => String(tag).replaceAll('_', '+')));
      url = nextPage(answer, url);
    }
    this.#tags.set(key, { tags, askedMs }, tags.length + 1);
    return tags;
  }

  async #layer({ origin, path }: Registry, version: string, asking: Asking): Promise<string> {
    const url = `${origin}/v2/${path}/manifests/${encodeURIComponent(version.replaceAll('+', '_'))}`;
    const answer = await this.get(url, { ...asking, accept: manifestType, maxBytes: maxManifestBytes });
    if (answer.status !== 200) throw refusal(url, answer, `chart ${path} ${version}`);
    const promised = answer.headers['docker-content-digest'];
    if (typeof promised === 'string' && promised !== `sha256:${sha256Hex(answer.body)}`)
      throw new ChartError('chart_invalid', `${url}: the manifest is not the one its digest ${promised} names`);
    const { layers } = jsonOf(answer.body, url);
    const all: readonly unknown[] = Array.isArray(layers) ? layers : [];
    for (const layer of all) {
      const { mediaType, digest } = { mediaType: '', digest: '', ...(layer as object) };
      if (layerTypes.includes(mediaType) && /^sha256:[0-9a-f]{64}$/.test(digest)) return digest.slice(7);
    }
    throw new ChartError('chart_invalid', `${url}: holds no Helm chart`);
  }
}

function nextPage({ headers }: GetAnswer, url: string): string | undefined {
  const link = Array.isArray(headers.link) ? headers.link[0] : headers.link;
  const next = /<([^>]+)>\s*;\s*rel="?next"?/.exec(link ?? '')?.[1];
  if (next === undefined || !URL.canParse(next, url)) return undefined;
  const page = new URL(next, url);
  return page.origin === new URL(url).origin ? page.href : undefined;
}

function jsonOf(body: Buffer, url: string): Readonly<Record<string, unknown>> {
  try {
    const value: unknown = JSON.parse(body.toString('utf8'));
    return typeof value === 'object' && value !== null ? { ...value } : {};
  } catch (cause) {
    throw new ChartError('chart_invalid', `${url}: the registry's answer is not JSON`, cause);
  }
}

const segment = /^[a-z0-9]+(?:[._-]+[a-z0-9]+)*$/;

function registryOf({ repository, name }: ChartReference, known: ChartRepository | undefined): Registry {
  const [host = '', ...rest] = `${repository.replace(/^oci:\/\//, '').replace(/\/+$/, '')}/${name}`.split('/');
  const isPath = rest.length > 0 && rest.every((part) => segment.test(part));
  if (!/^[A-Za-z0-9.-]+(?::\d+)?$|^\[[0-9a-f:]+\](?::\d+)?$/.test(host) || !isPath)
    throw new ChartError('chart_refused', `${repository}: ${name} is no place in a registry (oci://host/path)`);
  const address = host === 'docker.io' ? 'registry-1.docker.io' : host;
  return { origin: `${known?.plainHttp ? 'http' : 'https'}://${address}`, path: rest.join('/') };
}
