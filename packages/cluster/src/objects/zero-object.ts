import type { KubeObject } from '@fairlead/kube/object';
import type { ResourceType } from '../registry/index.ts';
import { decodeObject, zeroValue } from '../schema/index.ts';

const zeros = new WeakMap<ResourceType, KubeObject>();

/** What is there before anybody has written: the members that a kind always has. They are nobody's. */
export function zeroObject(type: ResourceType): KubeObject {
  const { schema, isBuiltIn } = type;
  if (!schema || !isBuiltIn) return { metadata: {} } as KubeObject; // only read member by member
  const known = zeros.get(type);
  if (known) return known;
  const zero = { metadata: {}, ...zeroValue(schema) } as unknown as KubeObject; // only read member by member
  zeros.set(type, zero);
  return zero;
}

/** What was merged, with members that a kind always has and without those that say nothing. */
export function readAsKind({ schema, isBuiltIn, kind }: ResourceType, object: KubeObject): KubeObject {
  if (!schema || !isBuiltIn) return object;
  return decodeObject(object, schema, kind).value as unknown as KubeObject; // identity members are fields of every kind
}
