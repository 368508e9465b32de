// From an application's sources to manifests: revision → commit → tree → render, for each source; for a chart: range →
// version → archive → render. Failures are the typed errors of `git` and `render`; nothing is retried here. One source
// that fails fails the whole: nothing is ever compared with a part of what the application should be.
import { mapLimit } from '@fairlead/base';
import { type ApplicationSource, type RevisionMetadata, renderWithAnnotation } from '@fairlead/contracts';
import type { GitCredentials, GitMirrors } from '@fairlead/git';
import { ArchiveTree, type ChartReference, type ChartSource, chartOfSource, limitedCharts } from '../charts/index.ts';
import { RenderError } from '../errors.ts';
import type { Manifest } from '../manifest.ts';
import type { ProgramSource } from '../programs/index.ts';
import { AllowedRemotes } from '../remotes/index.ts';
import type { Renderer, RenderResult } from '../renderer.ts';
import { GitTree, type SourceTree } from '../tree/index.ts';
import { PushLook } from './push-look.ts';

/** What an application's manifests may depend on beside its sources. */
export interface RenderContext {
  readonly applicationName: string;
  /** Of the destination. */
  readonly namespace: string;
  /** Of the destination's cluster, e.g. `1.31`. */
  readonly kubeVersion?: string | undefined;
  /** Repositories whose credentials may be used for charts that a source asks for; all when not given. */
  readonly permits?: ((repository: string) => boolean) | undefined;
  /** What the application says it is to be rendered with; see `renderWithAnnotation`. */
  readonly renderWith?: string | undefined;
  readonly project?: string | undefined;
}

export interface LoadedSources {
  /** Commits, 40 hex digits, or versions of charts, in the order of the sources. */
  readonly revisions: readonly string[];
  /** One per source; undefined for those that only lend files to others (`ref` without path). */
  readonly parts: readonly (RenderResult | undefined)[];
  /** `spec.sources` is in use, even if it holds only one. */
  readonly isMulti: boolean;
}

const isBuiltOnOthers = (part: RenderResult | undefined) =>
  part !== undefined && part.charts.length + part.remotes.length > 0;

export const manifestsOf = ({ parts }: LoadedSources): readonly Manifest[] =>
  parts.length === 1 ? (parts[0]?.manifests ?? []) : parts.flatMap((part) => part?.manifests ?? []);

interface LoadOptions {
  readonly signal: AbortSignal;
  /** In place of the sources' own targetRevision, by position. */
  readonly revisions?: readonly string[] | undefined;
  /** Monotonic time: what was read from the remote since then is fresh enough. Default: now. */
  readonly asOfMs?: number | undefined;
  /** A push was announced: fetch without asking first whether there is news. */
  readonly fetchFirst?: boolean;
  /** Render again whatever the cache says. */
  readonly fresh?: boolean;
}

interface SourceLoaderDeps {
  readonly mirrors: GitMirrors;
  readonly renderer: Renderer;
  readonly credentialsFor: (url: string) => GitCredentials | undefined;
  readonly charts: ChartSource;
  /** The same without credentials; for what the application's project does not permit. */
  readonly openCharts?: ChartSource | undefined;
  /** Repositories that kustomizations may build on. */
  readonly remotes?: readonly string[] | undefined;
  /** For applications that ask for them; without it they are refused. */
  readonly programs?: ProgramSource | undefined;
}

const parallel = 4;

export class SourceLoader {
  readonly #deps: SourceLoaderDeps;
  /** Asked about commits only, so that its answers hold for ever. */
  readonly #commits: PushLook;

  constructor(deps: SourceLoaderDeps) {
    this.#deps = deps;
    this.#commits = new PushLook(async (url, commit) => GitTree.ofCommit(await deps.mirrors.repository(url), commit));
  }

  async load(
    { sources, isMulti, context }: { sources: readonly ApplicationSource[]; isMulti: boolean; context: RenderContext },
    options: LoadOptions,
  ): Promise<LoadedSources> {
    const programs = this.#programsFor(context.renderWith);
    const resolved = await mapLimit([...sources.entries()], parallel, async ([index, source]) => {
      const wanted = options.revisions?.[index] || source.targetRevision || '';
      const chart = chartOfSource(source, wanted);
      if (chart) return { source, ...(await this.#chart(chart, options)) };
      const revision = await this.#resolve(source.repoURL, wanted || 'HEAD', options);
      const tree = await GitTree.ofCommit(await this.#deps.mirrors.repository(source.repoURL), revision);
      return { source, revision, tree };
    });
    const { applicationName: releaseName, permits, renderWith: _renderWith, project, ...place } = context;
    const charts = this.#chartsFor(permits);
    const remotes = new AllowedRemotes({ ...this.#deps, allowed: this.#deps.remotes ?? [], permits });
    const refs = Object.fromEntries(resolved.flatMap(({ source: { ref }, tree }) => (ref ? [[ref, tree]] : [])));
    const parts = await mapLimit(resolved, parallel, async ({ source, tree, revision }) => {
      if (source.ref && source.path === undefined && source.chart === undefined) return undefined;
      const request = {
        tree,
        source,
        refs,
        charts,
        remotes,
        programs,
        facts: { project, revision },
        target: { releaseName, ...place },
      };
      return this.#deps.renderer.render(request, { signal: options.signal, fresh: options.fresh ?? false });
    });
    return { revisions: resolved.map(({ revision }) => revision), parts, isMulti };
  }

  /**
   * Whether every source is still where `loaded` found it, so that loading again with the same context would give the
   * same. In doubt the answer is no: what comes from other places (charts, other repositories) is looked at by `load` only.
   */
  async isStillAt(
    sources: readonly ApplicationSource[],
    { revisions, parts }: LoadedSources,
    { signal, asOfMs }: Pick<LoadOptions, 'signal' | 'asOfMs'>,
  ): Promise<boolean> {
    if (sources.length !== revisions.length || parts.some(isBuiltOnOthers)) return false;
    for (const [index, source] of sources.entries()) {
      const revision = source.targetRevision || 'HEAD';
      if (chartOfSource(source, revision)) return false;
      const { mirrors, credentialsFor } = this.#deps;
      const wanted = { revision, commit: revisions[index] ?? '' };
      const options = { credentials: credentialsFor(source.repoURL), signal, asOfMs };
      if (!(await mirrors.isStillAt(source.repoURL, wanted, options))) return false;
    }
    return true;
  }

  /**
   * Whether the sources, wherever they are now, hold all that was read for `loaded` as it was: loading again would give the
   * same manifests at other revisions. In doubt the answer is no.
   */
  async isUntouched(
    sources: readonly ApplicationSource[],
    loaded: LoadedSources,
    { signal, asOfMs }: Pick<LoadOptions, 'signal' | 'asOfMs'>,
  ): Promise<boolean> {
    if (loaded.parts.some(isBuiltOnOthers)) return false;
    const pinned: ApplicationSource[] = [];
    for (const source of sources) {
      if (chartOfSource(source, source.targetRevision ?? '')) return false;
      const commit = await this.#resolve(source.repoURL, source.targetRevision || 'HEAD', { signal, asOfMs });
      pinned.push({ ...source, targetRevision: commit });
    }
    return !(await this.#commits.isMoved(pinned, loaded));
  }

  async #chart(chart: ChartReference, { signal, fresh }: LoadOptions): Promise<{ revision: string; tree: SourceTree }> {
    const fetched = await this.#deps.charts.fetch(chart, { signal, fresh });
    return { revision: fetched.version, tree: await ArchiveTree.of(fetched, `${chart.name}-${fetched.version}.tgz`) };
  }

  /** A source may name charts of any repository; it must not thereby read one that its project was not given. */
  #chartsFor(permits: RenderContext['permits']): ChartSource {
    const { charts, openCharts } = this.#deps;
    return permits && openCharts ? limitedCharts({ charts, openCharts, permits }) : charts;
  }

  #programsFor(renderWith: string | undefined): ProgramSource | undefined {
    if (renderWith === undefined || renderWith === 'built-in') return undefined;
    const { programs } = this.#deps;
    if (renderWith !== 'program')
      throw new RenderError(`${renderWithAnnotation}: ${JSON.stringify(renderWith)} is none of built-in, program`);
    if (programs) return programs;
    throw new RenderError(
      `${renderWithAnnotation}: program: this engine runs no programs; its setting enginePrograms allows them`,
    );
  }

  /** `asOfMs`: when the push was told of; what was fetched since then answers. */
  lookAfterPush(asOfMs: number, signal: AbortSignal): PushLook {
    return new PushLook(async (url, revision) => {
      const commit = await this.#resolve(url, revision, { signal, asOfMs, fetchFirst: true });
      return GitTree.ofCommit(await this.#deps.mirrors.repository(url), commit);
    });
  }

  /** The files of a repository, for those who look at them directly. */
  async openTree(url: string, revision: string, signal: AbortSignal): Promise<GitTree> {
    const commit = await this.#resolve(url, revision, { signal });
    return GitTree.ofCommit(await this.#deps.mirrors.repository(url), commit);
  }

  /** Whether the repository can be read, with these credentials or the stored ones. */
  async probe(url: string, given: GitCredentials | undefined, signal: AbortSignal): Promise<void> {
    const { mirrors, credentialsFor } = this.#deps;
    await mirrors.resolve(url, 'HEAD', { credentials: given ?? credentialsFor(url), signal });
  }

  async revisionMetadata(url: string, revision: string, signal: AbortSignal): Promise<RevisionMetadata> {
    const commit = await this.#resolve(url, revision, { signal });
    const repository = await this.#deps.mirrors.repository(url);
    const { authorName, authorEmail, date, message } = await repository.commitMetadata(commit);
    const tags = await repository.tagsAt(commit, { signal });
    return { author: `${authorName} <${authorEmail}>`, date, message, ...(tags.length > 0 ? { tags } : {}) };
  }

  #resolve(url: string, revision: string, { signal, asOfMs, fetchFirst = false }: LoadOptions): Promise<string> {
    const { mirrors, credentialsFor } = this.#deps;
    return mirrors.resolve(url, revision, { credentials: credentialsFor(url), signal, asOfMs, fetchFirst });
  }
}
