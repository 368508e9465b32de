import type { IncomingMessage } from 'node:http';
import type { HttpBindings } from '@hono/node-server';
import type { RequestCredentials } from '../auth/index.ts';
import { isSameOrigin, sessionCookieName } from '../auth/index.ts';
import { ApiFailure } from './failure.ts';

export interface ApiEnv {
  readonly Bindings: HttpBindings;
  readonly Variables: {
    requestId: string;
    route: string /** Of an answer that has left already. */;
    sentStatus?: number;
  };
}

export function credentialsOf(request: IncomingMessage): RequestCredentials {
  return { authorization: request.headers.authorization, sessionToken: sessionTokenOf(request) };
}

export function sessionTokenOf(request: IncomingMessage): string | undefined {
  for (const pair of (request.headers.cookie ?? '').split(';')) {
    const [name, value] = pair.trim().split('=', 2);
    if (name === sessionCookieName && value) return value;
  }
  return undefined;
}

/** Throws when a request that changes something could have been caused by another site's page. */
export function refuseForeignPages(request: IncomingMessage): void {
  if (request.method === 'GET' || request.method === 'HEAD') return;
  const { authorization, origin, host } = request.headers;
  if (authorization !== undefined) return; // no page of another site can set it
  const secFetchSite = header(request, 'sec-fetch-site');
  const isFromBrowser = origin !== undefined || secFetchSite !== undefined;
  if (!isFromBrowser && sessionTokenOf(request) === undefined) return;
  if (!isSameOrigin({ secFetchSite, origin, host })) {
    throw new ApiFailure('forbidden', 'this request does not come from a page of this platform');
  }
}

function header(request: IncomingMessage, name: string): string | undefined {
  const value = request.headers[name];
  return typeof value === 'string' ? value : undefined;
}
