// `npm run prove -- platform`: a platform process that is stopped (SIGTERM) and started again while people read and write. What
// fails must be safe to repeat: refused at the door, 503 with `Retry-After`, or a connection that was closed between two requests. What
// was begun is answered: who repeats a write never finds it done already.
import type { ChildProcess } from 'node:child_process';
import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { freePort, sleep } from '@fairlead/base';
import { startTestServer } from '@fairlead/platform/testing';
import { describe, expect, it } from 'vitest';
import { eventually } from '../engine/world.ts';
import { spawnRole } from '../role-process.ts';

const apiKey = 'restart-key-0123456789abcdef';
const restarts = 6;
const [readers, writers] = [8, 4] as const;
/** Nobody listens, or the connection ended before a word of the answer. */
const notBegun = ['ECONNREFUSED', 'ECONNRESET', 'UND_ERR_SOCKET'];

describe('a platform that is restarted under load', () => {
  it('fails no request that cannot be repeated, and does each once', async () => {
    const postgres = await startTestServer();
    const port = await freePort();
    const keyFile = join(mkdtempSync(join(tmpdir(), 'fairlead-restart-')), 'key');
    writeFileSync(keyFile, apiKey, { mode: 0o600 });
    const url = `http://127.0.0.1:${port}`;
    const place = ['--platform-port', String(port), '--database-url', await postgres.createDatabase()];
    const start = async () => {
      const child = spawnRole('platform', [...place, '--api-key-file', keyFile]);
      await eventually(async () => expect((await fetch(`${url}/readyz`)).status).toBe(200), 60_000);
      return child;
    };
    let platform = await start();
    const load = new Load(url);
    const done = new AbortController();
    const running = load.run(done.signal);
    try {
      for (let n = 0; n < restarts; n++) {
        const before = load.answered;
        await eventually(() => Promise.resolve(expect(load.answered).toBeGreaterThan(before + 200)), 60_000);
        await ended(platform);
        platform = await start();
      }
      done.abort();
      await running;
      // What the proof rests on, for whoever writes its figures down.
      console.info(JSON.stringify({ answered: load.answered, made: load.made.size, repeatable: load.repeatable }));
      expect(load.notRepeatable).toEqual([]);
      expect(await load.namesShown()).toEqual([...load.made].sort());
    } finally {
      done.abort();
      await ended(platform);
      await postgres.stop();
    }
  });
});

async function ended(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const gone = new Promise((resolve) => child.once('exit', resolve));
  child.kill('SIGTERM');
  await gone;
}

class Load {
  readonly #url: string;
  answered = 0;
  readonly repeatable: Record<string, number> = {};
  readonly notRepeatable: string[] = [];
  /** Names of teams that were answered as made. */
  readonly made = new Set<string>();

  constructor(url: string) {
    this.#url = url;
  }

  async run(signal: AbortSignal): Promise<void> {
    const read = async () => {
      while (!signal.aborted) if (!(await this.#ask('GET', '/applications'))) await sleep(20);
    };
    const write = async (_: unknown, writer: number) => {
      for (let n = 0; !signal.aborted; n++) {
        const name = `team-${writer}-${n}`;
        while (!(await this.#ask('POST', '/teams', { name, members: [] }))) await sleep(20);
        this.made.add(name);
      }
    };
    await Promise.all([
      ...Array.from({ length: readers }, read),
      ...Array.from({ length: writers }, (each, n) => write(each, n)),
    ]);
  }

  async namesShown(): Promise<string[]> {
    const answer = await fetch(`${this.#url}/api/v1/teams`, { headers: this.#headers });
    const { items } = (await answer.json()) as { items: { name: string }[] };
    return items.map(({ name }) => name).sort();
  }

  readonly #headers = { authorization: `Bearer ${apiKey}`, 'content-type': 'application/json' };

  /** False when it has to be repeated. */
  async #ask(method: string, path: string, body?: object): Promise<boolean> {
    try {
      const sent = body ? { body: JSON.stringify(body) } : {};
      const answer = await fetch(`${this.#url}/api/v1${path}`, { method, headers: this.#headers, ...sent });
      const text = await answer.text();
      if (answer.ok) this.answered++;
      else if (answer.status === 503 && answer.headers.has('retry-after')) this.#count('503');
      else this.notRepeatable.push(`${method} ${path} ${answer.status} ${text.slice(0, 200)}`);
      return answer.ok;
    } catch (error) {
      const cause = (error as { cause?: { code?: string } }).cause?.code ?? String(error);
      if (notBegun.includes(cause)) this.#count(cause);
      else this.notRepeatable.push(`${method} ${path} ${cause}`);
      return false;
    }
  }

  #count(what: string): void {
    this.repeatable[what] = (this.repeatable[what] ?? 0) + 1;
  }
}
