// The newest commit that changed what an application renders to, per source: exact, for monorepos and several sources,
// without an annotation. A render's read set names every input, so only commits that touch one of these paths come into
// question; each of them is rendered and compared with its parents, since a touched input need not change the output. A
// merge counts only when it differs from all its parents: otherwise the commit lies behind one of them.
import { contentHash } from '@fairlead/base';
import type { ApplicationSource } from '@fairlead/contracts';
import type { Repository } from '@fairlead/git';
import {
  type ChartSource,
  GitTree,
  type ReadSet,
  RenderError,
  type Renderer,
  type RenderRequest,
  type SourceTree,
} from '@fairlead/render';

export interface SourceAt {
  readonly source: ApplicationSource;
  /** Undefined for a chart of a Helm repository: it has no commits, and its version stands for the change. */
  readonly repository: Repository | undefined;
  /** Of a chart; the tree of a repository follows from the revision. */
  readonly tree?: SourceTree | undefined;
  readonly revision: string;
}

interface Finding {
  readonly sources: readonly SourceAt[];
  readonly target: NonNullable<RenderRequest['target']>;
  readonly renderer: Renderer;
  readonly charts?: ChartSource | undefined;
}

interface Rendered {
  readonly hash: string;
  /** Per source: what was read of it, by itself or lent to another. */
  readonly read: readonly (readonly ReadSet[])[];
}

/** Steps back through commits that touched an input and changed nothing. */
const maxSteps = 200;
/** More paths than this, and their folder is asked for instead: a superset costs steps, never the truth. */
const maxPaths = 500;

/** Per source; undefined where none of its commits can be named (nothing of it is read, or the search was too long). */
export async function findChangeRevisions(
  finding: Finding,
  { signal }: { signal: AbortSignal },
): Promise<(string | undefined)[]> {
  const revisions = finding.sources.map(({ revision }) => revision);
  const now = await renderAt(finding, revisions, signal);
  const found: (string | undefined)[] = [];
  for (const [index, { repository, revision }] of finding.sources.entries()) {
    found.push(repository ? await walkBack(finding, { index, revisions, now, repository, signal }) : revision);
  }
  return found;
}

interface Walk {
  readonly index: number;
  readonly revisions: readonly string[];
  readonly now: Rendered;
  readonly repository: Repository;
  readonly signal: AbortSignal;
}

async function walkBack(finding: Finding, walk: Walk): Promise<string | undefined> {
  const { index, revisions, repository, signal } = walk;
  let { now } = walk;
  let at = revisions[index] ?? '';
  for (let step = 0; step < maxSteps; step++) {
    const paths = pathsOf(now.read[index] ?? []);
    if (paths.length === 0) return undefined;
    const shortened = paths.length > maxPaths ? [] : paths;
    const [candidate] = await repository.log(at, { paths: shortened.filter((path) => path !== ''), limit: 1, signal });
    if (candidate === undefined) return undefined;
    const { parents } = await repository.commitMetadata(candidate);
    const same = await sameParent(finding, { ...walk, now, parents });
    if (!same) return candidate;
    ({ parent: at, rendered: now } = same);
  }
  return undefined;
}

/** The first parent at which the application renders to the same. */
async function sameParent(
  finding: Finding,
  { index, revisions, now, parents, signal }: Walk & { readonly parents: readonly string[] },
): Promise<{ parent: string; rendered: Rendered } | undefined> {
  for (const parent of parents) {
    try {
      const rendered = await renderAt(finding, revisions.with(index, parent), signal);
      if (rendered.hash === now.hash) return { parent, rendered };
    } catch (error) {
      if (!(error instanceof RenderError)) throw error; // before this commit it could not be rendered: a change
    }
  }
  return undefined;
}

async function renderAt(
  { sources, target, renderer, charts }: Finding,
  revisions: readonly string[],
  signal: AbortSignal,
): Promise<Rendered> {
  const trees = await Promise.all(
    sources.map(({ repository, tree }, index) =>
      repository ? GitTree.ofCommit(repository, revisions[index] ?? '') : tree,
    ),
  );
  const lenders = sources.flatMap(({ source: { ref } }, index) => (ref === undefined ? [] : [{ ref, index }]));
  const refs = Object.fromEntries(
    lenders.flatMap(({ ref, index }) => {
      const tree = trees[index];
      return tree ? [[ref, tree]] : [];
    }),
  );
  const read: ReadSet[][] = sources.map(() => []);
  const outputs: unknown[] = [];
  for (const [index, { source }] of sources.entries()) {
    const tree = trees[index];
    if (!tree || (source.ref !== undefined && source.path === undefined && source.chart === undefined)) continue;
    const { manifests, inputs, lent } = await renderer.render({ tree, source, refs, charts, target }, { signal });
    outputs.push(manifests);
    read[index]?.push(inputs);
    for (const { ref, index: lender } of lenders) if (lent[ref]) read[lender]?.push(lent[ref]);
  }
  return { hash: contentHash(outputs), read };
}

/** '' stands for the whole repository. */
function pathsOf(readSets: readonly ReadSet[]): string[] {
  const paths = readSets.flatMap(({ blobs, listings, absences }) => [
    ...blobs.map(({ path }) => path),
    ...listings.map(({ path }) => path),
    ...absences,
  ]);
  return [...new Set(paths)];
}
