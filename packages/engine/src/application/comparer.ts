// Comparing an application with its cluster: what `compareApplication` needs from the rim is put together here.
import { errorMessage } from '@fairlead/base';
import { type Application, renderWithAnnotation } from '@fairlead/contracts';
import { gvkOf, isNotFound, KubeApiError, type KubeObject, refOf } from '@fairlead/kube';
import type { LoadedSources, RenderContext, SourceLoader } from '@fairlead/render';
import type { Cluster } from '../clusters/index.ts';
import { JqRunner, normalize } from '../diff/index.ts';
import type { HealthOf, HealthReady } from '../health/index.ts';
import { permitsRepository } from '../project/index.ts';
import type { SpecCheck } from './app-spec.ts';
import {
  type CompareDeps,
  type CompareInput,
  type Comparison,
  ComparisonMemory,
  compareApplication,
} from './comparison.ts';
import { isMultiSource, sourcesOf } from './sources.ts';

interface ComparerDeps {
  readonly sources: SourceLoader;
  readonly healthOf: HealthOf;
  readonly healthReady: HealthReady;
}

type SpecOk = Extract<SpecCheck, { ok: true }>;

interface Loading {
  readonly cluster: Cluster;
  readonly project: KubeObject | undefined;
}

interface Revisions {
  readonly revisions: readonly string[];
  readonly signal: AbortSignal;
}

export class Comparer {
  readonly #deps: ComparerDeps;
  readonly #jq = new JqRunner();

  constructor(deps: ComparerDeps) {
    this.#deps = deps;
  }

  /** Without what the jq expressions select. */
  withoutSelected(object: KubeObject, expressions: readonly string[]): Promise<KubeObject> {
    return this.#jq.remove(object, expressions);
  }

  stop(): Promise<void> {
    return this.#jq.stop();
  }

  async compare(
    application: Application,
    spec: SpecOk,
    { source, memory, signal }: Pick<CompareInput, 'source' | 'memory'> & { readonly signal: AbortSignal },
  ): Promise<Comparison> {
    const input = {
      application: application.metadata.name,
      namespace: application.spec.destination.namespace ?? '',
      source,
      ignoreRules: spec.ignoreRules,
      project: spec.project,
      serverSideDiff: asksServerSideDiff(application),
      memory,
    };
    const comparison = await compareApplication(input, this.#rimOf(spec.cluster, signal));
    return spec.warnings.length === 0
      ? comparison
      : { ...comparison, conditions: [...spec.warnings, ...comparison.conditions] };
  }

  /** With the manifests of other revisions than those at hand. */
  async compareAt(application: Application, spec: SpecOk, { revisions, signal }: Revisions): Promise<Comparison> {
    const source = await this.load(application, spec, { revisions, signal }).catch((error: unknown) => ({
      error: errorMessage(error),
    }));
    return this.compare(application, spec, { source, memory: new ComparisonMemory(), signal });
  }

  load(application: Application, spec: Loading, { revisions, signal }: Revisions): Promise<LoadedSources> {
    const context = contextOf(application, spec);
    const loading = { sources: sourcesOf(application), isMulti: isMultiSource(application), context };
    return this.#deps.sources.load(loading, { revisions, signal });
  }

  #rimOf({ client, cache }: Cluster, signal: AbortSignal): CompareDeps {
    return {
      cache,
      healthOf: this.#deps.healthOf,
      healthReady: this.#deps.healthReady,
      checkExpressions: (expressions) => this.#jq.check(expressions),
      withoutSelected: (object, expressions) => this.withoutSelected(object, expressions),
      readVersion: (ref) =>
        client.get(ref, { signal }).catch((error: unknown) => {
          if (isNotFound(error)) return undefined;
          throw error;
        }),
      dryRun: (target, live) => {
        const ref = { ...refOf(live), ...gvkOf(target) };
        const options = {
          type: 'apply',
          dryRun: true,
          force: true,
          fieldManager: 'argocd-controller',
          signal,
        } as const;
        return client.patch(ref, normalize(target), options).catch((error: unknown) => {
          if (error instanceof KubeApiError) return undefined; // refused: the difference stands
          throw error;
        });
      },
    };
  }
}

export const contextOf = (
  { metadata, spec }: Application,
  { cluster: { serverVersion }, project }: Loading,
): RenderContext => ({
  applicationName: metadata.name,
  namespace: spec.destination.namespace ?? '',
  ...(serverVersion ? { kubeVersion: serverVersion } : {}),
  project: spec.project,
  renderWith: metadata.annotations?.[renderWithAnnotation],
  permits: (repository) => project !== undefined && permitsRepository(project, repository),
});

const asksServerSideDiff = ({ metadata }: Application) =>
  metadata.annotations?.['argocd.argoproj.io/compare-options']?.includes('ServerSideDiff=true') === true;
