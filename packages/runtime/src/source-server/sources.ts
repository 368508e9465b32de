// Everything that is read from repositories and rendered beside the engine, in one place of the runtime: one set of
// mirrors, one cache of renders, one pool of workers.
//
// Promises: the same question asked by many at once is one piece of work, which ends when the last of them leaves; what
// is asked for a person is fetched with that person's keys and never with the runtime's; what was rendered is kept by its
// inputs. Not promised: that a person may read a commit that is in a mirror already. Who asks for somebody has made sure of
// that at the remote before (the app-proxy does).
import { contentHash, mapLimit } from '@fairlead/base';
import type { ApplicationSource, RepositoryKeys, SourceAsk, SourceAskName } from '@fairlead/contracts';
import { diffTrees, type GitCredentials, type GitMirrors, isSameRepository } from '@fairlead/git';
import {
  ArchiveTree,
  type ChartSource,
  chartOfSource,
  GitTree,
  limitedCharts,
  manifestsOf,
  plan,
  RenderError,
  SourceLoader,
  type SourceTree,
} from '@fairlead/render';
import type { ChangedFile, ChartDetails, SourceAnswer } from './answers.ts';
import { chartDetails } from './chart-details.ts';
import { findChangeRevisions, type SourceAt } from './find-change.ts';
import type { Rendering } from './rendering.ts';
import { permitsRepository } from './repository-rules.ts';
import { SharedAsks } from './shared-asks.ts';

interface SourcesDeps {
  readonly mirrors: GitMirrors;
  readonly rendering: Pick<Rendering, 'renderer' | 'charts' | 'openCharts'>;
  readonly credentialsFor: (url: string) => GitCredentials | undefined;
}

/** Whose keys are used: a person's, or the runtime's own where there are none. */
export interface Asking {
  readonly keys: RepositoryKeys | undefined;
  readonly signal: AbortSignal;
}

/** One method a question. */
export type Answers = {
  readonly [N in SourceAskName]: (ask: SourceAsk<N>, asking: Asking) => Promise<SourceAnswer<N>>;
};
type Side = SourceAsk<'plan'>['before'];

const maxAtOnce = 200;
const parallel = 4;

export class Sources implements Answers {
  readonly #deps: SourcesDeps;
  readonly #loader: SourceLoader;
  readonly #shared = new SharedAsks({ max: maxAtOnce });

  constructor(deps: SourcesDeps) {
    this.#deps = deps;
    // Commits are in the mirror before they are loaded: whoever asks brings them with the keys that are theirs.
    const credentialsFor = () => undefined;
    this.#loader = new SourceLoader({ mirrors: deps.mirrors, ...deps.rendering, credentialsFor });
  }

  get counts(): SharedAsks['counts'] {
    return this.#shared.counts;
  }

  async manifests(ask: SourceAsk<'manifests'>, asking: Asking): Promise<SourceAnswer<'manifests'>> {
    const { sources, application: applicationName, namespace, permits } = ask;
    const revisions = await mapLimit(sources, parallel, (source, index) => {
      const wanted = ask.revisions[index] || source.targetRevision || '';
      return chartOfSource(source, wanted) ? Promise.resolve(wanted) : this.#fetch(source.repoURL, wanted, asking);
    });
    const allowed = permits && { permits: (url: string) => permitsRepository(permits, url) };
    const context = { applicationName, namespace, ...allowed };
    const key = contentHash(['manifests', sources, revisions, applicationName, namespace, permits ?? '*']);
    const work = async (signal: AbortSignal) => {
      const loaded = await this.#loader.load({ sources, isMulti: sources.length > 1, context }, { revisions, signal });
      const warnings = loaded.parts.flatMap((part) => part?.warnings ?? []);
      return { revisions: loaded.revisions, manifests: manifestsOf(loaded), warnings };
    };
    return this.#shared.run(key, work, asking);
  }

  async plan({ before, after }: SourceAsk<'plan'>, asking: Asking): Promise<SourceAnswer<'plan'>> {
    const { renderer, charts } = this.#deps.rendering;
    const opened = await this.#trees([...before.trees, ...after.trees], asking);
    const side = ({ applications, trees }: Side) => ({
      applications: applications.map((each) => ({ destinationNamespace: undefined, ...each })),
      openTree: async ({ repoURL, targetRevision: revision = '' }: ApplicationSource) => {
        const named = trees.find((tree) => tree.repoURL === repoURL && tree.revision === revision);
        const tree = named?.commit && opened.get(treeKey(named.repoURL, named.commit));
        if (tree) return tree;
        throw new RenderError(named?.reason ?? `${repoURL} at ${revision || 'HEAD'}: nobody said what that means`);
      },
    });
    const sides = { before: side(before), after: side(after) };
    const key = contentHash(['plan', before, after]);
    return this.#shared.run(key, (signal) => plan({ ...sides, renderer, charts }, { signal }), asking);
  }

  'change-revisions'(ask: SourceAsk<'change-revisions'>, asking: Asking): Promise<SourceAnswer<'change-revisions'>> {
    const { sources, revisions, application: releaseName, namespace } = ask;
    const work = async (signal: AbortSignal) => {
      const own = { keys: undefined, signal };
      const at = await mapLimit(sources, parallel, (source, index) => this.#at(source, revisions[index] ?? '', own));
      const target = { releaseName, namespace };
      const found = await findChangeRevisions({ sources: at, target, ...this.#deps.rendering }, { signal });
      return found.map((each) => each ?? null);
    };
    return this.#shared.run(contentHash(['change-revisions', ask]), work, asking);
  }

  async revision({ repoURL, revision }: SourceAsk<'revision'>, asking: Asking): Promise<SourceAnswer<'revision'>> {
    const commit = await this.#fetch(repoURL, revision, asking);
    return { revision: commit, ...(await this.#loader.revisionMetadata(repoURL, commit, asking.signal)) };
  }

  async 'changed-files'({ repoURL, from, to }: SourceAsk<'changed-files'>, asking: Asking): Promise<ChangedFile[]> {
    await mapLimit([from, to], 1, (commit) => this.#fetch(repoURL, commit, asking));
    const repository = await this.#deps.mirrors.repository(repoURL);
    const differences = await diffTrees(repository, { from, to }, asking);
    return differences.map(({ path, before, after }) => ({
      path,
      change: before ? (after ? 'changed' : 'removed') : 'added',
    }));
  }

  async chart(ask: SourceAsk<'chart'>, { keys, signal }: Asking): Promise<ChartDetails> {
    const { repoURL: repository, chart: name, version, permits } = ask;
    const { charts, openCharts } = this.#deps.rendering;
    const allowed = (url: string) => (permits ? permitsRepository(permits, url) : keys === undefined);
    const from: ChartSource = limitedCharts({ charts, openCharts, permits: allowed });
    return chartDetails(from, { repository, name, version }, { signal });
  }

  async #at(source: ApplicationSource, revision: string, asking: Asking): Promise<SourceAt> {
    const chart = chartOfSource(source, revision);
    if (chart) {
      const fetched = await this.#deps.rendering.charts.fetch(chart, asking);
      const tree = await ArchiveTree.of(fetched, `${chart.name}-${fetched.version}.tgz`);
      return { source, repository: undefined, tree, revision };
    }
    const commit = await this.#fetch(source.repoURL, revision, asking);
    return { source, repository: await this.#deps.mirrors.repository(source.repoURL), revision: commit };
  }

  async #trees(named: Side['trees'], asking: Asking): Promise<Map<string, SourceTree>> {
    const wanted = new Map(
      named.flatMap(({ repoURL, commit }) => (commit ? [[treeKey(repoURL, commit), { repoURL, commit }]] : [])),
    );
    const opened = await mapLimit([...wanted], parallel, async ([key, { repoURL, commit }]) => {
      await this.#fetch(repoURL, commit, asking);
      return [key, await GitTree.ofCommit(await this.#deps.mirrors.repository(repoURL), commit)] as const;
    });
    return new Map(opened);
  }

  /** The commit, in the mirror, brought with the keys of who asks. */
  #fetch(url: string, revision: string, { keys, signal }: Asking): Promise<string> {
    const credentials: GitCredentials | undefined = keys ? keyFor(keys, url) : this.#deps.credentialsFor(url);
    return this.#deps.mirrors.resolve(url, revision || 'HEAD', { credentials, signal });
  }
}

const treeKey = (repoURL: string, commit: string) => `${commit} ${repoURL}`;

function keyFor(keys: RepositoryKeys, url: string): GitCredentials | undefined {
  const key = keys.find(({ repoURL }) => isSameRepository(repoURL, url));
  return key && { username: key.username, password: key.password };
}
