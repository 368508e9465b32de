import { useRef } from 'react';

/**
 * Counts how often the value changed since it was first shown of this `key`; 0 means never, so that neither a fresh row nor
 * one that took the place of another flashes.
 */
export function useChangeMark(key: string, value: string): number {
  const seen = useRef({ key, value, count: 0 });
  if (seen.current.key !== key) seen.current = { key, value, count: 0 };
  else if (seen.current.value !== value) seen.current = { key, value, count: seen.current.count + 1 };
  return seen.current.count;
}
