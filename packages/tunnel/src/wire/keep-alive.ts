// Both ends ping and both ends judge: a peer that is silent, or takes no byte, is dead even when TCP says nothing.
import { type Clock, type Logger, systemClock } from '@fairlead/base';
import type { TunnelTimings } from './limits.ts';
import type { WebSocketStream } from './web-socket-stream.ts';

interface KeepAliveOptions {
  readonly timings: TunnelTimings;
  readonly log: Logger;
  readonly clock?: Clock;
}

/** Runs until the stream closes; terminates it when the peer is dead. */
export function keepAlive(stream: WebSocketStream, { timings, log, clock = systemClock }: KeepAliveOptions): void {
  let cancel: () => void = () => undefined;
  const beat = () => {
    const stalledMs = stream.stalledMs();
    if (stalledMs > timings.silenceMs) {
      log.warn({ stalledMs: Math.round(stalledMs) }, 'tunnel peer is dead, cutting');
      stream.destroy();
      return;
    }
    if (stream.socket.readyState === stream.socket.OPEN) stream.socket.ping();
    // Not one ping later: the silence that is allowed may end in between.
    const untilDeadMs = timings.silenceMs - stalledMs + 1;
    cancel = clock.after(Math.max(1, Math.min(timings.pingMs, untilDeadMs)), beat);
  };
  cancel = clock.after(timings.pingMs, beat);
  stream.once('close', () => cancel());
}
