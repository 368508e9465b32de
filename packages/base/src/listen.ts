import type { Server } from 'node:http';
import type { Server as SecureServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { FairleadError } from './errors.ts';

interface Listening {
  readonly port: number;
  readonly host: string;
  /** Stops accepting, ends idle connections at once and the others after `graceMs`. */
  close(graceMs?: number): Promise<void>;
}

/**
 * Longer than any client of ours, and most proxies, keep an idle connection: with Node's 5 s a request often met a
 * connection that was just being closed.
 */
const keepAliveMs = 120_000;

/** Starts a server on `host:port` (0 picks a free port) and gives back how to stop it. */
export function listen(
  server: Server | SecureServer,
  { host = '127.0.0.1', port }: { host?: string; port: number },
): Promise<Listening> {
  return new Promise((resolve, reject) => {
    const onError = (cause: NodeJS.ErrnoException) => {
      const reason = cause.code === 'EADDRINUSE' ? 'is taken by another program' : `cannot be opened (${cause.code})`;
      reject(new FairleadError('listen_failed', `port ${port} on ${host} ${reason}`, { cause }));
    };
    server.keepAliveTimeout = keepAliveMs;
    server.once('error', onError);
    server.listen({ host, port }, () => {
      server.off('error', onError);
      const address = server.address() as AddressInfo; // TCP servers have an AddressInfo once listening
      resolve({ port: address.port, host, close: (graceMs) => closeServer(server, graceMs) });
    });
  });
}

function closeServer(server: Server | SecureServer, graceMs = 1000): Promise<void> {
  return new Promise((resolve) => {
    const cut = setTimeout(() => server.closeAllConnections(), graceMs);
    server.close(() => {
      clearTimeout(cut);
      resolve();
    });
    server.closeIdleConnections();
  });
}
