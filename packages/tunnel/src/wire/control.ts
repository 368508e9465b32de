// Handshake messages: JSON texts, checked by their schema, each waited for with a deadline.
import { type Clock, systemClock } from '@fairlead/base';
import type { Checked } from '@fairlead/contracts';
import { TunnelCutError, TunnelProtocolError } from './errors.ts';
import type { WebSocketStream } from './web-socket-stream.ts';

interface NextOptions<T> {
  readonly check: (value: unknown) => Checked<T>;
  readonly timeoutMs: number;
  readonly clock?: Clock;
}

export function sendControl(stream: WebSocketStream, message: object): void {
  stream.socket.send(JSON.stringify(message));
}

export async function nextControl<T>(stream: WebSocketStream, options: NextOptions<T>): Promise<T> {
  const text = await nextText(stream, options);
  let parsed: unknown;
  try {
    parsed = JSON.parse(text);
  } catch {
    throw new TunnelProtocolError('a handshake message is not JSON');
  }
  const checked = options.check(parsed);
  if (checked.ok) return checked.value;
  const [problem] = checked.problems;
  throw new TunnelProtocolError(`bad handshake message: ${problem?.field} ${problem?.reason}`);
}

function nextText(stream: WebSocketStream, options: NextOptions<unknown>): Promise<string> {
  const waiting = stream.takeControl();
  if (waiting !== undefined) return Promise.resolve(waiting);
  const { timeoutMs, clock = systemClock } = options;
  return new Promise((resolve, reject) => {
    const settle = (act: () => void) => {
      cancel();
      stream.off('control', onControl);
      stream.off('close', onClose);
      stream.off('error', onClose);
      act();
    };
    const onControl = () => settle(() => resolve(stream.takeControl() ?? ''));
    const onClose = (cause?: unknown) =>
      settle(() => reject(new TunnelCutError('the tunnel closed in the handshake', { maybeDelivered: false, cause })));
    const cancel = clock.after(timeoutMs, () =>
      settle(() => reject(new TunnelProtocolError(`no handshake message within ${timeoutMs} ms`))),
    );
    stream.on('control', onControl);
    stream.on('close', onClose);
    stream.on('error', onClose);
  });
}
