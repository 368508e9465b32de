// `spec.ignoreDifferences`: fields that do not count, by JSON pointer here, by jq expression in `jq.ts`.
import { gvkOf, isRecord, type KubeObject } from '@fairlead/kube';

export interface IgnoreRule {
  readonly group?: string;
  readonly kind: string;
  readonly name?: string;
  readonly namespace?: string;
  readonly jsonPointers?: readonly string[];
  readonly jqPathExpressions?: readonly string[];
  readonly managedFieldsManagers?: readonly string[];
}

/** The pointers that hold for an object. */
export const ignoredPointers = (object: KubeObject, rules: readonly IgnoreRule[]): string[] =>
  rulesFor(object, rules).flatMap((rule) => rule.jsonPointers ?? []);

export const ignoredExpressions = (object: KubeObject, rules: readonly IgnoreRule[]): string[] =>
  rulesFor(object, rules).flatMap((rule) => rule.jqPathExpressions ?? []);

export const ignoredManagers = (object: KubeObject, rules: readonly IgnoreRule[]): string[] =>
  rulesFor(object, rules).flatMap((rule) => rule.managedFieldsManagers ?? []);

function rulesFor(object: KubeObject, rules: readonly IgnoreRule[]): IgnoreRule[] {
  const { group, kind } = gvkOf(object);
  const { name, namespace = '' } = object.metadata;
  const isGlobHit = (glob: string, text: string) =>
    glob === '*' || glob === text || (glob.endsWith('*') && text.startsWith(glob.slice(0, -1)));
  return rules
    .filter((rule) => isGlobHit(rule.group ?? '', group) && isGlobHit(rule.kind, kind))
    .filter((rule) => (!rule.name || rule.name === name) && (!rule.namespace || rule.namespace === namespace));
}

export function withoutPointers(object: KubeObject, pointers: readonly string[]): KubeObject {
  return pointers.reduce<unknown>((value, pointer) => {
    const path = partsOf(pointer);
    return path.length === 0 ? value : without(value, path);
  }, object) as KubeObject; // pointers below the root leave an object
}

/** `RespectIgnoreDifferences`: what is ignored is written as it is live, or left out where nothing is live. */
export function withLiveValues(target: KubeObject, live: KubeObject, pointers: readonly string[]): KubeObject {
  return pointers.reduce<unknown>((value, pointer) => {
    const path = partsOf(pointer);
    if (path.length === 0) return value;
    const present = path.reduce<unknown>((at, name) => memberOf(at, name), live);
    if (present === undefined) return without(value, path);
    return withValue(value, path, present);
  }, target) as KubeObject; // pointers below the root leave an object
}

/** As Argo CD counts in lists: from their end where the number is negative. Undefined: no place of the list. */
function indexIn(list: readonly unknown[], name: string): number | undefined {
  if (!/^[+-]?\d+$/.test(name)) return undefined;
  const index = Number(name) < 0 ? list.length + Number(name) : Number(name);
  return index in list ? index : undefined;
}

const memberOf = (value: unknown, name: string): unknown => {
  if (Array.isArray(value)) return value[indexIn(value, name) ?? -1];
  return isRecord(value) && Object.hasOwn(value, name) ? value[name] : undefined;
};

/** Sets only where the way to it exists: ignoring a field never makes its parents. */
function withValue(value: unknown, [name = '', ...rest]: readonly string[], present: unknown): unknown {
  const inner = rest.length === 0 ? present : withValue(memberOf(value, name), rest, present);
  if (Array.isArray(value)) {
    const index = indexIn(value, name);
    return index === undefined ? value : value.with(index, inner);
  }
  if (!isRecord(value) || inner === undefined) return value;
  return { ...value, [name]: inner };
}

/** What stands before the first slash counts for nothing, as in Argo CD; a pointer without one names nothing. */
const partsOf = (pointer: string): string[] =>
  pointer
    .split('/')
    .slice(1)
    .map((part) => part.replaceAll('~1', '/').replaceAll('~0', '~'));

function without(value: unknown, [name = '', ...rest]: readonly string[]): unknown {
  if (Array.isArray(value)) {
    const index = indexIn(value, name);
    if (index === undefined) return value;
    if (rest.length === 0) return value.toSpliced(index, 1);
    return value.with(index, without(value[index], rest));
  }
  if (!isRecord(value) || !Object.hasOwn(value, name)) return value;
  if (rest.length > 0) return { ...value, [name]: without(value[name], rest) };
  const { [name]: _ignored, ...kept } = value;
  return kept;
}
