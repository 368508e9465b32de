// Helm charts rendered in process, as `helm template` of Helm 3.17 would.
//
// Promises: reads only through the traced tree; templates reach no file outside the chart, no network, no cluster
// (`lookup` is empty) and no host object; steps, output, nesting and time are bounded. A render that used time, chance
// or made keys carries a warning naming the functions. Charts it depends on come from `charts/`, from beside it, or from
// the repositories given to it, and are inputs by digest.
import { randomBytes } from 'node:crypto';
import { systemClock } from '@fairlead/base';
import type { ApplicationSource } from '@fairlead/contracts';
import type { TracedCharts } from '../charts/index.ts';
import { RenderError } from '../errors.ts';
import {
  defaultBudget,
  GoMap,
  int,
  type ParsedTemplates,
  parseConstraints,
  parseVersion,
  satisfies,
  sprigFunctions,
  TemplateError,
  TemplateSet,
} from '../gotemplate/index.ts';
import type { Manifest } from '../manifest.ts';
import type { TracedTree } from '../tree/index.ts';
import { capabilitiesOf, defaultKubeVersion } from './capabilities.ts';
import type { Chart } from './chart.ts';
import { processDependencies } from './dependencies.ts';
import { renderTemplates } from './engine.ts';
import { helmFunctions } from './functions.ts';
import { givenValues } from './given-values.ts';
import { loadChart } from './load.ts';
import { documentsOf, manifestsOf } from './manifests.ts';
import { validateValues } from './schema.ts';
import { type HelmSource, helmSourceOf } from './source.ts';
import { coalesceValues } from './values.ts';

/** What a render knows of where it will be applied; part of the cache key. */
export interface HelmTarget {
  /** The application's name: the release name unless the source says another. */
  readonly releaseName?: string | undefined;
  readonly namespace?: string | undefined;
  readonly kubeVersion?: string | undefined;
  readonly apiVersions?: readonly string[] | undefined;
}

export interface HelmRequest {
  readonly path: string;
  readonly source: ApplicationSource;
  readonly target: HelmTarget;
  /** Sources that lend files, by their `ref`. */
  readonly refs: ReadonlyMap<string, TracedTree>;
  /** Where dependencies that are not in `charts/` come from. */
  readonly charts?: TracedCharts | undefined;
  readonly parsed?: ParsedTemplates | undefined;
  readonly signal?: AbortSignal | undefined;
}

const timeLimitMs = 90_000;

export async function renderHelm(
  tree: TracedTree,
  request: HelmRequest,
): Promise<{ manifests: Manifest[]; warnings: string[] }> {
  const source = helmSourceOf(request.source);
  const chart = await loadChart(tree, request.path, request.charts);
  if (chart.metadata.type === 'library') throw new RenderError('library charts are not installable');
  const given = await givenValues({ tree, chartPath: request.path, refs: request.refs }, source);
  request.signal?.throwIfAborted();
  processDependencies(chart, given);
  const values = coalesceValues(chart, given);
  if (!source.skipSchemaValidation) validateValues(chart, values);
  const kubeVersion = source.kubeVersion ?? request.target.kubeVersion;
  refuseOtherClusters(chart, kubeVersion ?? defaultKubeVersion);
  const unreproducible = new Set<string>();
  const files = renderTemplates({
    chart,
    values,
    release: releaseObject(source, request.target),
    capabilities: capabilitiesOf(kubeVersion, [...(request.target.apiVersions ?? []), ...source.apiVersions]),
    functions: functionsOf(unreproducible),
    parsed: request.parsed,
    budget: { ...defaultBudget(), check: deadline(request.signal) },
  });
  const crds = source.skipCrds ? [] : crdsOf(chart);
  const manifests = [...crds, ...manifestsOf(files, source)];
  return { manifests, warnings: warningsOf(unreproducible) };
}

/** `--name-template`: a release name made by a template that sees nothing. */
export function nameFromTemplate(template: string): string {
  const functions = sprigFunctions({ clock: systemClock, randomBytes, onUnreproducible: refuseUnreproducible });
  const templates = new TemplateSet({ functions });
  try {
    templates.add('name-template', template);
    return templates.execute('name-template', null);
  } catch (cause) {
    if (!(cause instanceof TemplateError)) throw cause;
    throw new RenderError(`nameTemplate: ${cause.message}`, { cause });
  }
}

/** A name that is another at each render would be another release each time. */
function refuseUnreproducible(name: string): never {
  throw new RenderError(`nameTemplate: ${name} gives another name at each render`);
}

function functionsOf(unreproducible: Set<string>) {
  const sprig = sprigFunctions({
    clock: systemClock,
    randomBytes,
    onUnreproducible: (name) => unreproducible.add(name),
  });
  for (const [name, called] of Object.entries(helmFunctions)) sprig.set(name, called);
  return sprig;
}

function warningsOf(unreproducible: ReadonlySet<string>): string[] {
  if (unreproducible.size === 0) return [];
  return [`not reproducible: templates used ${[...unreproducible].sort().join(', ')}`];
}

function deadline(signal: AbortSignal | undefined): () => void {
  const end = systemClock.monotonic() + timeLimitMs;
  return () => {
    signal?.throwIfAborted();
    if (systemClock.monotonic() > end) throw new RenderError(`rendering took longer than ${timeLimitMs / 1000} s`);
  };
}

function releaseObject(source: HelmSource, target: HelmTarget): GoMap {
  return new GoMap([
    ['Name', source.releaseName ?? target.releaseName ?? 'release-name'],
    ['Namespace', source.namespace ?? target.namespace ?? 'default'],
    ['IsUpgrade', false],
    ['IsInstall', true],
    ['Revision', int(1)],
    ['Service', 'Helm'],
  ]);
}

function refuseOtherClusters({ metadata }: Chart, kubeVersion: string): void {
  if (metadata.kubeVersion === '') return;
  const [version, constraints] = [parseVersion(kubeVersion), parseConstraints(metadata.kubeVersion)];
  if (version && constraints && satisfies(version, constraints)) return;
  throw new RenderError(
    `chart requires kubeVersion: ${metadata.kubeVersion} which is incompatible with Kubernetes ${kubeVersion}`,
  );
}

function crdsOf(chart: Chart): Manifest[] {
  const own = chart.files
    .filter(({ name }) => /^crds\/.*\.(?:ya?ml|json)$/.test(name))
    .flatMap(({ name, content }) =>
      documentsOf({ name: `${chart.metadata.name}/${name}`, text: content.toString('utf8') }),
    );
  return [...own, ...chart.dependencies.flatMap(crdsOf)];
}
