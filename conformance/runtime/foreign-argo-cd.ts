// An Argo CD of others, as a runtime sees it: only its REST API, under a root path, for an account with a password. Behind
// it is our engine; what Argo CD's own API does not have is answered with 404 and written down, and so is every call.
import { randomBytes } from 'node:crypto';
import { createServer, type IncomingMessage, type ServerResponse, request as sendRequest } from 'node:http';
import { json } from 'node:stream/consumers';
import { listen } from '@fairlead/base';

/** Of Argo CD 3.3's swagger: what its API server has, with `{}` for one part of a path. */
const known = [
  'GET /api/version',
  'POST /api/v1/session',
  'GET /api/v1/session/userinfo',
  'GET /api/v1/settings',
  'GET /api/v1/applications',
  'GET /api/v1/applications/{}',
  'GET /api/v1/applications/{}/resource-tree',
  'GET /api/v1/applications/{}/managed-resources',
  'GET /api/v1/applications/{}/manifests',
  'GET /api/v1/applications/{}/events',
  'GET /api/v1/applications/{}/logs',
  'GET /api/v1/applications/{}/pods/{}/logs',
  'GET /api/v1/applications/{}/resource',
  'POST /api/v1/applications/{}/resource',
  'DELETE /api/v1/applications/{}/resource',
  'GET /api/v1/applications/{}/resource/actions',
  'POST /api/v1/applications/{}/resource/actions',
  'POST /api/v1/applications/{}/resource/actions/v2',
  'GET /api/v1/applications/{}/revisions/{}/metadata',
  'GET /api/v1/applications/{}/revisions/{}/chartdetails',
  'POST /api/v1/applications/{}/sync',
  'POST /api/v1/applications/{}/rollback',
  'DELETE /api/v1/applications/{}/operation',
  'GET /api/v1/stream/applications',
  'GET /api/v1/clusters',
  'GET /api/v1/projects',
  'GET /api/v1/projects/{}',
  'GET /api/v1/repositories',
].map((line) => new RegExp(`^${line.replaceAll('/', '\\/').replaceAll('{}', '[^/]+')}$`));

export interface ForeignArgoCd {
  readonly url: string;
  readonly password: string;
  /** Every call: method and path. */
  readonly calls: readonly string[];
  /** Calls of what Argo CD does not have, or not in the form it wants. */
  readonly strange: readonly string[];
  sessions: number;
  version: string;
  /** Ends all sessions, as a restart with another signing key would. */
  endSessions(): void;
  stop(): Promise<void>;
}

export async function startForeignArgoCd(engine: { url: string; token: string }): Promise<ForeignArgoCd> {
  const calls: string[] = [];
  const strange: string[] = [];
  const tokens = new Set<string>();
  const password = randomBytes(9).toString('hex');
  const root = '/argo';
  const state = { sessions: 0, version: 'v3.3.10+0a1b2c3' };

  const refuse = (response: ServerResponse, status: number, message: string) => {
    response.writeHead(status, { 'content-type': 'application/json' });
    response.end(JSON.stringify({ error: message, code: 16, message }));
  };
  const openSession = async (request: IncomingMessage, response: ServerResponse) => {
    const body = (await json(request)) as { username?: string; password?: string };
    if (body.username !== 'fairlead' || body.password !== password) {
      return refuse(response, 401, 'Invalid username or password');
    }
    const token = randomBytes(12).toString('hex');
    tokens.add(token);
    state.sessions++;
    response.end(JSON.stringify({ token }));
  };
  const server = createServer((request, response) => {
    const path = (request.url ?? '').slice(root.length);
    const [place = ''] = path.split('?');
    const call = `${request.method} ${place}`;
    calls.push(call);
    if (!request.url?.startsWith(`${root}/`) || !known.some((each) => each.test(call))) {
      strange.push(call);
      return refuse(response, 404, 'Not Found');
    }
    if (request.method !== 'GET' && request.headers['content-type'] !== 'application/json') {
      strange.push(`${call} without a content type`);
      return refuse(response, 415, 'Invalid content type');
    }
    if (place === '/api/version') return void response.end(JSON.stringify({ Version: state.version }));
    if (place === '/api/v1/session') {
      openSession(request, response).catch(() => response.destroy()); // who asked has gone
      return;
    }
    if (!tokens.has((request.headers.authorization ?? '').replace('Bearer ', ''))) {
      return refuse(response, 401, 'no session information');
    }
    const headers = { ...request.headers, host: new URL(engine.url).host, authorization: `Bearer ${engine.token}` };
    const onward = sendRequest(`${engine.url}${path}`, { method: request.method ?? 'GET', headers }, (answer) => {
      response.writeHead(answer.statusCode ?? 502, answer.headers);
      answer.pipe(response);
    });
    onward.on('error', () => response.destroy());
    response.on('close', () => onward.destroy());
    request.pipe(onward);
  });
  const { port, close } = await listen(server, { port: 0 });
  return Object.assign(state, {
    url: `http://127.0.0.1:${port}${root}/`,
    password,
    calls,
    strange,
    endSessions: () => tokens.clear(),
    stop: () => close(0),
  });
}
