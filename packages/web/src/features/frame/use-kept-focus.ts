import { type RefObject, useEffect } from 'react';

/**
 * Whoever works with the keyboard stays in the page: when the control in use goes away or is switched off with what it
 * did ("Back to now", "Choose none"), the page takes the focus, and not the top of the document.
 */
export function useKeptFocus(page: RefObject<HTMLElement | null>): void {
  useEffect(() => {
    const { current } = page;
    if (!current) return;
    let inUse: HTMLElement | undefined;
    const onFocusIn = ({ target }: FocusEvent) => {
      inUse = target instanceof HTMLElement && target !== current ? target : undefined;
    };
    // Left by itself, by a press on nothing: that is no loss. A control that went away is told by the observer.
    const onFocusOut = () =>
      queueMicrotask(() => {
        if (inUse && isUsable(inUse) && document.activeElement !== inUse) inUse = undefined;
      });
    const observer = new MutationObserver(() => {
      if (!inUse || isUsable(inUse)) return;
      const isLost = document.activeElement === document.body || document.activeElement === inUse;
      inUse = undefined;
      if (isLost) current.focus({ preventScroll: true });
    });
    current.addEventListener('focusin', onFocusIn);
    current.addEventListener('focusout', onFocusOut);
    observer.observe(current, { childList: true, subtree: true, attributeFilter: ['disabled'] });
    return () => {
      observer.disconnect();
      current.removeEventListener('focusin', onFocusIn);
      current.removeEventListener('focusout', onFocusOut);
    };
  }, [page]);
}

const isUsable = (control: HTMLElement) => control.isConnected && !control.matches(':disabled');
