// An emulated provider as a person meets it: its REST API and git at one address, for the same token. The repositories
// themselves are kept by a built-in git server behind it.
import { createServer, type IncomingMessage, request, type ServerResponse } from 'node:http';
import { listen } from '@fairlead/base';
import { BuiltinProvider, type ProviderKind, ProviderRefusedError } from '../provider/index.ts';
import { type Answer, failWith } from './api-emulator.ts';
import { emulateProvider, type ProviderEmulator } from './provider-emulator.ts';

interface ServeOptions {
  readonly token: string;
  /** Gerrit and Bitbucket's API tokens. */
  readonly username?: string | undefined;
  /** The built-in git server that keeps the repositories. */
  readonly git: { readonly url: string; readonly apiKey: string };
}

export interface ServedProvider extends ProviderEmulator {
  readonly url: string;
  /** What git is answered instead, by `git-upload-pack demo/app` (or `git-receive-pack …`). */
  readonly gitAnswers: Map<string, Pick<Answer, 'status' | 'headers'>>;
  close(): Promise<void>;
}

/** The user name that git gives beside the token; absent: any. Gerrit wants the account's own. */
const gitUsers: Partial<Record<ProviderKind, string>> = {
  github: 'x-access-token',
  gitlab: 'oauth2',
  bitbucket: 'x-bitbucket-api-token-auth',
};

export async function serveProvider(
  kind: Exclude<ProviderKind, 'builtin'>,
  { token, username, git }: ServeOptions,
): Promise<ServedProvider> {
  const emulator = emulateProvider(kind, { token, username });
  const gitAnswers: ServedProvider['gitAnswers'] = new Map();
  const gitUser = kind === 'gerrit' ? username : gitUsers[kind];
  const server = createServer((incoming, response) => {
    const path = incoming.url ?? '';
    // Gerrit serves git below /a as well.
    const isApi =
      kind === 'gerrit' ? path.startsWith('/a/') && !/\.git\//.test(path) : path.startsWith(emulator.api.prefix);
    if (isApi) emulator.api.http.emit('request', incoming, response);
    else serveGit(incoming, response).catch(failWith(response, 502));
  });
  const { port, close } = await listen(server, { port: 0 });

  async function serveGit(incoming: IncomingMessage, response: ServerResponse): Promise<void> {
    const given = Buffer.from(incoming.headers.authorization?.split(' ')[1] ?? '', 'base64').toString('utf8');
    const [user = '', password] = given.split(':');
    if (password !== token || (gitUser !== undefined && user !== gitUser)) {
      response.writeHead(401, { 'www-authenticate': 'Basic realm="git"' }).end();
      return;
    }
    const path = (incoming.url ?? '').replace(/^\/a\//, '/');
    const fullName = /^\/([^/]+\/[^/]+)\.git\//.exec(path)?.[1] ?? '';
    const service = /git-(?:upload|receive)-pack/.exec(path)?.[0] ?? '';
    const instead = gitAnswers.get(`${service} ${fullName}`);
    if (instead) {
      response.writeHead(instead.status, instead.headers).end();
      return;
    }
    if (emulator.host.repositories.has(fullName)) await ensureRepository(git, fullName);
    passOn(incoming, response, { ...git, path });
  }

  return { ...emulator, gitAnswers, url: `http://127.0.0.1:${port}`, close: () => close(0) };
}

async function ensureRepository({ url, apiKey }: ServeOptions['git'], fullName: string): Promise<void> {
  const [organisation = '', name = ''] = fullName.split('/');
  const builtin = new BuiltinProvider({ url, apiKey });
  await builtin.createRepository({ organisation, name }).catch((error: unknown) => {
    if (!(error instanceof ProviderRefusedError)) throw error; // it is there
  });
}

function passOn(
  incoming: IncomingMessage,
  response: ServerResponse,
  { url, apiKey, path }: ServeOptions['git'] & { readonly path: string },
): void {
  const headers = { ...incoming.headers, authorization: `Basic ${Buffer.from(`x:${apiKey}`).toString('base64')}` };
  const passed = request(`${url}${path}`, { method: incoming.method, headers }, (answer) => {
    response.writeHead(answer.statusCode ?? 502, answer.headers);
    answer.pipe(response);
  });
  passed.on('error', () => response.destroy());
  incoming.pipe(passed);
}
