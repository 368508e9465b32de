import type { Clock } from '@fairlead/base';
import { KubeConnectionError } from '../client/index.ts';

interface IdleLimit {
  readonly signal: AbortSignal;
  /** Something was heard: the wait begins anew. */
  touch(): void;
  clear(): void;
}

/** A signal that also aborts after `limitMs` of silence: TCP alone never tells that the other side is gone. */
export function withIdleLimit(options: { signal: AbortSignal; limitMs: number; clock: Clock }): IdleLimit {
  const { signal, limitMs, clock } = options;
  const controller = new AbortController();
  const onAbort = () => controller.abort(signal.reason);
  if (signal.aborted) onAbort();
  signal.addEventListener('abort', onAbort, { once: true });
  let heardAtMs = clock.monotonic();
  let cancel = () => {};
  // One timer per limit rather than per event: it looks when it fires how long the silence really was.
  const arm = (ms: number) => {
    cancel = clock.after(ms, () => {
      const leftMs = heardAtMs + limitMs - clock.monotonic();
      if (leftMs > 0) return arm(leftMs);
      controller.abort(new KubeConnectionError(`watch was silent for ${limitMs} ms`, {}));
    });
  };
  arm(limitMs);
  return {
    signal: controller.signal,
    touch: () => {
      heardAtMs = clock.monotonic();
    },
    clear: () => {
      cancel();
      signal.removeEventListener('abort', onAbort);
    },
  };
}
