// The body of an answer. A reset stream ends like a finished one; only its reset code tells the difference, so the end is
// passed on when the stream has closed and not before. No PassThrough and no pipe: for a small answer they cost more
// than everything else that this end does.
import { type ClientHttp2Stream, constants } from 'node:http2';
import { Readable } from 'node:stream';
import { limits, TunnelCutError } from '../wire/index.ts';

export class AnswerBody extends Readable {
  readonly #stream: ClientHttp2Stream;
  #isEnded = false;

  constructor(stream: ClientHttp2Stream) {
    super({ highWaterMark: limits.bufferBytes });
    this.#stream = stream;
    stream.on('data', (chunk: Buffer) => {
      if (!this.push(chunk)) stream.pause();
    });
    stream.once('end', () => {
      this.#isEnded = true;
    });
    stream.once('close', () => this.#onClose());
  }

  #onClose(): void {
    if (this.destroyed) return;
    if (this.#isEnded && this.#stream.rstCode === constants.NGHTTP2_NO_ERROR) this.push(null);
    else this.destroy(new TunnelCutError('the tunnel was cut in the answer', { maybeDelivered: true }));
  }

  override _read(): void {
    if (this.#stream.isPaused()) this.#stream.resume();
  }

  override _destroy(error: Error | null, done: (error: Error | null) => void): void {
    if (!this.#stream.closed) this.#stream.close(constants.NGHTTP2_CANCEL);
    done(error);
  }
}
