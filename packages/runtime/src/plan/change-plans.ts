// The blast radius of a change that is not there yet: every application of the runtime that follows the branch, rendered
// as it is and as it would be, and compared object by object. Read with the acting user's own Git token; nothing is written
// and no cluster is changed. Only sources that follow the branch can differ, so nothing else is looked at. Applications
// that an application of the runtime brings (Git Sources) are followed: one that the change adds, edits or removes is
// planned as it would be then.
import { type Application, type ApplicationSource, argoGroup, type PlanAnswer } from '@fairlead/contracts';
import { diffTrees } from '@fairlead/git';
import {
  type ApplicationPlan,
  applicationsOf,
  GitTree,
  type Manifest,
  type Plan,
  type PlannedApplication,
  type PlanSide,
  plan,
  type SourceTree,
} from '@fairlead/render';
import type { Redactor } from '../application-reporter/index.ts';
import type { ArgoCdClient } from '../argo-cd/index.ts';
import type { Actor, GitAccess } from '../git-access/index.ts';
import type { Rendering } from '../source-server/index.ts';
import { type Change, type ChangeWish, follows, locateChange } from './change.ts';

interface PlansDeps {
  readonly engine: ArgoCdClient;
  readonly git: GitAccess;
  /** Read sets of earlier plans decide what need not be rendered for this one. */
  readonly rendering: Pick<Rendering, 'renderer' | 'charts'>;
}

interface Asking {
  readonly actor: Actor;
  readonly redactor: Redactor;
  readonly signal: AbortSignal;
}

type Planned = readonly PlannedApplication[];

interface Sides {
  readonly before: PlanSide['openTree'];
  readonly after: PlanSide['openTree'];
  readonly signal: AbortSignal;
}

/** Manifests in one answer; beyond it objects are named without them. */
const maxAnswerBytes = 6 * 1024 * 1024;

export class ChangePlans {
  readonly #deps: PlansDeps;

  constructor(deps: PlansDeps) {
    this.#deps = deps;
  }

  async plan(wish: ChangeWish, { actor, redactor, signal }: Asking): Promise<PlanAnswer> {
    const { engine, git } = this.#deps;
    const [change, running] = await Promise.all([
      locateChange(git, actor, wish, { signal }),
      engine.listApplications({ signal }),
    ]);
    const applications = applicationsOf(running.map(asManifest));
    const following = applications.filter(({ sources }) => sources.some((each) => follows(each, wish.repoURL, change)));
    const sides = await this.#sides(wish.repoURL, change, { actor, signal });
    const made = await this.#compare(sides, { before: following, after: following });
    const later = applicationsAfter(following, made);
    const whole = later ? await this.#compare(sides, { before: following, after: later }) : made;
    const { repository, onto, from, to } = change;
    const changedFiles = (await diffTrees(repository, { from, to }, { signal })).length;
    const moved = whole.applications.filter((each) => each.change !== 'unchanged');
    return {
      ...{ repoURL: wish.repoURL, onto, from, to, changedFiles },
      ...shown(moved, redactor),
      total: running.length,
      following: following.length,
      rendered: made.rendered + (later ? whole.rendered : 0),
    };
  }

  #compare({ before, after, signal }: Sides, applications: { before: Planned; after: Planned }): Promise<Plan> {
    const sides = {
      before: { applications: applications.before, openTree: before },
      after: { applications: applications.after, openTree: after },
    };
    return plan({ ...sides, ...this.#deps.rendering }, { signal });
  }

  /** Sources that follow the branch are read at the two commits, all others where they point, once. */
  async #sides(repoURL: string, change: Change, { actor, signal }: Omit<Asking, 'redactor'>): Promise<Sides> {
    const [from, to] = await Promise.all(
      [change.from, change.to].map((commit) => GitTree.ofCommit(change.repository, commit)),
    );
    const others = new Map<string, Promise<SourceTree>>();
    const other = ({ repoURL: url, targetRevision: revision = '' }: ApplicationSource) => {
      const key = `${url} ${revision}`;
      const known = others.get(key) ?? this.#open(actor, { repoURL: url, revision }, signal);
      others.set(key, known);
      return known;
    };
    const openAt = (tree: SourceTree | undefined) => (source: ApplicationSource) =>
      tree && follows(source, repoURL, change) ? Promise.resolve(tree) : other(source);
    return { before: openAt(from), after: openAt(to), signal };
  }

  async #open(actor: Actor, wanted: { repoURL: string; revision: string }, signal: AbortSignal): Promise<SourceTree> {
    const { repository, commit } = await this.#deps.git.read(actor, wanted, { signal });
    return GitTree.ofCommit(repository, commit);
  }
}

/** The engine gives Applications without kind; the members that rendering reads are the same. */
function asManifest(application: Application): Manifest {
  const { metadata, spec } = application;
  const { name, namespace } = metadata;
  const own = { name, ...(namespace ? { namespace } : {}) };
  return { apiVersion: `${argoGroup}/v1alpha1`, kind: 'Application', metadata: own, spec };
}

/** Undefined when the change touches no Application that another one brings. */
function applicationsAfter(applications: Planned, made: Plan): Planned | undefined {
  const touched = made.applications
    .flatMap(({ objects }) => objects)
    .filter(({ kind, group }) => kind === 'Application' && group === argoGroup);
  if (touched.length === 0) return undefined;
  const keyOf = ({ namespace, name }: { namespace: string; name: string }) => `${namespace}/${name}`;
  const after = new Map(applications.map((application) => [keyOf(application), application]));
  for (const object of touched) {
    if (object.change === 'removed') after.delete(keyOf(object));
    else for (const planned of applicationsOf(object.after ? [object.after] : [])) after.set(keyOf(planned), planned);
  }
  return [...after.values()];
}

function shown(moved: readonly ApplicationPlan[], redactor: Redactor): Pick<PlanAnswer, 'applications' | 'truncated'> {
  let sizeBytes = 0;
  let truncated = false;
  const manifest = (side: 'before' | 'after', given: Manifest | undefined) => {
    if (!given) return {};
    const redacted = redactor.manifest(given);
    sizeBytes += JSON.stringify(redacted).length;
    if (sizeBytes <= maxAnswerBytes) return { [side]: redacted };
    truncated = true;
    return {};
  };
  const applications = moved.flatMap(({ change, objects, ...rest }) =>
    change === 'unchanged'
      ? []
      : [
          {
            ...rest,
            change,
            objects: objects.map(({ before, after, ...object }) => ({
              ...object,
              ...manifest('before', before),
              ...manifest('after', after),
            })),
          },
        ],
  );
  return { applications, truncated };
}
