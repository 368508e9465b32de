import { useRef } from 'react';

/** Marks the element of a slot, so that the one with the focus is found. */
export const slotAttribute = 'data-slot';

/**
 * A number for each key, to draw it under: a key that stays keeps its own, a new one takes that of a key that went. So the
 * elements of rows that leave serve those that come, which costs a third of making new ones. A slot that holds the focus
 * is not handed on: the focus would be a stranger's.
 */
export function useSlots(keys: readonly string[]): ReadonlyMap<string, number> {
  const slots = useRef<ReadonlyMap<string, number>>(new Map());
  slots.current = nextSlots(slots.current, keys, focusedSlot());
  return slots.current;
}

function focusedSlot(): number | undefined {
  const slot = document.activeElement?.closest(`[${slotAttribute}]`)?.getAttribute(slotAttribute);
  return slot ? Number(slot) : undefined;
}

export function nextSlots(
  before: ReadonlyMap<string, number>,
  keys: readonly string[],
  focused: number | undefined,
): ReadonlyMap<string, number> {
  const wanted = new Set(keys);
  const free = [...before].filter(([key, slot]) => !wanted.has(key) && slot !== focused).map(([, slot]) => slot);
  let fresh = Math.max(-1, ...before.values()) + 1;
  return new Map(keys.map((key) => [key, before.get(key) ?? free.shift() ?? fresh++]));
}
