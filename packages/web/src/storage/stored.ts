// Small choices kept in this browser: read once, told to all who look, and followed from other tabs. Where storage is
// blocked they last as long as the page.
import { useSyncExternalStore } from 'react';

export interface Stored<T> {
  readonly read: () => T;
  readonly write: (value: T) => void;
  readonly subscribe: (listener: () => void) => () => void;
}

/** `parse` gets whatever was stored, perhaps by another version, and never throws. */
export function storedValue<T>(key: string, parse: (stored: unknown) => T): Stored<T> {
  let value: T | undefined;
  const listeners = new Set<() => void>();
  const load = (): T => {
    try {
      return parse(JSON.parse(localStorage.getItem(key) ?? 'null'));
    } catch {
      return parse(null); // blocked, or not ours
    }
  };
  const onStorage = (event: StorageEvent) => {
    if (event.key !== key) return;
    value = load();
    for (const listener of listeners) listener();
  };
  return {
    read: () => {
      value ??= load();
      return value;
    },
    write: (next) => {
      value = next;
      try {
        localStorage.setItem(key, JSON.stringify(next));
      } catch {
        // it lasts as long as the page
      }
      for (const listener of listeners) listener();
    },
    subscribe: (listener) => {
      if (listeners.size === 0) addEventListener('storage', onStorage);
      listeners.add(listener);
      return () => {
        listeners.delete(listener);
        if (listeners.size === 0) removeEventListener('storage', onStorage);
      };
    },
  };
}

export const useStored = <T>({ subscribe, read }: Stored<T>): T => useSyncExternalStore(subscribe, read);
