// The blast radius of a change that is not there yet: every application of the runtime that follows the branch, rendered
// as it is and as it would be, and compared object by object. Read with the acting user's own Git token; nothing is written
// and no cluster is changed. Only sources that follow the branch can differ, so nothing else is looked at. Applications
// that an application of the runtime brings (Git Sources) are followed: one that the change adds, edits or removes is
// planned as it would be then.
import { errorMessage, FairleadError, mapLimit } from '@fairlead/base';
import {
  type Application,
  type ApplicationSource,
  argoGroup,
  type PlanAnswer,
  type SourceAsk,
} from '@fairlead/contracts';
import {
  type ApplicationPlan,
  applicationsOf,
  chartOfSource,
  type Manifest,
  type Plan,
  type PlannedApplication,
} from '@fairlead/render';
import type { Redactor } from '../application-reporter/index.ts';
import type { ArgoCdClient } from '../argo-cd/index.ts';
import type { Actor, GitAccess } from '../git-access/index.ts';
import type { SourceClient } from '../source-server/index.ts';
import { type Change, type ChangeWish, follows, locateChange } from './change.ts';

interface PlansDeps {
  readonly engine: ArgoCdClient;
  readonly git: GitAccess;
  /** Read sets of earlier renders decide what need not be rendered for this one. */
  readonly sources: SourceClient;
}

interface Asking {
  readonly actor: Actor;
  readonly redactor: Redactor;
  readonly signal: AbortSignal;
}

interface Comparing {
  readonly actor: Actor;
  readonly wish: ChangeWish;
  readonly change: Change;
  readonly signal: AbortSignal;
}

type Planned = readonly PlannedApplication[];

type Trees = SourceAsk<'plan'>['before']['trees'];

/** Manifests in one answer; beyond it objects are named without them. */
const maxAnswerBytes = 6 * 1024 * 1024;
const parallel = 4;

export class ChangePlans {
  readonly #deps: PlansDeps;

  constructor(deps: PlansDeps) {
    this.#deps = deps;
  }

  async plan(wish: ChangeWish, { actor, redactor, signal }: Asking): Promise<PlanAnswer> {
    const { engine, git, sources } = this.#deps;
    const [change, running] = await Promise.all([
      locateChange(git, actor, wish, { signal }),
      engine.listApplications({ signal }),
    ]);
    const applications = applicationsOf(running.map(asManifest));
    const following = applications.filter(({ sources }) => sources.some((each) => follows(each, wish.repoURL, change)));
    const asking = { actor, wish, change, signal };
    const made = await this.#compare({ before: following, after: following }, asking);
    const later = applicationsAfter(following, made);
    const whole = later ? await this.#compare({ before: following, after: later }, asking) : made;
    const { onto, from, to } = change;
    const keys = await git.keysFor(actor, [wish.repoURL], { signal });
    const files = await sources.ask('changed-files', { repoURL: wish.repoURL, from, to }, { keys, signal });
    const moved = whole.applications.filter((each) => each.change !== 'unchanged');
    return {
      ...{ repoURL: wish.repoURL, onto, from, to, changedFiles: files.length },
      ...shown(moved, redactor),
      total: running.length,
      following: following.length,
      rendered: made.rendered + (later ? whole.rendered : 0),
    };
  }

  /** Sources that follow the branch are read at the two commits, all others where they point, once. */
  async #compare({ before, after }: { before: Planned; after: Planned }, asking: Comparing): Promise<Plan> {
    const { git, sources } = this.#deps;
    const { actor, wish, change, signal } = asking;
    const named = placesOf([...before, ...after]);
    const isMoved = (place: ApplicationSource) => follows(place, wish.repoURL, change);
    const others = await mapLimit(
      named.filter((place) => !isMoved(place)),
      parallel,
      (place) => this.#locate(place, asking),
    );
    const treesAt = (commit: string): Trees => [
      ...others,
      ...named.filter(isMoved).map(({ repoURL, targetRevision: revision = '' }) => ({ repoURL, revision, commit })),
    ];
    const read = [wish.repoURL, ...named.filter(isMoved).map(({ repoURL }) => repoURL)];
    const readable = others.flatMap(({ repoURL, commit }) => (commit === undefined ? [] : [repoURL]));
    const keys = await git.keysFor(actor, [...read, ...readable], { signal });
    const sides = {
      before: { applications: before.map(asked), trees: treesAt(change.from) },
      after: { applications: after.map(asked), trees: treesAt(change.to) },
    };
    return sources.ask('plan', sides, { keys, signal });
  }

  /** As the user's own token reads it; what it may not read fails the applications that need it, and says why. */
  async #locate(
    { repoURL, targetRevision: revision = '' }: ApplicationSource,
    asking: Comparing,
  ): Promise<Trees[number]> {
    const { actor, signal } = asking;
    try {
      const { commit } = await this.#deps.git.read(actor, { repoURL, revision }, { signal });
      return { repoURL, revision, commit };
    } catch (error) {
      signal.throwIfAborted();
      if (!(error instanceof FairleadError)) throw error;
      return { repoURL, revision, reason: errorMessage(error) };
    }
  }
}

/** Each repository and revision once. */
function placesOf(applications: Planned): ApplicationSource[] {
  const sources = applications
    .flatMap((application) => application.sources)
    .filter((source) => !chartOfSource(source, source.targetRevision ?? ''));
  return [...new Map(sources.map((source) => [`${source.targetRevision ?? ''} ${source.repoURL}`, source])).values()];
}

const asked = ({ name, namespace, sources, destinationNamespace }: PlannedApplication) => ({
  ...{ name, namespace, sources: [...sources] },
  ...(destinationNamespace === undefined ? {} : { destinationNamespace }),
});

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
