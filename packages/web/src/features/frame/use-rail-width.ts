import { useState } from 'react';

const storageKey = 'fairlead.rail';

function read(): boolean {
  try {
    return localStorage.getItem(storageKey) === 'narrow';
  } catch {
    return false; // storage is blocked: wide
  }
}

/** Whether the rail is narrow; remembered in the browser. */
export function useRailWidth(): { readonly isNarrow: boolean; readonly toggle: () => void } {
  const [isNarrow, setNarrow] = useState(read);
  const toggle = () => {
    setNarrow(!isNarrow);
    try {
      localStorage.setItem(storageKey, isNarrow ? 'wide' : 'narrow');
    } catch {
      // it lasts as long as the page
    }
  };
  return { isNarrow, toggle };
}
