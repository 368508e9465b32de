// The theme the user chose and the one that shows. `boot/start.js` does the same before the first paint.
import { useSyncExternalStore } from 'react';

export type ThemeChoice = 'system' | 'light' | 'dark';
export const themeChoices: readonly ThemeChoice[] = ['system', 'light', 'dark'];
const storageKey = 'fairlead.theme';

const listeners = new Set<() => void>();

export function readThemeChoice(): ThemeChoice {
  try {
    const stored = localStorage.getItem(storageKey);
    return themeChoices.find((choice) => choice === stored) ?? 'system';
  } catch {
    return 'system'; // storage is blocked: the choice lasts as long as the page
  }
}

const shownTheme = (choice: ThemeChoice, systemIsDark: boolean): 'light' | 'dark' =>
  choice === 'system' ? (systemIsDark ? 'dark' : 'light') : choice;

const systemQuery = () => matchMedia('(prefers-color-scheme: dark)');

function show(choice: ThemeChoice): void {
  document.documentElement.dataset['theme'] = shownTheme(choice, systemQuery().matches);
  for (const listener of listeners) listener();
}

export function chooseTheme(choice: ThemeChoice): void {
  try {
    localStorage.setItem(storageKey, choice);
  } catch {
    // storage is blocked; see readThemeChoice
  }
  show(choice);
}

/** Follows the system while the choice is `system`, and a choice made in another tab. */
export function followTheme(): () => void {
  const query = systemQuery();
  const again = () => show(readThemeChoice());
  query.addEventListener('change', again);
  addEventListener('storage', again);
  return () => {
    query.removeEventListener('change', again);
    removeEventListener('storage', again);
  };
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

export const useThemeChoice = (): ThemeChoice => useSyncExternalStore(subscribe, readThemeChoice);
