import { appendFile, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { systemClock } from '@fairlead/base';
import type { RuntimeComponent } from '@fairlead/contracts';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { Redactor } from '../application-reporter/index.ts';
import { ComponentLogs } from './index.ts';

let dir: string;
let file: string;
beforeEach(async () => {
  dir = await mkdtemp(join(tmpdir(), 'fairlead-logs-'));
  file = join(dir, 'engine.log');
});
afterEach(() => rm(dir, { recursive: true }));

const written = (text: string, level = 'info') =>
  `${JSON.stringify({ level, time: '2026-01-01T00:00:00.000Z', role: 'engine', msg: text })}\n`;

function read(
  tail: number,
  { follow = false, signal = new AbortController().signal, component = 'engine' }: Partial<Reading> = {},
) {
  const cluster = () => {
    throw new Error('the cluster was asked');
  };
  const places = { runtimeNamespace: 'fairlead', engineNamespace: 'argocd' };
  const logs = new ComponentLogs({ ...places, dir, cluster, clock: systemClock });
  return logs.read({ component, tail, follow, redactor: new Redactor('key'), signal });
}
interface Reading {
  readonly follow: boolean;
  readonly signal: AbortSignal;
  readonly component: RuntimeComponent;
}

async function allOf(lines: ReturnType<typeof read>) {
  const found = [];
  for await (const line of lines) found.push(line);
  return found;
}
const all = async (lines: ReturnType<typeof read>) => (await allOf(lines)).map(({ line }) => line);

describe('logs of a component', () => {
  it('are its last lines, with time and level', async () => {
    await writeFile(file, written('one') + written('two', 'warn') + written('three'));
    const lines = await allOf(read(2));
    expect(lines.map(({ level }) => level)).toEqual(['warn', 'info']);
    expect(lines[1]).toMatchObject({ time: '2026-01-01T00:00:00.000Z', line: expect.stringContaining('three') });
  });

  it('are found from the end of a file of any size, whole', async () => {
    const lines = Array.from({ length: 20_000 }, (_, n) => written(`größer ${n}`));
    await writeFile(file, lines.join(''));
    expect(await all(read(3_000))).toEqual(lines.slice(-3_000).map((line) => line.trimEnd()));
  });

  it('go on as they are written, through a file that is cut, until the reader leaves', async () => {
    await writeFile(file, `${written('one')}{"level":"info","half`); // a line that is being written
    const leaving = new AbortController();
    const lines = read(10, { follow: true, signal: leaving.signal });
    const next = async () => String((await lines.next()).value?.line);
    expect(await next()).toContain('one');
    await appendFile(file, 'written":1}\n');
    expect(await next()).toBe('{"level":"info","halfwritten":1}');
    await writeFile(file, written('anew'));
    expect(await next()).toContain('anew');
    leaving.abort();
    expect((await lines.next()).done).toBe(true);
  });

  it('carry nothing that looks like a secret', async () => {
    await writeFile(file, written('https://robot:hunter2@git.example/x.git --password hunter2'));
    expect((await all(read(1))).join()).not.toContain('hunter2');
  });

  it('that are not in the folder are said to be none', async () => {
    await expect(all(read(1, { component: 'app-proxy' }))).rejects.toThrow('has written nothing');
  });
});
