// `spec.ignoreDifferences`: fields that do not count. JSON pointers only; other forms are refused where the spec is read.
import { gvkOf, isRecord, type KubeObject } from '@fairlead/kube';

export interface IgnoreRule {
  readonly group?: string;
  readonly kind: string;
  readonly name?: string;
  readonly namespace?: string;
  readonly jsonPointers?: readonly string[];
}

/** The pointers that hold for an object. */
export function ignoredPointers(object: KubeObject, rules: readonly IgnoreRule[]): string[] {
  const { group, kind } = gvkOf(object);
  const { name, namespace = '' } = object.metadata;
  const isGlobHit = (glob: string, text: string) =>
    glob === '*' || glob === text || (glob.endsWith('*') && text.startsWith(glob.slice(0, -1)));
  return rules
    .filter((rule) => isGlobHit(rule.group ?? '', group) && isGlobHit(rule.kind, kind))
    .filter((rule) => (!rule.name || rule.name === name) && (!rule.namespace || rule.namespace === namespace))
    .flatMap((rule) => rule.jsonPointers ?? []);
}

export function withoutPointers(object: KubeObject, pointers: readonly string[]): KubeObject {
  return pointers.reduce<unknown>((value, pointer) => {
    const path = pointer
      .split('/')
      .slice(1)
      .map((part) => part.replaceAll('~1', '/').replaceAll('~0', '~'));
    return path.length === 0 ? value : without(value, path);
  }, object) as KubeObject; // pointers below the root leave an object
}

function without(value: unknown, [name = '', ...rest]: readonly string[]): unknown {
  if (Array.isArray(value)) {
    const index = Number(name);
    if (!(index in value)) return value;
    if (rest.length === 0) return value.toSpliced(index, 1);
    return value.with(index, without(value[index], rest));
  }
  if (!isRecord(value) || !Object.hasOwn(value, name)) return value;
  if (rest.length > 0) return { ...value, [name]: without(value[name], rest) };
  const { [name]: _ignored, ...kept } = value;
  return kept;
}
