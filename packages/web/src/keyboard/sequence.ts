// Two-key jumps and single keys. A binding is written as it is typed: `g a`, `?`, `mod+k` (Ctrl, or ⌘ on a Mac).

export interface KeyStep {
  /** What was typed so far and may still become a binding; '' when nothing. */
  readonly pending: string;
  /** The binding that is complete now. */
  readonly matched?: string;
}

export function stepKeys(bindings: readonly string[], pending: string, key: string): KeyStep {
  const typed = pending === '' ? key : `${pending} ${key}`;
  if (bindings.includes(typed)) return { pending: '', matched: typed };
  if (bindings.some((binding) => binding.startsWith(`${typed} `))) return { pending: typed };
  // A wrong second key starts over: `g j` is `j`.
  return pending === '' ? { pending: '' } : stepKeys(bindings, '', key);
}

interface Typed {
  readonly key: string;
  readonly ctrlKey: boolean;
  readonly metaKey: boolean;
  readonly altKey: boolean;
}

/** The key as bindings write it, or undefined for what belongs to the browser. */
export function keyName({ key, ctrlKey, metaKey, altKey }: Typed): string | undefined {
  if (altKey || ['Shift', 'Control', 'Meta', 'Alt'].includes(key)) return undefined;
  return ctrlKey || metaKey ? `mod+${key.toLowerCase()}` : key;
}
