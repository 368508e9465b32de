// P-TUN-6 with real commits: the tunnel is cut at any byte of an act that commits, and of its answer. What was answered is one
// commit, what is told as not delivered is none, and what is told as unknown is one at most.
import { connect, createServer, type Socket } from 'node:net';
import { ApiError } from '@fairlead/contracts';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { eventually } from '../engine/world.ts';
import { ByHand } from './by-hand.ts';
import { giveGitToken, type House, registerHosted, startHouse } from './world.ts';

/** A tunnel that is cut again and again waits longer and longer before it comes back: some ten seconds for each. */
const acts = 40;
/** A little more than the act and its answer take on the line. */
const lineBytes = 2_000;
const runtime = { runtime: 'hosted' };

/** Passes everything on; the tunnel, and nothing else, ends when so many bytes have gone over it. */
class TunnelCutter {
  readonly #targetPort: number;
  readonly #tunnels = new Set<Socket>();
  #bytesLeft = Number.POSITIVE_INFINITY;
  readonly server = createServer((near) => this.#pass(near));

  constructor(targetPort: number) {
    this.#targetPort = targetPort;
  }

  cutAfter(bytes: number): void {
    this.#bytesLeft = bytes;
  }

  cut(): void {
    this.#bytesLeft = Number.POSITIVE_INFINITY;
    for (const socket of this.#tunnels) socket.destroy();
  }

  #pass(near: Socket): void {
    const far = connect(this.#targetPort, '127.0.0.1');
    let isTunnel: boolean | undefined;
    for (const [from, to] of [
      [near, far],
      [far, near],
    ] as const) {
      from.on('data', (chunk: Buffer) => {
        isTunnel ??= chunk.includes('/api/v1/tunnel');
        if (isTunnel) this.#tunnels.add(near).add(far);
        to.write(isTunnel ? chunk.subarray(0, Math.min(chunk.length, this.#bytesLeft)) : chunk);
        if (isTunnel) this.#bytesLeft -= chunk.length;
        if (this.#bytesLeft <= 0) this.cut();
      });
      from.on('error', () => undefined);
      from.on('close', () => {
        this.#tunnels.delete(from);
        to.destroy();
      });
    }
  }
}

let house: House;
let cutter: TunnelCutter;
let byHand: ByHand;
const api = () => house.platform.api;

beforeAll(async () => {
  house = await startHouse();
  cutter = new TunnelCutter(Number(new URL(house.platform.url).port));
  await new Promise<void>((resolve) => cutter.server.listen(0, '127.0.0.1', resolve));
  const address = cutter.server.address();
  const port = typeof address === 'object' && address ? address.port : 0;
  await house.startRuntime();
  await registerHosted(house, `http://127.0.0.1:${port}`);
  await eventually(() => giveGitToken(house));
  byHand = new ByHand(house);
  await byHand.begin('applications', { 'README.md': 'applications' });
  const body = {
    sharedConfigRepo: byHand.urlOf('shared-config'),
    gitSource: { name: 'default', repoURL: byHand.urlOf('applications') },
  };
  await api().call('connectConfiguration', { params: runtime, body });
  await byHand.clone('shared-config');
});
afterAll(async () => {
  cutter?.cut();
  cutter?.server.close();
  await house?.stop();
});

/** A fixed order that goes everywhere: the golden ratio, n times. */
const placeOf = (n: number) => Math.floor(((n * 0.6180339887) % 1) * lineBytes);

async function outcomeOf(n: number): Promise<string> {
  const params = { ...runtime, gitSource: 'default' };
  try {
    await api().call('updateGitSource', { params, body: { exclude: `cut-${n}-/*` } });
    return 'answered';
  } catch (error) {
    if (error instanceof ApiError) return error.code;
    throw error;
  }
}

it(`${acts} acts that commit, cut at any byte, make no commit twice`, async () => {
  const outcomes: string[] = [];
  for (let n = 0; n < acts; n++) {
    await eventually(async () => {
      await api().call('getGitSource', { params: { ...runtime, gitSource: 'default' } });
    });
    cutter.cutAfter(placeOf(n));
    outcomes.push(await outcomeOf(n));
    cutter.cutAfter(Number.POSITIVE_INFINITY);
  }
  await eventually(() => api().call('getGitSource', { params: { ...runtime, gitSource: 'default' } }));
  await byHand.pull('shared-config');
  const log = await byHand.repository('shared-config').work.git('log', '-p', '--format=commit %H', 'HEAD');
  const commitsOf = (n: number) => log.split('\n').filter((line) => line.startsWith('+') && line.includes(`cut-${n}-`));
  const allowed: Readonly<Record<string, readonly number[]>> = {
    answered: [1],
    outcome_unknown: [0, 1],
    unavailable: [0],
  };
  const wrong = outcomes.flatMap((outcome, n) => {
    const { length } = commitsOf(n);
    return (allowed[outcome] ?? []).includes(length) ? [] : [`${n}: ${outcome}, ${length} commits`];
  });
  const count = (code: string) => outcomes.filter((each) => each === code).length;
  const committedUnknown = outcomes.filter((each, n) => each === 'outcome_unknown' && commitsOf(n).length === 1).length;
  console.info(
    JSON.stringify({
      acts,
      ...Object.fromEntries([...new Set(outcomes)].map((code) => [code, count(code)])),
      committedUnknown,
    }),
  );
  expect(wrong).toEqual([]);
  expect(await actsDone(), 'acts that the runtime began').toBeLessThanOrEqual(acts);
  expect(count('answered'), 'cuts after the answer').toBeGreaterThan(0);
  expect(count('outcome_unknown'), 'cuts on the way').toBeGreaterThan(0);
});

async function actsDone(): Promise<number> {
  const text = await (await fetch(`${house.urls.appProxy}/metrics`)).text();
  const lines = [...text.matchAll(/^fairlead_app_proxy_acts_total\{[^}]*act="git-source\.update"[^}]*\} (\d+)/gm)];
  return lines.reduce((sum, [, n]) => sum + Number(n), 0);
}
