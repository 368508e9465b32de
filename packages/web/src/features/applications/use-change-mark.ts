import { useRef } from 'react';

/** Counts how often the value changed since it was first shown; 0 means never, so that a fresh row does not flash. */
export function useChangeMark(value: string): number {
  const seen = useRef({ value, count: 0 });
  if (seen.current.value !== value) seen.current = { value, count: seen.current.count + 1 };
  return seen.current.count;
}
