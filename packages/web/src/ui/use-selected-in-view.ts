import { type RefObject, useEffect, useRef } from 'react';

/** For a row of tabs that scrolls on narrow screens: the chosen one is in sight, also when a link led here. */
export function useSelectedInView<E extends HTMLElement>(selected: string): RefObject<E | null> {
  const list = useRef<E>(null);
  // biome-ignore lint/correctness/useExhaustiveDependencies: another choice is another place
  useEffect(() => {
    // In the next frame: tabs are drawn after their list.
    const frame = requestAnimationFrame(() => bringIntoView(list.current));
    return () => cancelAnimationFrame(frame);
  }, [selected]);
  return list;
}

function bringIntoView(row: HTMLElement | null): void {
  const tab = row?.querySelector<HTMLElement>('[data-selected], [aria-current="page"]');
  if (!row || !tab || row.scrollWidth <= row.clientWidth) return;
  const left = tab.getBoundingClientRect().left - row.getBoundingClientRect().left + row.scrollLeft;
  row.scrollLeft = left - (row.clientWidth - tab.offsetWidth) / 2;
}
