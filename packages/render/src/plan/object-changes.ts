// What differs between two sets of manifests, object by object.
import { canonicalJson } from '@fairlead/base';
import type { Manifest } from '../manifest.ts';

export interface ObjectId {
  readonly group: string;
  readonly kind: string;
  /** '' when the manifest names none. */
  readonly namespace: string;
  readonly name: string;
}

export interface ObjectChange extends ObjectId {
  readonly change: 'added' | 'removed' | 'changed';
  readonly before?: Manifest;
  readonly after?: Manifest;
}

function idOf({ apiVersion, kind, metadata }: Manifest): ObjectId {
  const group = apiVersion.includes('/') ? apiVersion.slice(0, apiVersion.indexOf('/')) : '';
  return { group, kind, namespace: metadata.namespace ?? '', name: metadata.name };
}

/** By group, kind, namespace and name; of several with one name the last counts, as it would be applied last. */
export function objectChanges(before: readonly Manifest[], after: readonly Manifest[]): ObjectChange[] {
  const [old, now] = [byId(before), byId(after)];
  const keys = [...new Set([...old.keys(), ...now.keys()])].sort();
  return keys.flatMap((key): ObjectChange[] => {
    const [was, is] = [old.get(key), now.get(key)];
    if (was && is) {
      if (canonicalJson(was) === canonicalJson(is)) return [];
      return [{ ...idOf(is), change: 'changed', before: was, after: is }];
    }
    if (is) return [{ ...idOf(is), change: 'added', after: is }];
    return was ? [{ ...idOf(was), change: 'removed', before: was }] : [];
  });
}

const byId = (manifests: readonly Manifest[]): Map<string, Manifest> =>
  new Map(
    manifests.map((manifest) => {
      const { group, kind, namespace, name } = idOf(manifest);
      return [JSON.stringify([kind, group, namespace, name]), manifest];
    }),
  );
