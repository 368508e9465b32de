// The numbers of the tunnel, in one place. What happens at each is said where it is used.

export interface TunnelTimings {
  /** A ping goes out this often … */
  readonly pingMs: number;
  /** … and a peer that was silent, or took no byte, for longer is dead, and cut at once. */
  readonly silenceMs: number;
  /** From the opened socket to `welcome`. */
  readonly handshakeMs: number;
  /** From the dial to the opened socket: longer than a platform lets one wait for its turn. */
  readonly upgradeMs: number;
}

export const defaultTimings: TunnelTimings = {
  pingMs: 5_000,
  silenceMs: 15_000,
  handshakeMs: 5_000,
  upgradeMs: 15_000,
};

const KiB = 1024;
const MiB = 1024 * KiB;

export const limits = {
  /** A larger WebSocket message closes the tunnel (1009). */
  maxMessageBytes: MiB,
  /** Pieces of one message, as frames and as reads from the socket; beyond it the tunnel is closed (1008). */
  maxFragments: 64,
  maxBufferedChunks: 16 * KiB,
  /** Sockets that have not proved who they are: of one address, and in all. One more waits for its turn … */
  maxUnprovenPerSource: 100,
  maxUnproven: 1_000,
  /** … so many of one address and in all, and not until the client gives up by itself; then they are answered 503. */
  maxWaitingPerSource: 2_000,
  maxWaiting: 8_000,
  waitingMs: 12_000,
  /** What a stalled reader of one stream may hold up; other streams go on. One stream carries so much per round trip: at
   * 50 ms 20 MB/s. */
  streamWindowBytes: MiB,
  /** What all stalled readers of one tunnel together may hold up. */
  tunnelWindowBytes: 64 * MiB,
  /** What is read ahead of a consumer, and written ahead of the socket. */
  bufferBytes: 256 * KiB,
  /** Memory of the HTTP/2 session, frames and headers included; beyond it new streams are refused by nghttp2. */
  sessionMemoryMiB: 128,
  /** Requests in flight per tunnel; one more is refused before it is sent. */
  maxStreams: 1_000,
  /** WebSockets among them: they may stay for hours, and must not take the place of requests. */
  maxUpgrades: 200,
  maxHeaderBytes: 64 * KiB,
  maxRequestBodyBytes: 32 * MiB,
  /** Handshake messages that may wait unread. */
  maxControlMessages: 4,
} as const;
