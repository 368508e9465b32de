// Source tree → manifests, with the exact set of inputs read.
//
// Promises: the answer depends on nothing but the request and what the read set names (no clock, no network, no other
// file; Helm's `now` and random functions aside, which a warning names); an input that was looked for and not found is in the read set too; anything this renderer does not support is
// an error that names it. Manifests are as written: no namespace, label or annotation is added here.
import { contentHash } from '@fairlead/base';
import type { ApplicationSource } from '@fairlead/contracts';
import { type BuildFacts, buildEnvironment, expandedSource, TracedEnvironment } from './build-environment.ts';
import { buildId, DiskRenders, RenderCache, type RenderTrees } from './cache/index.ts';
import { type ChartSource, TracedCharts, type UsedChart } from './charts/index.ts';
import { renderDirectory } from './directory/index.ts';
import { RenderError } from './errors.ts';
import { ParsedTemplates } from './gotemplate/index.ts';
import { type HelmTarget, renderHelm } from './helm/index.ts';
import { jsonnetSettingsOf } from './jsonnet/index.ts';
import { renderKustomize } from './kustomize/index.ts';
import type { Manifest } from './manifest.ts';
import type { RenderPool } from './pool/index.ts';
import { type ProgramSource, renderWithHelm, renderWithKustomize } from './programs/index.ts';
import { type RemoteTrees, TracedRemotes, type UsedRemote } from './remotes/index.ts';
import { withOverrides } from './source-overrides.ts';
import { type SourceType, sourceTypeOf } from './source-type.ts';
import { cleanPath, isEmptyReadSet, type ReadSet, type SourceTree, TracedTree } from './tree/index.ts';

export interface RenderRequest {
  readonly tree: SourceTree;
  readonly source: ApplicationSource;
  /** Where the manifests will go, as far as templates may know it. */
  readonly target?: HelmTarget;
  /** Trees of the sources that lend files (`ref`), by that name: `$name/path` in Helm's value files. */
  readonly refs?: Readonly<Record<string, SourceTree>>;
  /** Where charts come from that the tree does not hold; without it they are missing. */
  readonly charts?: ChartSource | undefined;
  /** Other repositories that kustomizations may build on; without it, none. */
  readonly remotes?: RemoteTrees | undefined;
  /** What build variables stand for beside source and target. */
  readonly facts?: BuildFacts | undefined;
  /** Programs that render charts and kustomizations in place of our own. */
  readonly programs?: ProgramSource | undefined;
}

export interface RenderResult {
  readonly manifests: readonly Manifest[];
  readonly inputs: ReadSet;
  /** What was read of sources that lend files, by their `ref`. Those that lent nothing are not here. */
  readonly lent: Readonly<Record<string, ReadSet>>;
  /** Charts taken from repositories, by digest. */
  readonly charts: readonly UsedChart[];
  /** Other repositories built on, by commit. */
  readonly remotes: readonly UsedRemote[];
  /** Build variables looked up, with what they stood for. */
  readonly environment: Readonly<Record<string, string>>;
  readonly warnings: readonly string[];
  readonly sourceType: SourceType;
  /** Tool and version that rendered; part of every cache key. */
  readonly engine: string;
}

const engines = {
  Directory: 'fairlead-directory/2',
  Helm: 'fairlead-helm/2',
  Kustomize: 'fairlead-kustomize/2',
} as const;

interface SourceRequest {
  readonly path: string;
  readonly source: ApplicationSource;
  readonly target: HelmTarget;
  readonly refs: ReadonlyMap<string, TracedTree>;
  readonly charts: TracedCharts | undefined;
  readonly remotes: TracedRemotes | undefined;
  readonly programs: ProgramSource | undefined;
  readonly parsed?: ParsedTemplates | undefined;
  readonly signal?: AbortSignal | undefined;
}
type RenderSource = (tree: TracedTree, request: SourceRequest) => Promise<Pick<RenderResult, 'manifests' | 'warnings'>>;

const renderers: Readonly<Record<SourceType, RenderSource>> = {
  Directory: (tree, { path, source, signal }) =>
    renderDirectory(tree, { path, signal, ...source.directory, jsonnet: jsonnetSettingsOf(source) }),
  Helm: (tree, { programs, ...request }) =>
    programs ? renderWithHelm(tree, request, programs) : renderHelm(tree, request),
  Kustomize: (tree, { programs, ...request }) =>
    programs ? renderWithKustomize(tree, request, programs) : renderKustomize(tree, request),
};

const programEngines = { Directory: engines.Directory, Helm: 'helm on PATH', Kustomize: 'kustomize on PATH' } as const;

export async function render(
  {
    tree,
    source: given,
    target = {},
    refs = {},
    charts: repositories,
    remotes: others,
    facts,
    programs,
  }: RenderRequest,
  { signal, parsed }: RenderOptions = {},
): Promise<RenderResult> {
  signal?.throwIfAborted();
  const traced = new TracedTree(tree);
  const lenders = new Map(Object.entries(refs).map(([name, lender]) => [name, new TracedTree(lender)]));
  const path = cleanPath(given.path ?? '');
  if (!(await traced.isFolder(path))) throw new RenderError(`${given.path}: app path does not exist`);
  const environment = new TracedEnvironment(buildEnvironment(given, target, facts));
  const overridden = await withOverrides(traced, given, { path, application: target.releaseName });
  const source = expandedSource(overridden, environment);
  const sourceType = await sourceTypeOf(traced, path, source);
  const charts = repositories && new TracedCharts(repositories, signal);
  const remotes = others && new TracedRemotes(others, signal);
  const request = { path, source, target, refs: lenders, charts, remotes, programs, parsed, signal };
  const { manifests, warnings } = await renderers[sourceType](traced, request);
  const lent = [...lenders].map(([name, lender]) => [name, lender.readSet()] as const);
  return {
    manifests,
    warnings,
    inputs: traced.readSet(),
    lent: Object.fromEntries(lent.filter(([, readSet]) => !isEmptyReadSet(readSet))),
    charts: charts?.used() ?? [],
    remotes: remotes?.used() ?? [],
    environment: environment.used(),
    sourceType,
    engine: (programs ? programEngines : engines)[sourceType],
  };
}

export interface RenderOptions {
  readonly signal?: AbortSignal;
  /** Templates parsed by earlier renders. */
  readonly parsed?: ParsedTemplates;
}

interface RendererOptions {
  readonly cacheBytes?: number;
  readonly pool?: RenderPool;
  readonly dir?: string;
}

const maxDiskBytes = 512 * 1024 * 1024;

/** `render` behind a cache that is keyed by inputs. */
export class Renderer {
  readonly #cache: RenderCache<RenderResult>;
  readonly #disk: DiskRenders<RenderResult> | undefined;
  readonly #parsed = new ParsedTemplates(32 * 1024 * 1024);

  readonly #pool: RenderPool | undefined;

  /** `pool`: where renders run; without one, on the caller's thread. `dir`: where renders outlive the process. */
  constructor({ cacheBytes = 128 * 1024 * 1024, pool, dir }: RendererOptions = {}) {
    this.#cache = new RenderCache(cacheBytes);
    this.#disk = dir === undefined ? undefined : new DiskRenders({ dir, maxBytes: maxDiskBytes });
    this.#pool = pool;
  }

  /** Of renders kept on disk; undefined without a folder for them. */
  get diskCounts(): DiskRenders<RenderResult>['counts'] | undefined {
    return this.#disk?.counts;
  }

  get counts(): { hits: number; misses: number; evictions: number; sizeBytes: number } {
    return { ...this.#cache.counts, evictions: this.#cache.evictions, sizeBytes: this.#cache.sizeBytes };
  }

  async render(request: RenderRequest, options: RenderOptions & { fresh?: boolean } = {}): Promise<RenderResult> {
    const { tree, source, target = {}, refs = {}, charts, remotes, facts, programs } = request;
    // Where the tree comes from is no input; what it holds is.
    const { repoURL: _url, targetRevision: _revision, ...settings } = source;
    const tools = programs ? [await programs.identity()] : [];
    const key = contentHash([engines, settings, target, ...tools]);
    const environment = buildEnvironment(source, target, facts);
    const trees = { tree, refs, charts, remotes, environment };
    const known = options.fresh ? undefined : await this.#known(key, trees);
    if (known) return known;
    const result = this.#pool
      ? await this.#pool.render(request, { signal: options.signal })
      : await render(request, { ...options, parsed: this.#parsed });
    this.#cache.keep(key, { trees, result, size: sizeOf(result) });
    await this.#disk?.keep(`${await buildId()} ${key}`, result);
    return result;
  }

  async #known(key: string, trees: RenderTrees): Promise<RenderResult | undefined> {
    const known = await this.#cache.find(key, trees);
    if (known || !this.#disk) return known;
    const kept = await this.#disk.find(`${await buildId()} ${key}`, trees);
    if (kept) this.#cache.keep(key, { trees, result: kept, size: sizeOf(kept) });
    return kept;
  }
}

const sizeOf = ({ manifests }: RenderResult): number => 1000 + JSON.stringify(manifests).length * 2;
