// Everything that can be known of an Application before it is committed: schema, name, project rules, the repository it
// deploys from, and what it would deploy. Looks, and changes nothing.
import { FairleadError, isAbortError } from '@fairlead/base';
import type { Application, ApplicationProblem, ApplicationSource } from '@fairlead/contracts';
import {
  ArchiveTree,
  type ChartReference,
  type ChartSource,
  chartOfSource,
  GitTree,
  limitedCharts,
  type Manifest,
  RenderError,
  type SourceTree,
} from '@fairlead/render';
import { EngineRefusedError } from '../argo-cd/index.ts';
import { type Actor, GitAccessError } from '../git-access/index.ts';
import type { HomeDeps } from './home.ts';
import { permitsRepository, projectProblems, type TargetCluster } from './project-rules.ts';
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
  /** Where charts may be taken from for this person. */
  readonly charts: ChartSource | undefined;
}

export async function examine(deps: HomeDeps, input: ExamineInput): Promise<Examination> {
  const [taken, rules] = await Promise.all([input.isNew ? nameProblems(deps, input) : [], ruleProblems(deps, input)]);
  const { project, problems } = rules;
  // Charts are read with the engine's credentials only from repositories that the project allows.
  const permits = (repository: string) => project !== undefined && permitsRepository(project, repository);
  const charts = problems.length === 0 ? limitedCharts({ ...deps.rendering, permits }) : undefined;
  const content = await examineSource(deps, { ...input, charts });
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

async function examineSource(deps: HomeDeps, input: SourceInput): Promise<Examination> {
  const { actor, application, signal } = input;
  const { source, sources = [] } = application.spec;
  if (!source) {
    const reason = `it has ${sources.length} sources, which are not rendered here`;
    return { problems: [warning('spec.sources', reason, 'See the difference after the commit, before the sync')] };
  }
  const chart = chartOfSource(source, source.targetRevision ?? '');
  if (chart) return examineChart(deps, chart, { ...input, source });
  try {
    const { repoURL, targetRevision: revision = '' } = source;
    const { repository, commit } = await deps.git.read(actor, { repoURL, revision }, { signal });
    const tree = await GitTree.ofCommit(repository, commit);
    const path = (source.path ?? '').replace(/^\.?\/*|\/+$/g, '');
    if ((await tree.list(path)) === undefined) {
      const remedy = 'Give a folder that is there at this revision, or push it first';
      return { problems: [problem('spec.source.path', `the repository has no folder ${source.path}`, remedy)] };
    }
    return { ...(await tryRender(deps, tree, { ...input, source })), revision: commit };
  } catch (error) {
    if (!(error instanceof GitAccessError)) throw error;
    return { problems: [repositoryProblem(error)] };
  }
}

async function examineChart(
  deps: HomeDeps,
  chart: ChartReference,
  input: SourceInput & { readonly source: ApplicationSource },
): Promise<Examination> {
  if (!input.charts) return { problems: [] }; // what the project forbids is told already
  try {
    const fetched = await input.charts.fetch(chart, { signal: input.signal });
    const tree = await ArchiveTree.of(fetched, `${chart.name}-${fetched.version}.tgz`);
    return { ...(await tryRender(deps, tree, input)), revision: fetched.version };
  } catch (error) {
    if (isAbortError(error) || !(error instanceof FairleadError)) throw error;
    const remedy = 'Check repository, name and version of the chart';
    return { problems: [problem('spec.source.chart', error.message, remedy)] };
  }
}

async function tryRender(
  { rendering }: HomeDeps,
  tree: SourceTree,
  { source, application, charts, signal }: SourceInput & { readonly source: ApplicationSource },
): Promise<Examination> {
  const namespace = application.spec.destination.namespace ?? '';
  const target = { releaseName: application.metadata.name, namespace };
  try {
    const { manifests, warnings } = await rendering.renderer.render({ tree, source, charts, target }, { signal });
    const said = warnings.map((text) => warning('spec.source', text));
    if (manifests.length > 0) return { problems: said, manifests };
    return { problems: [...said, warning('spec.source.path', 'nothing would be deployed from there')], manifests };
  } catch (error) {
    if (!(error instanceof RenderError)) throw error;
    return {
      problems: [problem('spec.source', error.message, 'Correct it in the repository, or choose another path')],
    };
  }
}

/** A token that is missing for the source's host keeps nobody from committing: the engine has credentials of its own. */
function repositoryProblem(error: GitAccessError): ApplicationProblem {
  if (error.code === 'git_token_missing' || error.code === 'git_token_refused') {
    return warning('spec.source.repoURL', `could not be looked at: ${error.message}`);
  }
  const isRevision = error.message.startsWith('revision:');
  const field = isRevision ? 'spec.source.targetRevision' : 'spec.source.repoURL';
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
