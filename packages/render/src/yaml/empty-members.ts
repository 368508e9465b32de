// Which members of a map were left empty (`key:`), as against written null (`key: null`). Kustomize treats them apart.
// Known for what the block reader has read, as long as the map is the one that was read; a copy has none.
const emptyMembers = new WeakMap<object, Set<string>>();

export function noteEmptyMember(map: object, key: string): void {
  const known = emptyMembers.get(map);
  if (known) known.add(key);
  else emptyMembers.set(map, new Set([key]));
}

export const isEmptyMember = (map: object, key: string): boolean => emptyMembers.get(map)?.has(key) === true;
