// Both ends over real sockets, with a TCP relay in between that can cut or swallow what passes.
import { createServer, type RequestListener, type Server } from 'node:http';
import { type AddressInfo, connect, createServer as createTcpServer, type Socket } from 'node:net';
import { listen, type Random } from '@fairlead/base';
import { type DialOptions, dialTunnel, type TunnelState } from './client/index.ts';
import { type AcceptOptions, acceptTunnels, type TunnelServer, type TunnelSession } from './server/index.ts';
import { defaultTimings, type TunnelTimings } from './wire/index.ts';

export const shortTimings: TunnelTimings = { pingMs: 40, silenceMs: 150, handshakeMs: 1_000, upgradeMs: 1_000 };

export interface TestPlatform {
  readonly url: string;
  readonly port: number;
  readonly tunnels: TunnelServer;
  readonly opened: TunnelSession[];
  stop(): Promise<void>;
}

/** A platform end whose runtimes prove themselves with `proof-of:<id>:<nonce>`. */
export async function startPlatform(options: Partial<AcceptOptions> = {}): Promise<TestPlatform> {
  const opened: TunnelSession[] = [];
  const tunnels = acceptTunnels({
    authenticate: ({ proof, nonce }) => {
      const [, runtimeId = '', given] = proof.split(':');
      if (given !== nonce) return Promise.reject(new Error('wrong nonce'));
      return Promise.resolve({ runtimeId });
    },
    onSession: (session) => opened.push(session),
    ...options,
  });
  const server = createServer();
  server.on('upgrade', (request, socket, head) => tunnels.handleUpgrade(request, socket, head));
  const { port, close } = await listen(server, { port: 0 });
  return {
    url: `ws://127.0.0.1:${port}/api/v1/tunnel`,
    port,
    tunnels,
    opened,
    async stop() {
      await tunnels.close();
      await close(0);
    },
  };
}

export interface Relay {
  readonly url: string;
  cut(): void;
  /** As soon as so many bytes more have passed, both ways together. */
  cutAfter(bytes: number): void;
  /** Both sockets stay open and nothing passes any more: a true half-open line. */
  swallow(): void;
  /** What was swallowed stays so, and its sockets end; new ones pass. */
  mend(): void;
  stop(): Promise<void>;
}

export async function startRelay(targetPort: number): Promise<Relay> {
  const sockets = new Set<Socket>();
  let swallowing = false;
  let bytesLeft = Number.POSITIVE_INFINITY;
  const pass = (chunk: Buffer, to: Socket) => {
    to.write(chunk.subarray(0, Math.min(chunk.length, bytesLeft)));
    bytesLeft -= chunk.length;
    if (bytesLeft <= 0) cut();
  };
  const cut = () => {
    bytesLeft = Number.POSITIVE_INFINITY;
    for (const socket of sockets) socket.destroy();
  };
  const server = createTcpServer((near) => {
    const far = connect(targetPort, '127.0.0.1');
    for (const [from, to] of [
      [near, far],
      [far, near],
    ] as const) {
      sockets.add(from);
      from.on('data', (chunk) => {
        if (!swallowing) pass(chunk, to);
      });
      from.on('error', () => undefined);
      from.on('close', () => {
        sockets.delete(from);
        if (!swallowing) to.destroy();
      });
    }
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: `ws://127.0.0.1:${port}/api/v1/tunnel`,
    cut,
    cutAfter(bytes) {
      bytesLeft = bytes;
    },
    swallow() {
      swallowing = true;
    },
    mend() {
      swallowing = false;
      cut();
    },
    async stop() {
      cut();
      await new Promise<void>((resolve) => server.close(() => resolve()));
    },
  };
}

export async function startOrigin(server: Server): Promise<{ url: string; stop(): Promise<void> }> {
  const { port, close } = await listen(server, { port: 0 });
  return { url: `http://127.0.0.1:${port}`, stop: () => close(0) };
}

/** Waits for a condition; fails with its name after `withinMs`. */
export async function eventually<T>(what: string, probe: () => T | undefined | false, withinMs = 45_000): Promise<T> {
  const deadline = performance.now() + withinMs;
  for (;;) {
    const value = probe();
    if (value !== undefined && value !== false) return value;
    if (performance.now() > deadline) throw new Error(`never happened: ${what}`);
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
}

const stops: (() => Promise<void> | void)[] = [];
/** What is started is ended by `stopAll`, in reverse order. */
export const atEnd = (stop: () => Promise<void> | void) => void stops.push(stop);
export async function stopAll(): Promise<void> {
  for (const stop of stops.splice(0).reverse()) await stop();
}

export function dial(options: Pick<DialOptions, 'url' | 'origin'> & Partial<DialOptions> & { runtimeId?: string }) {
  const controller = new AbortController();
  const states: TunnelState[] = [];
  const done = dialTunnel({
    proof: (nonce) => Promise.resolve(`proof-of:${options.runtimeId ?? 'runtime-1'}:${nonce}`),
    runtimeVersion: '0.1.0',
    backoff: { baseMs: 10, maxMs: 50 },
    onState: (state) => states.push(state),
    signal: controller.signal,
    ...options,
  });
  const settled = done.then(
    () => undefined,
    (error: unknown) => error,
  );
  atEnd(async () => {
    controller.abort();
    await settled;
  });
  return { states, settled };
}

/** Short timings only where a dead line is to be found: a busy machine must not look like one. */
export async function pair(
  answer: RequestListener | Server,
  options: { relayed?: boolean; timings?: TunnelTimings } = {},
) {
  const { timings = defaultTimings } = options;
  const platform = await startPlatform({ timings });
  atEnd(() => platform.stop());
  const origin = await startOrigin(typeof answer === 'function' ? createServer(answer) : answer);
  atEnd(() => origin.stop());
  const relay = options.relayed ? await startRelay(platform.port) : undefined;
  if (relay) atEnd(() => relay.stop());
  const client = dial({ url: relay?.url ?? platform.url, origin: origin.url, timings });
  const session = await eventually('a session', () => platform.tunnels.session('runtime-1'));
  return { platform, origin, relay, session, client };
}

/** The same numbers for the same seed, from 0 to 1 (a linear congruence of Knuth's). */
export function seeded(seed: number): Random {
  let state = seed >>> 0;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
}
