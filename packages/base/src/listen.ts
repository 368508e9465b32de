import type { Server, ServerResponse } from 'node:http';
import type { Server as SecureServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { FairleadError } from './errors.ts';

interface Listening {
  readonly port: number;
  readonly host: string;
  /**
   * Stops accepting and ends idle connections at once. What has begun is answered, and its connection ends with it, so that nobody's
   * next request meets one that is being closed; what is not over after `graceMs` is cut.
   */
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
    const answers = answersOf(server);
    server.once('error', onError);
    server.listen({ host, port }, () => {
      server.off('error', onError);
      const address = server.address() as AddressInfo; // TCP servers have an AddressInfo once listening
      resolve({ port: address.port, host, close: (graceMs) => closeServer(server, answers, graceMs) });
    });
  });
}

/** Those that are under way. */
function answersOf(server: Server | SecureServer): ReadonlySet<ServerResponse> {
  const answers = new Set<ServerResponse>();
  server.prependListener('request', (_, response: ServerResponse) => {
    answers.add(response);
    response.once('close', () => answers.delete(response));
    if (!server.listening) response.setHeader('connection', 'close');
  });
  return answers;
}

function closeServer(
  server: Server | SecureServer,
  answers: ReadonlySet<ServerResponse>,
  graceMs = 1000,
): Promise<void> {
  return new Promise((resolve) => {
    const cut = setTimeout(() => server.closeAllConnections(), graceMs);
    server.close(() => {
      clearTimeout(cut);
      resolve();
    });
    server.closeIdleConnections();
    for (const answer of answers) {
      if (!answer.headersSent) answer.setHeader('connection', 'close');
      // One whose head has left could not say so; its connection is idle a moment after its end.
      else answer.once('close', () => setImmediate(() => server.closeIdleConnections()));
    }
  });
}
