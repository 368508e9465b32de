// Is an Application one that this engine can work on? Problems become InvalidSpecError conditions that name the field
// and what is allowed there. Pure.
import {
  Application,
  type ApplicationCondition,
  type ApplicationSource,
  checker,
  inClusterServer,
  ProjectShape,
  SourceTools,
} from '@fairlead/contracts';
import { type KubeObject, listAt, recordAt, valueAt } from '@fairlead/kube';
import type { Cluster, Clusters } from '../clusters/index.ts';
import type { IgnoreRule } from '../diff/index.ts';
import {
  durationMs,
  permitsDestination,
  permitsRepository,
  type SyncWindow,
  windowProblems,
  windowsFor,
} from '../project/index.ts';
import { sourcesOf } from './sources.ts';

type Problem = Pick<ApplicationCondition, 'type' | 'message'>;

export type SpecCheck =
  | {
      readonly ok: true;
      readonly project: KubeObject;
      readonly cluster: Cluster;
      readonly ignoreRules: readonly IgnoreRule[];
      readonly windows: readonly SyncWindow[];
      /** What is wrong and keeps nothing from going on. */
      readonly warnings: readonly Problem[];
    }
  | { readonly ok: false; readonly problems: readonly Problem[] };

const checkShape = checker(Application);
const checkTools = checker(SourceTools);
const checkLimits = checker(ProjectShape);

interface SpecContext {
  readonly projectOf: (name: string) => KubeObject | undefined;
  readonly clusters: Pick<Clusters, 'find'>;
  /** That hold for every application, by `argocd-cm`. */
  readonly ignoreRules?: () => readonly IgnoreRule[];
}

export function checkSpec(application: Application, context: SpecContext): SpecCheck {
  const { projectOf, clusters } = context;
  const shape = checkShape(application);
  if (!shape.ok) return failed(shape.problems.map(({ field, reason }) => `${field}: ${reason}`));
  const messages = [
    ...sourceProblems(application),
    ...destinationProblems(application),
    ...valueProblems(application),
    ...unsupportedFields(application),
  ];
  if (messages.length > 0) return failed(messages);
  const choice = clusters.find(application.spec.destination);
  if (!choice.ok) return failed([`spec.destination.${choice.field}: ${choice.problem}`]);
  const check = checkProject(application, projectOf(application.spec.project), choice.cluster);
  const common = context.ignoreRules?.() ?? [];
  return check.ok && common.length > 0 ? { ...check, ignoreRules: [...check.ignoreRules, ...common] } : check;
}

const failed = (messages: readonly string[]): SpecCheck => ({
  ok: false,
  problems: messages.map((message) => ({ type: 'InvalidSpecError', message })),
});

function sourceProblems({ spec }: Application): string[] {
  const { source, sources } = spec;
  if (sources && sources.length > 0) return severalSourcesProblems(sources);
  return source ? oneSourceProblems(source, 'spec.source') : ['spec.source: is required (or spec.sources)'];
}

function severalSourcesProblems(sources: readonly ApplicationSource[]): string[] {
  const refs = sources.flatMap(({ ref }) => ref ?? []);
  const twice = refs.find((ref, index) => refs.indexOf(ref) !== index);
  if (twice) return [`spec.sources: ref ${JSON.stringify(twice)} is used twice; each ref may be used once`];
  return sources.flatMap((source, index) => oneSourceProblems(source, `spec.sources[${index}]`));
}

function oneSourceProblems(source: ApplicationSource, at: string): string[] {
  const tools = checkTools(withoutNulls(source));
  if (!tools.ok) return tools.problems.map(({ field, reason }) => `${at}.${field}: ${reason}`);
  const { repoURL, path, chart, ref } = source;
  if (repoURL === '') return [`${at}.repoURL: is required`];
  if (path === undefined && chart === undefined && ref === undefined) {
    return [`${at}.path: is required (the folder in the repository; "." is its root)`];
  }
  if (chart !== undefined && path !== undefined) return [`${at}: give either path or chart, not both`];
  return [];
}

/** A field that is null is one that is not there. */
const withoutNulls = (source: object): unknown =>
  JSON.parse(JSON.stringify(source), (_key, value: unknown) => (value === null ? undefined : value));

/** Values of the right type that mean nothing. */
function valueProblems({ spec }: Application): string[] {
  const { syncPolicy, revisionHistoryLimit = 0 } = spec;
  const { duration, maxDuration, factor = 1 } = syncPolicy?.retry?.backoff ?? {};
  const at = 'spec.syncPolicy.retry.backoff';
  const problems = Object.entries({ duration, maxDuration }).flatMap(([field, value]) =>
    value && durationMs(value) === undefined
      ? [`${at}.${field}: ${JSON.stringify(value)} is no duration; allowed: e.g. 5s, 1m30s, 2h, or a number of seconds`]
      : [],
  );
  if (factor < 1) problems.push(`${at}.factor: must be 1 or more`);
  if (revisionHistoryLimit < 0) problems.push('spec.revisionHistoryLimit: must be 0 (keep none) or more');
  return problems;
}

/** Argo CD takes them as they come, without a word; that they ignore nothing, or something else, is told here. */
function pointerWarnings({ ignoreDifferences = [] }: Application['spec']): Problem[] {
  return ignoreDifferences.flatMap(({ jsonPointers = [] }, rule) =>
    jsonPointers.flatMap((pointer, index) => {
      if (pointer === '' || pointer.startsWith('/')) return [];
      const at = `spec.ignoreDifferences[${rule}].jsonPointers[${index}]`;
      const message = `${at}: ${JSON.stringify(pointer)} is no JSON pointer; allowed: e.g. /spec/replicas`;
      return [{ type: 'InvalidSpecWarning', message }];
    }),
  );
}

function destinationProblems({ spec: { destination } }: Application): string[] {
  const { server, name } = destination;
  if (server && name) return ['spec.destination: give either server or name, not both'];
  if (!server && !name) return [`spec.destination.server: is required (or name), e.g. ${inClusterServer}`];
  return [];
}

/** Fields that would change the outcome and are not carried out are refused rather than ignored. */
function unsupportedFields(application: Application): string[] {
  const spec: Readonly<Record<string, unknown>> = application.spec;
  const problems: string[] = [];
  if (spec['sourceHydrator']) problems.push('spec.sourceHydrator: is not supported yet');
  return problems;
}

/** Limits of a project that this engine cannot keep; ignoring them would allow what the project forbids. */
const unsupportedLimits = ['signatureKeys', 'sourceIntegrity', 'destinationServiceAccounts'];

function checkProject(application: Application, project: KubeObject | undefined, cluster: Cluster): SpecCheck {
  const name = application.spec.project;
  if (!project) return failed([`spec.project: application references project ${name} which does not exist`]);
  const { destination } = application.spec;
  const shape = checkLimits(withoutNulls(recordAt(project, 'spec')));
  if (!shape.ok)
    return failed(shape.problems.map(({ field, reason }) => `project '${name}': spec.${field}: ${reason}`));
  const limits = unsupportedLimits.filter((limit) => {
    const value = valueAt(project, 'spec', limit);
    return Array.isArray(value) ? value.length > 0 : value !== undefined && value !== null;
  });
  const messages = limits.map((limit) => `project '${name}' has ${limit}, which are not supported yet`);
  messages.push(...windowProblems(project).map((problem) => `project '${name}': ${problem}`));
  for (const { repoURL } of sourcesOf(application)) {
    if (permitsRepository(project, repoURL)) continue;
    messages.push(`application repo ${repoURL} is not permitted in project '${name}'`);
  }
  const { server, name: clusterName } = cluster.entry;
  const place = { server, name: clusterName, namespace: destination.namespace ?? '' };
  const isForeign =
    valueAt(project, 'spec', 'permitOnlyProjectScopedClusters') === true && cluster.entry.project !== name;
  if (isForeign || !permitsDestination(project, place)) {
    const where = `'${place.server}' and namespace '${place.namespace}'`;
    messages.push(
      `application destination server ${where} do not match any of the allowed destinations in project '${name}'`,
    );
  }
  if (messages.length > 0) return failed(messages);
  const ignoreRules = listAt(application.spec, 'ignoreDifferences') as readonly IgnoreRule[]; // CRD-checked lists
  const subject = { application: application.metadata.name, namespace: place.namespace, server, clusterName };
  const warnings = pointerWarnings(application.spec);
  return { ok: true, project, cluster, ignoreRules, windows: windowsFor(project, subject), warnings };
}
