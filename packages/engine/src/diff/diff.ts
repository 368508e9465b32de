// Target against live: is there anything to do, and what would the object be afterwards? Pure.
//
// Promises: what the API server or a controller adds by itself is never a difference; a field that the source used to
// set and no longer does is one, as long as the cluster still holds it. Not promised: server-side diff.
import { lastAppliedAnnotation } from '@fairlead/contracts';
import {
  createThreeWayMergePatch,
  equalJson,
  gvkOf,
  isRecord,
  jsonMergePatch,
  type KubeObject,
  strategicMergePatch,
} from '@fairlead/kube';
import { compareFields, type Verdict } from './compare-fields.ts';
import { type IgnoreRule, ignoredPointers, withoutPointers } from './ignore-differences.ts';
import { normalize } from './normalize.ts';

export interface ObjectDiff {
  readonly verdict: Verdict;
  readonly normalizedLive: KubeObject;
  /** The live object as it would be after a sync; equal to `normalizedLive` when nothing differs. */
  readonly predictedLive: KubeObject;
}

export function diffObject(target: KubeObject, live: KubeObject, rules: readonly IgnoreRule[] = []): ObjectDiff {
  const kind = gvkOf(target);
  const pointers = ignoredPointers(live, rules);
  const normalizedLive = withoutPointers(withoutLastApplied(normalize(live)), pointers);
  const normalizedTarget = withoutPointers(withoutLastApplied(normalize(target)), pointers);
  const applied = lastApplied(live);
  const original = applied && withoutPointers(applied, pointers);
  const sides = { original, target: normalizedTarget, live: normalizedLive };
  const verdict = compareFields(sides, kind);
  if (verdict === 'same') return { verdict, normalizedLive, predictedLive: normalizedLive };
  const { type, body } = createThreeWayMergePatch(
    { original, modified: normalizedTarget, current: normalizedLive },
    kind,
  );
  const predicted =
    type === 'strategic' ? strategicMergePatch(normalizedLive, body, kind) : jsonMergePatch(normalizedLive, body);
  return { verdict, normalizedLive, predictedLive: predicted as KubeObject }; // patches keep the identity of an object
}

/** Whether the answer of a dry run is the live object again: then what made us unsure were defaults. */
export function isUnchangedBy(dryRun: KubeObject, live: KubeObject): boolean {
  return equalJson(withoutLastApplied(normalize(dryRun)), withoutLastApplied(normalize(live)));
}

/** What was applied last, in the same form as the target; undefined when it is not known. */
export function lastApplied(live: KubeObject): KubeObject | undefined {
  const text = live.metadata.annotations?.[lastAppliedAnnotation];
  if (!text) return undefined;
  try {
    const parsed: unknown = JSON.parse(text);
    if (!isRecord(parsed) || !isRecord(parsed['metadata'])) return undefined;
    const applied = normalize(parsed as KubeObject); // has metadata; the rest is compared field by field
    const { namespace, ...metadata } = applied.metadata;
    // Objects applied without a namespace got one from elsewhere; that it is absent here removes nothing.
    return { ...applied, metadata: namespace ? { ...metadata, namespace } : metadata };
  } catch {
    return undefined; // written by others; without it the comparison is two-way
  }
}

function withoutLastApplied(object: KubeObject): KubeObject {
  const { [lastAppliedAnnotation]: text, ...annotations } = object.metadata.annotations ?? {};
  if (text === undefined) return object;
  return { ...object, metadata: { ...object.metadata, annotations } };
}
