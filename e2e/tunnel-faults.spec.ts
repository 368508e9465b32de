// The line between a runtime and the platform: half-open, cut, healed, revoked, and used by two at once.
import type { ChildProcess } from 'node:child_process';
import { createServer as createHttpServer, type Server } from 'node:http';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import { join } from 'node:path';
import { KubeClient, loadKubeconfig } from '@fairlead/kube';
import { expect, test } from '@playwright/test';
import { spawnRole } from '../conformance/role-process.ts';
import { eventually, Fairlead, temporaryHome } from './harness.ts';

/** Passes bytes to the platform, until it is told to swallow them: then nobody learns that nothing arrives. */
class Relay {
  readonly #sockets = new Set<Socket>();
  readonly #server;
  #swallowing = false;

  constructor(targetPort: number) {
    this.#server = createServer((near) => {
      const far = connect(targetPort, '127.0.0.1');
      const swallowed = this.#swallowing;
      const pipe = (from: Socket, to: Socket) => {
        this.#sockets.add(from);
        from.on('data', (chunk) => {
          if (!this.#swallowing && !swallowed) to.write(chunk);
        });
        from.on('error', () => undefined);
        from.on('close', () => {
          this.#sockets.delete(from);
          if (!this.#swallowing) to.destroy();
        });
      };
      pipe(near, far);
      pipe(far, near);
    });
  }

  async listen(): Promise<string> {
    await new Promise<void>((resolve) => this.#server.listen(0, '127.0.0.1', resolve));
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  swallow(): void {
    this.#swallowing = true;
  }

  /** What was open stays dead: its bytes are lost. */
  heal(): void {
    this.cut();
    this.#swallowing = false;
  }

  cut(): void {
    for (const socket of this.#sockets) socket.destroy();
  }

  stop(): void {
    this.cut();
    this.#server.close();
  }
}

async function statusOf(fairlead: Fairlead): Promise<string> {
  return (await fairlead.get<{ status: string }>('/runtimes/r2')).status;
}

/** A small read that goes all the way to the app-proxy of the runtime. */
function ask(fairlead: Fairlead): Promise<Response> {
  return fetch(`${fairlead.endpoints.platform}/api/v1/runtimes/r2/configuration`, {
    headers: { authorization: `Bearer ${fairlead.apiKey}` },
    signal: AbortSignal.timeout(5_000),
  });
}

async function becomes(fairlead: Fairlead, status: string, withinMs: number): Promise<void> {
  await eventually(
    `r2 is ${status}`,
    () => statusOf(fairlead),
    (now) => now === status,
    withinMs,
  );
}

const home = temporaryHome();
let fairlead: Fairlead;

test.beforeAll(async () => {
  fairlead = await Fairlead.start(home);
  await fairlead.run('runtime', 'install', '--name', 'r2', '--embedded');
});

test.afterAll(() => fairlead.stop());

const refusal = { code: 'conflict', message: 'this is the twin', requestId: '' };

test('two clients with one identity are never both asked', async () => {
  test.setTimeout(180_000);
  const stranger = createHttpServer((_request, response) =>
    response.writeHead(409, { 'content-type': 'application/json' }).end(JSON.stringify(refusal)),
  );
  let twin: ChildProcess | undefined;
  try {
    twin = await startTwin(stranger, join(home, 'runtimes/r2/kubeconfig'));
    const answers = async () => (await Promise.all(Array.from({ length: 20 }, () => ask(fairlead)))).map(whoAnswered);
    await eventually('the newer client takes over', answers, (who) => who.every((each) => each === 'twin'), 30_000);
    for (let round = 0; round < 10; round++) expect(new Set(await answers()).size, 'one of them at a time').toBe(1);
    twin.kill('SIGKILL');
    await eventually('the first is asked again', answers, (who) => who.every((each) => each === 'r2'), 40_000);
  } finally {
    twin?.kill('SIGKILL');
    stranger.close();
  }
});

test('a dead line is seen within 20 s and healed within 30 s; a revoked runtime is off within 5 s', async () => {
  test.setTimeout(240_000);
  const relay = new Relay(Number(new URL(fairlead.endpoints.platform).port));
  try {
    const linesBefore = await tunnelsMade();
    await moveRuntime(join(home, 'runtimes/r2/kubeconfig'), await relay.listen());
    await eventually('r2 comes through the relay', tunnelsMade, (lines) => lines > linesBefore);
    await becomes(fairlead, 'connected', 30_000);

    relay.swallow();
    await becomes(fairlead, 'offline', 21_000); // one more for the command that asks
    relay.heal();
    await becomes(fairlead, 'connected', 31_000);
    expect((await ask(fairlead)).status).toBe(200);

    relay.cut();
    await eventually(
      'a request goes through again',
      () => ask(fairlead),
      ({ status }) => status === 200,
      30_000,
    );

    await fetch(`${fairlead.endpoints.platform}/api/v1/runtimes/r2/revoke`, {
      method: 'POST',
      headers: { authorization: `Bearer ${fairlead.apiKey}` },
    });
    await eventually(
      'no request goes through',
      () => ask(fairlead),
      ({ status }) => status >= 400,
      5_000,
    );
    expect(await statusOf(fairlead)).not.toBe('connected');
    expect((await fairlead.run('app', 'sync', 'guestbook-dev')).length, 'the other runtime goes on').toBeGreaterThan(0);
  } finally {
    relay.stop();
  }
});

const whoAnswered = ({ status }: Response) => (status === 200 ? 'r2' : status === 503 ? 'nobody' : 'twin');

async function startTwin(router: Server, kubeconfigFile: string): Promise<ChildProcess> {
  await new Promise<void>((resolve) => router.listen(0, '127.0.0.1', () => resolve()));
  const { port } = router.address() as AddressInfo;
  const flags = ['--kubeconfig-file', kubeconfigFile, '--router-url', `http://127.0.0.1:${port}`];
  return spawnRole('tunnel-client', flags);
}

/** As if the platform had moved behind the relay. */
async function moveRuntime(kubeconfigFile: string, platformUrl: string): Promise<void> {
  const kube = new KubeClient(await loadKubeconfig(kubeconfigFile));
  const ref = { group: '', version: 'v1', kind: 'Secret', namespace: 'fairlead', name: 'fairlead-runtime' };
  await kube.patch(ref, { data: { platformUrl: Buffer.from(platformUrl).toString('base64') } }, { type: 'merge' });
  await kube.close();
}

async function tunnelsMade(): Promise<number> {
  const log = await fairlead.run('runtime', 'logs', 'r2', '--component', 'tunnel-client');
  return log.split('tunnel is up').length - 1;
}
