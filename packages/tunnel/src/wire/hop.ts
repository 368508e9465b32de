// One hop to a fixed neighbour over HTTP/1.1. A kept connection may be closed by the far end at the very moment it is
// used again; nobody can then tell whether the request was read. So only what may be sent twice goes over kept
// connections, and a failed hop says what is known of the request.
import { Agent, type ClientRequest } from 'node:http';
import type { TLSSocket } from 'node:tls';

/** `unseen`: no connection came about, the far end certainly read nothing. `cut`: it may have acted. */
export type HopFailure = 'unseen' | 'cut';

/** Our servers keep idle connections longer than this (`listen`), so that they are given up on this side. */
const keptIdleMs = 15_000;

/** Fewer than come at once in a burst, and each burst would open most of its connections anew. */
const maxIdle = 64;

export class KeptConnections {
  readonly #kept = new Agent({ keepAlive: true, maxSockets: 256, maxFreeSockets: maxIdle, timeout: keptIdleMs });
  /** As many acts at a time; more wait. */
  readonly #fresh = new Agent({ keepAlive: false, maxSockets: 256 });

  agentFor(method: string): Agent {
    return method === 'GET' || method === 'HEAD' ? this.#kept : this.#fresh;
  }

  close(): void {
    this.#kept.destroy();
    this.#fresh.destroy();
  }
}

/** To be called when the request is made; what it gives back, when it has failed. */
export function watchHop(request: ClientRequest): () => HopFailure {
  let failure: HopFailure = 'unseen';
  request.once('socket', (socket) => {
    const reached = () => {
      failure = 'cut';
    };
    // Not `reusedSocket`: it is not set on a connection that goes straight from one request to the next.
    if (!socket.connecting) reached();
    else socket.once((socket as TLSSocket).encrypted === true ? 'secureConnect' : 'connect', reached);
  });
  return () => failure;
}
