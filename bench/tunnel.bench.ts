// The tunnel over TLS, both ends in processes of their own on one machine: small requests per second, what it adds to one
// request, one stream's throughput each way, what a stalled stream does to others, what idle tunnels cost. Where there is a
// `chisel`, the same origin is asked through it in turns.
import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:https';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { fileURLToPath } from 'node:url';
import { listen } from '@fairlead/base';
import { selfSigned } from '@fairlead/base/testing';
import { acceptTunnels, type TunnelServer, type TunnelSession } from '@fairlead/tunnel';
import { costOf } from './processes.ts';
import { type BenchContext, percentile, type Result } from './report.ts';
import { hasChisel, startChisel } from './tunnel-chisel.ts';

const inFlight = 64;
const smallMs = 5_000;
const streamBytes = 512 * 1024 * 1024;
const idleTunnels = 1_000;
const runner = fileURLToPath(new URL('../scripts/run-typescript.mjs', import.meta.url));
const runtimeSide = fileURLToPath(new URL('./tunnel-runtime.ts', import.meta.url));

export async function measure({ say }: BenchContext): Promise<Result[]> {
  const dir = mkdtempSync(join(tmpdir(), 'fairlead-bench-tunnel-'));
  try {
    const certificate = await certificateIn(dir);
    say(`${idleTunnels} idle tunnels`); // first, before the others have filled the heap
    const idle = await idleCost(certificate);
    const main = await startEnds(certificate, 0);
    const session = main.session('main');
    const results: Result[] = [];
    say(`${inFlight} small requests in flight for ${smallMs / 1000} s`);
    results.push(...(await smallRequests(session, main.child)));
    results.push(await addedLatency(session, main.originUrl));
    say('one stream each way');
    results.push(...(await throughput(session, main.child)));
    results.push(...(await besideChisel(main, certificate, say)));
    say('a stalled stream beside short requests');
    results.push(await stalled(session));
    await main.stop();
    results.push(idle);
    return results;
  } finally {
    rmSync(dir, { recursive: true, force: true });
  }
}

interface Certificate {
  readonly certFile: string;
  readonly keyFile: string;
  readonly cert: string;
  readonly key: string;
}

async function certificateIn(dir: string): Promise<Certificate> {
  const [keyFile, certFile] = [join(dir, 'key.pem'), join(dir, 'cert.pem')];
  const certificate = await selfSigned();
  writeFileSync(keyFile, certificate.key);
  writeFileSync(certFile, certificate.cert);
  return { ...certificate, keyFile, certFile };
}

interface Ends {
  readonly originUrl: string;
  readonly child: ChildProcess;
  readonly tunnels: TunnelServer;
  readonly sessions: ReadonlyMap<string, TunnelSession>;
  session(id: string): TunnelSession;
  stop(): Promise<void>;
}

async function startEnds({ certFile, cert, key }: Certificate, idle: number): Promise<Ends> {
  const sessions = new Map<string, TunnelSession>();
  const tunnels = acceptTunnels({
    authenticate: ({ proof }) => Promise.resolve({ runtimeId: proof }),
    onSession: (session) => sessions.set(session.runtimeId, session),
  });
  const server: Server = createServer({ cert, key });
  server.on('upgrade', (request, socket, head) => tunnels.handleUpgrade(request, socket, head));
  const { port, close } = await listen(server, { port: 0 });
  const load = `import(${JSON.stringify(runner)}).then((it) => it.importTypeScript(${JSON.stringify(runtimeSide)}))`;
  const child = spawn(process.execPath, ['-e', load], {
    env: { ...process.env, NODE_EXTRA_CA_CERTS: certFile },
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
  });
  const told = new Promise<string>((resolve) => {
    child.once('message', ({ originUrl }: { originUrl: string }) => resolve(originUrl));
  });
  child.send({ url: `wss://127.0.0.1:${port}/api/v1/tunnel`, idle });
  const originUrl = await told;
  await until(() => sessions.size === idle + 1);
  return {
    ...{ originUrl, child, tunnels, sessions },
    session(id) {
      const found = sessions.get(id);
      if (!found) throw new Error(`no tunnel ${id}`);
      return found;
    },
    async stop() {
      child.kill('SIGKILL');
      await tunnels.close();
      await close(0);
    },
  };
}

async function get(session: TunnelSession, path: string): Promise<number> {
  const { status, body } = await session.request({ method: 'GET', path, signal: AbortSignal.timeout(60_000) });
  if (status !== 200) throw new Error(`${path} answered ${status}`);
  let size = 0;
  for await (const data of body) size += (data as Buffer).length;
  return size;
}

async function smallRequests(session: TunnelSession, child: ChildProcess): Promise<Result[]> {
  const ask = () => get(session, '/');
  await repeat(ask, 1_000); // both ends warm
  const ownBefore = process.cpuUsage();
  const childBefore = costOf(child.pid ?? 0).cpuSeconds;
  const startedMs = performance.now();
  const { done, errors } = await repeat(ask, smallMs);
  const seconds = (performance.now() - startedMs) / 1000;
  const own = process.cpuUsage(ownBefore);
  const cpu = (own.user + own.system) / 1e6 + costOf(child.pid ?? 0).cpuSeconds - childBefore;
  const perThousand = (cpu / done) * 1000;
  return [
    one('small requests, 64 in flight', 'requests/s', done / seconds, '>= 4000'),
    one('errors among them', 'requests', errors, '<= 0'),
    one('CPU of both ends per 1,000 requests', 's', perThousand),
  ];
}

async function repeat(ask: () => Promise<unknown>, forMs: number): Promise<{ done: number; errors: number }> {
  const untilMs = performance.now() + forMs;
  let [done, errors] = [0, 0];
  const worker = async () => {
    while (performance.now() < untilMs) {
      try {
        await ask();
        done++;
      } catch {
        errors++; // counted, and held against the goal
      }
    }
  };
  await Promise.all(Array.from({ length: inFlight }, worker));
  return { done, errors };
}

async function addedLatency(session: TunnelSession, originUrl: string): Promise<Result> {
  const direct: number[] = [];
  const through: number[] = [];
  for (let n = 0; n < 1_000; n++) {
    through.push(await timed(() => get(session, '/')));
    direct.push(await timed(async () => (await fetch(originUrl)).text()));
  }
  const added = through.map((value, n) => value - (direct[n] ?? 0));
  const value = percentile(through, 0.5) - percentile(direct, 0.5);
  return {
    metric: 'added to one request, p50',
    unit: 'ms',
    value,
    spread: [percentile(added, 0.05), percentile(added, 0.95)],
    goal: '<= 1',
  };
}

async function throughput(session: TunnelSession, child: ChildProcess): Promise<Result[]> {
  const down: number[] = [];
  const up: number[] = [];
  const cpu: number[] = [];
  for (let n = 0; n < 5; n++) {
    const before = cpuSeconds(child);
    const ms = await timed(() => get(session, `/bytes/${streamBytes}`));
    cpu.push((cpuSeconds(child) - before) / (streamBytes / 1e9));
    down.push(streamBytes / 1e6 / (ms / 1000));
    up.push(await upload(session, 30 * 1024 * 1024));
  }
  return [
    middle('one stream, runtime to platform', 'MB/s', down, '>= 100'),
    middle('CPU of both ends for 1 GB of it', 's', cpu),
    middle('one stream, platform to runtime', 'MB/s', up, '>= 100'),
  ];
}

/** Of the bench, which is the platform's end and reads what arrives, and of the runtime's end, which is the origin too. */
function cpuSeconds(child: ChildProcess): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1e6 + costOf(child.pid ?? 0).cpuSeconds;
}

/** In turns, so that whatever else the machine does falls on both. */
async function besideChisel(
  { child, originUrl, session }: Ends,
  { certFile, keyFile }: Certificate,
  say: BenchContext['say'],
): Promise<Result[]> {
  if (!hasChisel()) {
    say('chisel is not measured: there is none on PATH or in $CHISEL');
    return [];
  }
  say('the same beside chisel');
  const chisel = await startChisel({ certFile, keyFile, originUrl });
  const ends = {
    ours: (path: string) => get(session('main'), path),
    theirs: (path: string) => chisel.fetch(path),
  };
  const streams = { ours: [] as number[], theirs: [] as number[] };
  const small = { ours: [] as number[], theirs: [] as number[] };
  const cpu: number[] = [];
  const chiselSeconds = () => chisel.pids.reduce((sum, pid) => sum + costOf(pid).cpuSeconds, cpuSeconds(child));
  for (let round = 0; round < 5; round++) {
    for (const end of ['ours', 'theirs'] as const) {
      const before = chiselSeconds();
      const ms = await timed(() => ends[end](`/bytes/${streamBytes}`));
      if (end === 'theirs') cpu.push((chiselSeconds() - before) / (streamBytes / 1e9));
      streams[end].push(streamBytes / 1e6 / (ms / 1000));
      const { done } = await repeat(() => ends[end]('/'), 1_000);
      small[end].push(done);
    }
  }
  await chisel.stop();
  const ratios = (of: typeof streams) => of.ours.map((value, round) => value / (of.theirs[round] ?? Number.NaN));
  return [
    middle('one stream through chisel', 'MB/s', streams.theirs),
    middle('CPU for 1 GB through chisel, origin and reader included', 's', cpu),
    middle('one stream, ours over chisel', '×', ratios(streams), '>= 1'),
    middle('small requests, 64 in flight, ours over chisel', '×', ratios(small)),
  ];
}

/** Bodies are bounded at 32 MiB, so it is one after the other. */
async function upload(session: TunnelSession, sizeBytes: number): Promise<number> {
  const piece = Buffer.alloc(256 * 1024, 2);
  const times = 8;
  const ms = await timed(async () => {
    for (let n = 0; n < times; n++) {
      const body = Readable.from(Array.from({ length: sizeBytes / piece.length }, () => piece));
      const signal = AbortSignal.timeout(60_000);
      const answer = await session.request({ method: 'POST', path: '/', body, signal });
      for await (const _ of answer.body);
    }
  });
  return (sizeBytes * times) / 1e6 / (ms / 1000);
}

async function stalled(session: TunnelSession): Promise<Result> {
  const ratios: number[] = [];
  for (let round = 0; round < 3; round++) {
    const alone = await shortOnes(session);
    const path = `/bytes/${1024 * 1024 * 1024}`;
    const { body } = await session.request({ method: 'GET', path, signal: AbortSignal.timeout(60_000) });
    body.once('error', () => undefined); // destroyed below
    await new Promise((resolve) => body.once('readable', resolve));
    const beside = await shortOnes(session);
    body.destroy();
    ratios.push((percentile(beside, 0.99) / percentile(alone, 0.99) - 1) * 100);
  }
  return middle("a stalled stream raises others' p99 by", '%', ratios, '<= 20');
}

async function shortOnes(session: TunnelSession): Promise<number[]> {
  const times: number[] = [];
  for (let n = 0; n < 2_000; n++) times.push(await timed(() => get(session, '/')));
  return times;
}

async function idleCost(certificate: Certificate): Promise<Result> {
  const ownMiB = (child: ChildProcess) => costOf(process.pid).pssMiB - costOf(child.pid ?? 0).pssMiB;
  const few = await startEnds(certificate, 0);
  const before = ownMiB(few.child);
  await few.stop();
  const many = await startEnds(certificate, idleTunnels);
  await new Promise((resolve) => setTimeout(resolve, 6_000)); // a ping of each
  const added = ownMiB(many.child) - before;
  await many.stop();
  return one(`${idleTunnels} idle tunnels at the platform`, 'MiB', added, '<= 150');
}

async function timed(work: () => Promise<unknown>): Promise<number> {
  const startedMs = performance.now();
  await work();
  return performance.now() - startedMs;
}

async function until(isTrue: () => boolean): Promise<void> {
  const deadline = performance.now() + 60_000;
  while (!isTrue()) {
    if (performance.now() > deadline) throw new Error('the tunnels did not open within 60 s');
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}

const one = (metric: string, unit: string, value: number, goal?: string): Result => ({
  ...{ metric, unit, value, spread: [value, value] as const },
  ...(goal ? { goal } : {}),
});

const middle = (metric: string, unit: string, values: readonly number[], goal?: string): Result => ({
  ...{ metric, unit, value: percentile(values, 0.5) },
  spread: [Math.min(...values), Math.max(...values)],
  ...(goal ? { goal } : {}),
});
