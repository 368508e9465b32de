// Everything that can be known of an Application before it is committed: schema, name, project rules, the repository it
// deploys from, and what it would deploy. Looks, and changes nothing.
import { mapLimit } from '@fairlead/base';
import type { Application, ApplicationProblem, ApplicationSource } from '@fairlead/contracts';
import { chartOfSource, type Manifest } from '@fairlead/render';
import { EngineRefusedError } from '../argo-cd/index.ts';
import { type Actor, GitAccessError } from '../git-access/index.ts';
import { SourceRefusedError } from '../source-server/index.ts';
import type { HomeDeps } from './home.ts';
import { projectProblems, repositoryRules, type TargetCluster } from './project-rules.ts';
import { problem, warning } from './read-application.ts';

interface Examination {
  readonly problems: readonly ApplicationProblem[];
  readonly manifests?: readonly Manifest[];
  readonly revision?: string;
}

interface ExamineInput {
  readonly actor: Actor;
  readonly application: Application;
  /** It must not be there yet. */
  readonly isNew: boolean;
  readonly signal: AbortSignal;
}

interface SourceInput extends ExamineInput {
  /** What the project allows of repositories; undefined when it forbids the application, which is told already. */
  readonly permits: readonly string[] | undefined;
}

export async function examine(deps: HomeDeps, input: ExamineInput): Promise<Examination> {
  const [taken, rules] = await Promise.all([input.isNew ? nameProblems(deps, input) : [], ruleProblems(deps, input)]);
  const { project, problems } = rules;
  const permits = problems.length === 0 ? repositoryRules(project) : undefined;
  const content = await examineSources(deps, { ...input, permits });
  return { ...content, problems: [...taken, ...problems, ...content.problems] };
}

async function nameProblems(
  { engine }: HomeDeps,
  { application, signal }: ExamineInput,
): Promise<ApplicationProblem[]> {
  const { name, namespace = '' } = application.metadata;
  const known = await orRefused(engine.getApplication({ namespace, name }, { signal }));
  if (!known) return [];
  return [problem('metadata.name', `application ${name} is there already`, 'Choose another name, or edit that one')];
}

async function ruleProblems(
  { engine }: HomeDeps,
  { application, signal }: ExamineInput,
): Promise<{ problems: readonly ApplicationProblem[]; project: unknown }> {
  const { project: name, destination } = application.spec;
  const [project, clusters] = await Promise.all([
    orRefused(engine.project(name, { signal })),
    engine.listClusters({ signal }),
  ]);
  const target = clusters.find(({ server, name: known }) =>
    destination.server ? server === destination.server : known === destination.name,
  );
  const found: ApplicationProblem[] = [];
  if (!project) {
    found.push(problem('spec.project', `there is no project ${name}`, 'Choose one that is there, e.g. default'));
  }
  if (!target) {
    const field = destination.server ? 'spec.destination.server' : 'spec.destination.name';
    const known = clusters.map((cluster) => cluster.name).join(', ');
    found.push(
      problem(field, 'the runtime knows no such cluster', `Choose one of: ${known}; or add the cluster first`),
    );
  }
  if (project && target) {
    const cluster: TargetCluster = { server: target.server, name: target.name ?? '' };
    found.push(...projectProblems(project, { application, target: cluster }));
  }
  return { problems: found, project };
}

/** A source and where it stands in the manifest. */
interface PlacedSource {
  readonly source: ApplicationSource;
  readonly field: string;
}

async function examineSources(deps: HomeDeps, input: SourceInput): Promise<Examination> {
  const { source, sources = [] } = input.application.spec;
  const placed: PlacedSource[] = source
    ? [{ source, field: 'spec.source' }]
    : sources.map((each, index) => ({ source: each, field: `spec.sources.${index}` }));
  const found = await mapLimit(placed, 4, (each) => locate(deps, each, input));
  const problems = found.flatMap((each) => ('problem' in each ? [each.problem] : []));
  const revisions = found.map((each) => ('commit' in each ? each.commit : ''));
  const isForbidden = input.permits === undefined && revisions.includes('');
  if (problems.length > 0 || isForbidden) return { problems };
  return tryRender(deps, { ...input, permits: input.permits ?? [], placed, revisions });
}

/** The commit of a source as the user's own token reads it; '' for a chart, which has none. */
async function locate(
  { git }: HomeDeps,
  { source, field }: PlacedSource,
  { actor, signal }: SourceInput,
): Promise<{ commit: string } | { problem: ApplicationProblem }> {
  const { repoURL, targetRevision: revision = '' } = source;
  if (chartOfSource(source, revision)) return { commit: '' };
  try {
    const { repository, commit } = await git.read(actor, { repoURL, revision }, { signal });
    const path = (source.path ?? '').replace(/^\.?\/*|\/+$/g, '');
    if ((await repository.tree(commit, path)) !== undefined) return { commit };
    const remedy = 'Give a folder that is there at this revision, or push it first';
    return { problem: problem(`${field}.path`, `the repository has no folder ${source.path}`, remedy) };
  } catch (error) {
    if (!(error instanceof GitAccessError)) throw error;
    return { problem: repositoryProblem(error, field) };
  }
}

interface RenderInput extends SourceInput {
  readonly permits: readonly string[];
  readonly placed: readonly PlacedSource[];
  /** By position; '' for charts. */
  readonly revisions: readonly string[];
}

async function tryRender({ git, sources: server }: HomeDeps, input: RenderInput): Promise<Examination> {
  const { actor, application, placed, revisions, permits, signal } = input;
  const { name } = application.metadata;
  const namespace = application.spec.destination.namespace ?? '';
  const sources = placed.map(({ source }) => source);
  const [only, ...others] = placed;
  const field = only && others.length === 0 ? only.field : 'spec.sources';
  const read = sources.flatMap(({ repoURL }, index) => (revisions[index] === '' ? [] : [repoURL]));
  try {
    const keys = await git.keysFor(actor, read, { signal });
    const ask = { sources, revisions: [...revisions], application: name, namespace, permits: [...permits] };
    const { manifests, warnings, revisions: taken } = await server.ask('manifests', ask, { keys, signal });
    const said = warnings.map((text) => warning(field, text));
    const nothing = manifests.length > 0 ? [] : [warning(`${field}.path`, 'nothing would be deployed from there')];
    return { problems: [...said, ...nothing], manifests, revision: taken.join(', ') };
  } catch (error) {
    if (!(error instanceof SourceRefusedError)) throw error;
    if (error.code.startsWith('chart') && only?.source.chart) {
      return {
        problems: [problem(`${field}.chart`, error.message, 'Check repository, name and version of the chart')],
      };
    }
    return { problems: [problem(field, error.message, 'Correct it in the repository, or choose another path')] };
  }
}

/** A token that is missing for the source's host keeps nobody from committing: the engine has credentials of its own. */
function repositoryProblem(error: GitAccessError, of: string): ApplicationProblem {
  if (error.code === 'git_token_missing' || error.code === 'git_token_refused') {
    return warning(`${of}.repoURL`, `could not be looked at: ${error.message}`);
  }
  const isRevision = error.message.startsWith('revision:');
  const field = isRevision ? `${of}.targetRevision` : `${of}.repoURL`;
  const remedy = isRevision ? 'Give a branch, tag or commit that is there' : 'Check the address';
  return problem(field, error.message.replace(/^(revision|repoURL): /, ''), remedy);
}

/** Argo CD answers 403 for what is not there, so as not to tell which names exist. */
async function orRefused<T>(asked: Promise<T>): Promise<T | undefined> {
  try {
    return await asked;
  } catch (error) {
    if (error instanceof EngineRefusedError && (error.status === 403 || error.status === 404)) return undefined;
    throw error;
  }
}
