// A TCP proxy in front of a server that does to connections what bad networks do: cuts them, stalls them, leaves them half
// open, holds bytes back. Faults are asked for by the caller; what is not asked for passes untouched.
import { connect, createServer, type Server, type Socket } from 'node:net';

export type Fault = 'reset' | 'end' | 'stall' | 'half-open' | 'cut-after-bytes';
export const faults: readonly Fault[] = ['reset', 'end', 'stall', 'half-open', 'cut-after-bytes'];

interface Pair {
  readonly client: Socket;
  readonly server: Socket;
}

export class FaultProxy {
  readonly #server: Server;
  readonly #pairs = new Set<Pair>();
  /** How often each fault met at least one connection. */
  readonly injected = new Map<Fault, number>();

  private constructor(server: Server) {
    this.#server = server;
  }

  static async start(target: { host: string; port: number }): Promise<FaultProxy> {
    const server = createServer({ allowHalfOpen: true });
    const proxy = new FaultProxy(server);
    server.on('connection', (client) => proxy.#join(client, target));
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    return proxy;
  }

  get port(): number {
    const address = this.#server.address();
    return typeof address === 'object' && address ? address.port : 0;
  }

  /** Hits every connection that `isHit` picks; resolves to how many. */
  inject(fault: Fault, isHit: () => boolean): number {
    const hit = [...this.#pairs].filter(isHit);
    for (const pair of hit) act(fault, pair);
    if (hit.length > 0) this.injected.set(fault, (this.injected.get(fault) ?? 0) + 1);
    return hit.length;
  }

  async stop(): Promise<void> {
    for (const { client, server } of this.#pairs) {
      client.destroy();
      server.destroy();
    }
    await new Promise((resolve) => this.#server.close(resolve));
  }

  #join(client: Socket, target: { host: string; port: number }): void {
    const server = connect({ ...target, allowHalfOpen: true });
    const pair = { client, server };
    this.#pairs.add(pair);
    const leave = () => {
      this.#pairs.delete(pair);
      client.destroy();
      server.destroy();
    };
    for (const socket of [client, server]) {
      socket.on('error', leave);
      socket.on('close', leave);
    }
    client.pipe(server);
    server.pipe(client);
  }
}

function act(fault: Fault, { client, server }: Pair): void {
  if (fault === 'reset') client.resetAndDestroy();
  else if (fault === 'end') {
    client.end();
    server.end();
  } else if (fault === 'stall') {
    // Nothing flows in either direction, and nobody is told.
    server.unpipe(client);
    client.unpipe(server);
    server.pause();
    client.pause();
  } else if (fault === 'half-open') {
    // The client goes on asking; no answer ever comes back.
    server.unpipe(client);
    server.resume();
  } else {
    server.unpipe(client);
    server.once('data', (chunk: Buffer) => {
      client.write(chunk.subarray(0, Math.ceil(chunk.length / 2)));
      client.resetAndDestroy();
    });
    server.resume();
  }
}
