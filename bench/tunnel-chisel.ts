// The same origin through `chisel` (a reverse tunnel, SSH inside WSS), the tunnel people know: its program is $CHISEL or
// `chisel` on PATH. Platform's side and runtime's side are processes of their own, as ours are.
import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { Agent, get } from 'node:http';
import { freePort, sleep } from '@fairlead/base';

export interface Chisel {
  /** The whole answer to a GET of the origin; resolves to its size. */
  fetch(path: string): Promise<number>;
  readonly pids: readonly number[];
  stop(): Promise<void>;
}

const program = process.env['CHISEL'] || 'chisel';

export const hasChisel = (): boolean => spawnSync(program, ['--version']).status === 0;

interface ChiselOptions {
  readonly certFile: string;
  readonly keyFile: string;
  readonly originUrl: string;
}

export async function startChisel({ certFile, keyFile, originUrl }: ChiselOptions): Promise<Chisel> {
  const [port, entrance] = [await freePort(), await freePort()];
  const place = ['--host', '127.0.0.1', '--port', String(port)];
  const server = run(['server', '--reverse', '--tls-key', keyFile, '--tls-cert', certFile, ...place]);
  const remote = `R:127.0.0.1:${entrance}:${new URL(originUrl).host}`;
  const client = run(['client', '--tls-ca', certFile, `https://127.0.0.1:${port}`, remote]);
  const agent = new Agent({ keepAlive: true });
  const fetch = (path: string) => sizeOf(`http://127.0.0.1:${entrance}${path}`, agent);
  await untilUp(() => fetch('/'));
  return {
    fetch,
    pids: [server.pid ?? 0, client.pid ?? 0],
    async stop() {
      agent.destroy();
      await Promise.all([end(client), end(server)]);
    },
  };
}

const run = (args: readonly string[]): ChildProcess => spawn(program, args, { stdio: 'ignore' });

async function end(child: ChildProcess): Promise<void> {
  const gone = new Promise((resolve) => child.once('exit', resolve));
  child.kill('SIGKILL');
  await gone;
}

function sizeOf(url: string, agent: Agent): Promise<number> {
  return new Promise((resolve, reject) => {
    const request = get(url, { agent }, (answer) => {
      let size = 0;
      answer.on('data', (data: Buffer) => {
        size += data.length;
      });
      answer.once('end', () => resolve(size));
      answer.once('error', reject);
    });
    request.once('error', reject);
  });
}

async function untilUp(ask: () => Promise<unknown>): Promise<void> {
  const deadline = performance.now() + 30_000;
  for (;;) {
    const isUp = await ask().then(
      () => true,
      () => false,
    );
    if (isUp) return;
    if (performance.now() > deadline) throw new Error('chisel did not come up within 30 s');
    await sleep(100);
  }
}
