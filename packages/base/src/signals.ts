// Signals made of others. `AbortSignal.any` of Node 20 lets go of what it was made of: a timeout that nobody else holds is
// collected as garbage, and the deadline never comes.

/** What each was made of, for as long as it is needed itself. */
const sources = new WeakMap<AbortSignal, readonly AbortSignal[]>();

/** Aborts with the first of these. */
export function anySignal(signals: readonly AbortSignal[]): AbortSignal {
  // biome-ignore lint/plugin: the one place that makes up for it
  const any = AbortSignal.any([...signals]);
  sources.set(any, signals);
  return any;
}

/** Aborts with the signal, or when the time is over. */
export function withDeadline(signal: AbortSignal, ms: number): AbortSignal {
  return anySignal([signal, AbortSignal.timeout(ms)]);
}
