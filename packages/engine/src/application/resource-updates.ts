// `ignoreResourceUpdates` of `argocd-cm`: a change of a live object that leaves its health and everything but ignored fields
// as they were makes nobody look at its application. The caches hold the new object all the same.
import { equalJson, type KubeObject } from '@fairlead/kube';
import { type IgnoreRule, ignoredExpressions, ignoredPointers, withoutPointers } from '../diff/index.ts';
import type { HealthOf, HealthReady } from '../health/index.ts';
import type { LiveChange } from '../live/index.ts';

interface ResourceUpdatesDeps {
  /** Undefined: every change counts. */
  readonly rules: () => readonly IgnoreRule[] | undefined;
  readonly healthOf: HealthOf;
  readonly healthReady: HealthReady;
  /** Without what jq expressions select. */
  readonly withoutSelected: (object: KubeObject, expressions: readonly string[]) => Promise<KubeObject>;
}

/** They change with every write, and say nothing by themselves. */
const always = ['/metadata/resourceVersion', '/metadata/generation', '/metadata/managedFields'];
const optIn = 'argocd.argoproj.io/ignore-resource-updates';
/** Changes that wait for jq; at the bound they count without having been judged. */
const maxWaiting = 1000;

/** Different but for what only jq can tell. */
interface Doubt {
  readonly was: KubeObject;
  readonly is: KubeObject;
  readonly expressions: readonly string[];
}

export class ResourceUpdates {
  readonly #deps: ResourceUpdatesDeps;
  readonly counts = { ignored: 0, unjudged: 0 };
  #waiting = 0;

  constructor(deps: ResourceUpdatesDeps) {
    this.#deps = deps;
  }

  /** Calls `tell` at once, later, or, for a change that is to be ignored, never. */
  judge(change: LiveChange, tell: () => void): void {
    const { before, object } = change;
    const waiting = before && this.#deps.rules() ? this.#deps.healthReady([before, object]) : undefined;
    if (waiting) void waiting.then(() => this.#judge(change, tell));
    else this.#judge(change, tell);
  }

  #judge(change: LiveChange, tell: () => void): void {
    const verdict = this.#verdict(change);
    if (verdict === 'tell') tell();
    else if (verdict === 'ignore') this.counts.ignored++;
    else this.#askJq(verdict, tell);
  }

  #verdict(change: LiveChange): 'tell' | 'ignore' | Doubt {
    const { type, before, object } = change;
    const rules = this.#deps.rules();
    if (!rules || type !== 'update' || !before || !isJudged(change)) return 'tell';
    // What the engine wrote itself comes back as it is known already; somebody may be waiting for it.
    if (before.metadata.resourceVersion === object.metadata.resourceVersion) return 'tell';
    if (!this.#isSameHealth(before, object)) return 'tell';
    const reduce = (given: KubeObject) => withoutPointers(given, [...always, ...ignoredPointers(given, rules)]);
    const [was, is] = [reduce(before), reduce(object)];
    if (equalJson(was, is)) return 'ignore';
    const expressions = ignoredExpressions(object, rules);
    return expressions.length === 0 ? 'tell' : { was, is, expressions };
  }

  #askJq({ was, is, expressions }: Doubt, tell: () => void): void {
    if (this.#waiting >= maxWaiting) {
      this.counts.unjudged++;
      tell();
      return;
    }
    this.#waiting++;
    const { withoutSelected } = this.#deps;
    Promise.all([withoutSelected(was, expressions), withoutSelected(is, expressions)])
      .then(([left, right]) => {
        if (equalJson(left, right)) this.counts.ignored++;
        else tell();
      })
      // An expression that fails ignores nothing; the comparison of the application says what is wrong with it.
      .catch(tell)
      .finally(() => this.#waiting--);
  }

  #isSameHealth(before: KubeObject, after: KubeObject): boolean {
    const { healthOf } = this.#deps;
    return equalJson(healthOf(before), healthOf(after));
  }
}

/** As in Argo CD: objects of an application itself, and those below them that ask for it. */
const isJudged = ({ isTracked, object }: LiveChange): boolean =>
  isTracked || object.metadata.annotations?.[optIn] === 'true';
