import { type RefObject, useLayoutEffect } from 'react';

/** Tells how far down the page the element begins, whenever what stands above it grows or goes. */
export function useOffsetTop(element: RefObject<HTMLElement | null>, onChange: (offset: number) => void): void {
  useLayoutEffect(() => {
    const measure = () => onChange(element.current?.offsetTop ?? 0);
    measure();
    // Watching the siblings would miss new ones; the page as a whole changes its height with each of them.
    const page = element.current?.parentElement?.parentElement;
    if (!page) return;
    const observer = new ResizeObserver(measure);
    observer.observe(page);
    return () => observer.disconnect();
  }, [element, onChange]);
}
