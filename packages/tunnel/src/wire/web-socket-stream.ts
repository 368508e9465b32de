// A byte stream over the binary messages of one WebSocket; text messages are the handshake's and come as 'control'.
// It listens from construction on, so that no message is lost between the handshake and HTTP/2 (a preface that nobody
// reads would hang both ends). Writing waits for the socket, reading pauses it: nothing is buffered without bound.
import { Duplex } from 'node:stream';
import { type Clock, systemClock } from '@fairlead/base';
import type { RawData, WebSocket } from 'ws';
import { TunnelProtocolError } from './errors.ts';
import { limits } from './limits.ts';

interface StreamEvents {
  readonly clock?: Clock;
}

export class WebSocketStream extends Duplex {
  readonly socket: WebSocket;
  readonly #clock: Clock;
  readonly #control: string[] = [];
  #binaryAllowed: boolean = false;
  #lastHeardMs: number;
  #writingSinceMs: number | undefined;

  constructor(socket: WebSocket, { clock = systemClock }: StreamEvents = {}) {
    super({ readableHighWaterMark: limits.bufferBytes, writableHighWaterMark: limits.bufferBytes });
    this.socket = socket;
    this.#clock = clock;
    this.#lastHeardMs = clock.monotonic();
    socket.on('message', (data, isBinary) => this.#onMessage(data, isBinary));
    socket.on('ping', () => this.#heard());
    socket.on('pong', () => this.#heard());
    socket.on('error', (error) => this.destroy(error));
    socket.on('close', () => {
      this.push(null);
      this.destroy();
    });
  }

  /** From here on HTTP/2 may begin. The runtime says so as soon as it has sent `hello`: the preface may arrive in the
   * same tick as `welcome`. */
  allowBinary(): void {
    this.#binaryAllowed = true;
  }

  takeControl(): string | undefined {
    return this.#control.shift();
  }

  /** How long the peer has been silent, or has not taken what we write: whichever is longer. */
  stalledMs(): number {
    const now = this.#clock.monotonic();
    return Math.max(now - this.#lastHeardMs, now - (this.#writingSinceMs ?? now));
  }

  #heard(): void {
    this.#lastHeardMs = this.#clock.monotonic();
  }

  #onMessage(data: RawData, isBinary: boolean): void {
    this.#heard();
    if (this.destroyed) return; // only the close handshake is still waited for
    const isExpected = isBinary ? this.#binaryAllowed : this.#control.length < limits.maxControlMessages;
    if (!isExpected) {
      this.destroy(new TunnelProtocolError(`unexpected ${isBinary ? 'binary' : 'text'} message`));
      return;
    }
    const bytes = data as Buffer; // ws gives one Buffer a message for its default binaryType
    if (!isBinary) {
      this.#control.push(bytes.toString('utf8'));
      this.emit('control');
    } else if (!this.push(bytes)) this.socket.pause();
  }

  override _read(): void {
    if (this.socket.isPaused) this.socket.resume();
  }

  override _write(chunk: Buffer, _encoding: string, done: (error?: Error | null) => void): void {
    this.#writingSinceMs = this.#clock.monotonic();
    this.#send(chunk, (error) => {
      this.#writingSinceMs = undefined;
      done(error);
    });
  }

  /** What piled up while a message was on its way goes as one: HTTP/2 writes frame by frame. */
  override _writev(
    pending: readonly { readonly chunk: Buffer; readonly encoding: string }[],
    done: (error?: Error | null) => void,
  ): void {
    this._write(Buffer.concat(pending.map(({ chunk }) => chunk)), '', done);
  }

  #send(chunk: Buffer, done: (error?: Error | null) => void): void {
    const part = chunk.subarray(0, limits.maxMessageBytes);
    const rest = chunk.subarray(part.length);
    this.socket.send(part, { binary: true }, (error) => {
      if (error || rest.length === 0) done(error ?? null);
      else this.#send(rest, done);
    });
  }

  override _final(done: (error?: Error | null) => void): void {
    this.socket.close(1000);
    done();
  }

  override _destroy(error: Error | null, done: (error: Error | null) => void): void {
    if (error instanceof TunnelProtocolError) this.socket.close(1002);
    else if (this.socket.readyState !== this.socket.CLOSING) this.socket.terminate();
    else if (this.socket.isPaused) this.socket.resume(); // or the peer's answer to our close would never be read
    done(error);
  }
}
