// What a change in Git would change in clusters: which applications, object by object, before anything is applied.
//
// Promises: an application is reported as changed if and only if one of its rendered objects differs (or it comes or
// goes); what cannot be rendered on one side is told with the reason, never passed over. Read sets of the first side
// decide what need not be rendered on the second. Nothing is written anywhere and no cluster is asked.
import { errorMessage, FairleadError, mapLimit } from '@fairlead/base';
import type { ApplicationSource } from '@fairlead/contracts';
import { ArchiveTree, type ChartSource, chartOfSource } from '../charts/index.ts';
import { RenderError } from '../errors.ts';
import type { Manifest } from '../manifest.ts';
import type { Renderer } from '../renderer.ts';
import type { SourceTree } from '../tree/index.ts';
import type { PlannedApplication } from './applications.ts';
import { type ObjectChange, objectChanges } from './object-changes.ts';

/** One side of the comparison: the applications there are, and the files they are rendered from. */
export interface PlanSide {
  readonly applications: readonly PlannedApplication[];
  /** The tree that a source means on this side; asked once per source. */
  readonly openTree: (source: ApplicationSource) => Promise<SourceTree>;
}

export interface PlanRequest {
  readonly before: PlanSide;
  readonly after: PlanSide;
  /** Its cache carries the read sets from one side to the other. */
  readonly renderer: Renderer;
  readonly kubeVersion?: string | undefined;
  /** Where charts come from; without it, applications that need one fail. */
  readonly charts?: ChartSource | undefined;
}

export interface ApplicationPlan {
  readonly name: string;
  readonly namespace: string;
  readonly change: 'added' | 'removed' | 'changed' | 'unchanged' | 'failed';
  readonly objects: readonly ObjectChange[];
  /** Why a side could not be rendered; only with `failed`. */
  readonly error?: string;
}

export interface Plan {
  readonly applications: readonly ApplicationPlan[];
  /** Renders that the read sets could not answer. */
  readonly rendered: number;
}

const parallel = 4;

export async function plan(request: PlanRequest, { signal }: { signal?: AbortSignal } = {}): Promise<Plan> {
  const [before, after] = [byName(request.before.applications), byName(request.after.applications)];
  const keys = [...new Set([...before.keys(), ...after.keys()])].sort();
  const misses = request.renderer.counts.misses;
  const applications = await mapLimit(keys, parallel, (key) =>
    planOne(request, { before: before.get(key), after: after.get(key) }, signal),
  );
  return { applications, rendered: request.renderer.counts.misses - misses };
}

const byName = (applications: readonly PlannedApplication[]): Map<string, PlannedApplication> =>
  new Map(applications.map((application) => [`${application.namespace}/${application.name}`, application]));

interface Pair {
  readonly before: PlannedApplication | undefined;
  readonly after: PlannedApplication | undefined;
}

async function planOne(request: PlanRequest, pair: Pair, signal: AbortSignal | undefined): Promise<ApplicationPlan> {
  const { name = '', namespace = '' } = pair.after ?? pair.before ?? {};
  try {
    const old = await manifestsOn(request, { side: request.before, application: pair.before, signal });
    const now = await manifestsOn(request, { side: request.after, application: pair.after, signal });
    const objects = objectChanges(old, now);
    const change = !pair.before ? 'added' : !pair.after ? 'removed' : objects.length > 0 ? 'changed' : 'unchanged';
    return { name, namespace, change, objects };
  } catch (error) {
    signal?.throwIfAborted();
    if (!(error instanceof FairleadError)) throw error;
    return { name, namespace, change: 'failed', objects: [], error: errorMessage(error) };
  }
}

interface OneSide {
  readonly side: PlanSide;
  readonly application: PlannedApplication | undefined;
  readonly signal: AbortSignal | undefined;
}

async function manifestsOn(
  { renderer, kubeVersion, charts }: PlanRequest,
  { side, application, signal }: OneSide,
): Promise<readonly Manifest[]> {
  if (!application) return [];
  const { name: releaseName, destinationNamespace: namespace } = application;
  const opened = await mapLimit([...application.sources], parallel, async (source) => ({
    source,
    tree: (await chartTree(source, charts, signal)) ?? (await side.openTree(source)),
  }));
  const lenders = opened.filter(({ source }) => source.ref !== undefined);
  const refs = Object.fromEntries(lenders.map(({ source, tree }) => [source.ref ?? '', tree]));
  const rendered = opened.filter(({ source }) => source.ref === undefined || source.path !== undefined);
  const parts = await mapLimit(rendered, parallel, ({ source, tree }) =>
    renderer.render(
      { tree, source, refs, charts, target: { releaseName, namespace, kubeVersion } },
      signal ? { signal } : {},
    ),
  );
  return parts.flatMap(({ manifests }) => manifests);
}

/** Of a source that is a chart; both sides have the same one. */
async function chartTree(
  source: ApplicationSource,
  charts: ChartSource | undefined,
  signal: AbortSignal | undefined,
): Promise<SourceTree | undefined> {
  const chart = chartOfSource(source, source.targetRevision ?? '');
  if (!chart) return undefined;
  if (!charts) throw new RenderError(`chart ${chart.name}: there is nowhere to take it from (${chart.repository})`);
  const fetched = await charts.fetch(chart, { signal });
  return ArchiveTree.of(fetched, `${chart.name}-${fetched.version}.tgz`);
}
