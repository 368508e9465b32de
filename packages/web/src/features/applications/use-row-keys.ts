import { useEffect, useState } from 'react';
import { useKeys } from '../../keyboard/index.ts';

interface RowKeys {
  readonly count: number;
  readonly scrollTo: (index: number) => void;
}

/** `j`/`k` walk the rows by moving the focus, so that Enter opens the row as any link; Escape lets go. */
export function useRowKeys({ count, scrollTo }: RowKeys): number | undefined {
  const [active, setActive] = useState<number>();
  const go = (step: 1 | -1) => {
    if (count === 0) return;
    const next = Math.min(count - 1, Math.max(0, active === undefined ? 0 : active + step));
    scrollTo(next);
    setActive(next);
  };
  const release = () => setActive(undefined);
  useKeys({ j: () => go(1), k: () => go(-1), Escape: release });
  useEffect(() => {
    const focused = document.activeElement;
    if (active === undefined) {
      if (focused instanceof HTMLElement && focused.dataset['row'] !== undefined) focused.blur();
      return;
    }
    // The row may be drawn only after the list has scrolled.
    const frame = requestAnimationFrame(() =>
      document.querySelector<HTMLElement>(`[data-row="${active}"]`)?.focus({ preventScroll: true }),
    );
    return () => cancelAnimationFrame(frame);
  }, [active]);
  return active !== undefined && active < count ? active : undefined;
}
