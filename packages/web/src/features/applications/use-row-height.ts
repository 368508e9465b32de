import { useSyncExternalStore } from 'react';

const query = () => matchMedia('(width >= 700px)');

function subscribe(listener: () => void): () => void {
  const media = query();
  media.addEventListener('change', listener);
  return () => media.removeEventListener('change', listener);
}

/** One line on a wide window, two on a phone. */
export const useRowHeight = (): number => useSyncExternalStore(subscribe, () => (query().matches ? 36 : 56));
