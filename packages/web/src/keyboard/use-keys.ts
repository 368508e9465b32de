import { useEffect, useRef } from 'react';
import { useClock } from '../services/index.ts';
import { keyName, stepKeys } from './sequence.ts';

export type KeyBindings = Readonly<Record<string, () => void>>;

const sequenceMs = 1200;

const elsewhere = 'input, textarea, select, [contenteditable="true"], [role="dialog"], [role="menu"], [role="listbox"]';

const isElsewhere = (target: EventTarget | null): boolean =>
  target instanceof HTMLElement && target.closest(elsewhere) !== null;

/** Listens on the whole page. Keys typed into a field, a dialog or a menu are not ours, `mod+…` excepted. */
export function useKeys(bindings: KeyBindings): void {
  const latest = useRef(bindings);
  latest.current = bindings;
  const clock = useClock();
  useEffect(() => {
    let pending = '';
    let cancel = () => {};
    const listen = (event: KeyboardEvent) => {
      const key = keyName(event);
      if (!key || event.defaultPrevented) return;
      if (!key.startsWith('mod+') && isElsewhere(event.target)) return;
      const step = stepKeys(Object.keys(latest.current), pending, key);
      pending = step.pending;
      cancel();
      if (pending !== '') {
        cancel = clock.after(sequenceMs, () => {
          pending = '';
        });
      }
      if (step.matched === undefined) return;
      event.preventDefault();
      latest.current[step.matched]?.();
    };
    addEventListener('keydown', listen);
    return () => {
      cancel();
      removeEventListener('keydown', listen);
    };
  }, [clock]);
}
