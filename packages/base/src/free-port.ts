import { createServer } from 'node:net';
import { FairleadError } from './errors.ts';
import type { Random } from './ids.ts';

/**
 * Below the range from which systems take ports for outgoing connections and for servers that ask for any, so that nobody
 * else comes to sit there by chance between the look and the use.
 */
const firstPort = 20_000;
const lastPort = 31_999;

interface FreePortOptions {
  readonly random?: Random;
  /** Not these, though nobody sits there. */
  readonly taken?: readonly number[];
}

/** A port of loopback where nobody listens now. */
export async function freePort({ random = Math.random, taken = [] }: FreePortOptions = {}): Promise<number> {
  for (let attempt = 0; attempt < 200; attempt++) {
    const port = firstPort + Math.floor(random() * (lastPort - firstPort));
    if (!taken.includes(port) && (await isPortFree(port))) return port;
  }
  throw new FairleadError('no_free_port', `no free port between ${firstPort} and ${lastPort} on this machine`);
}

export function isPortFree(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const probe = createServer();
    probe.once('error', () => resolve(false));
    probe.listen({ port, host: '127.0.0.1', exclusive: true }, () => probe.close(() => resolve(true)));
  });
}
