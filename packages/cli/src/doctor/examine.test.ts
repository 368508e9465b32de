import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { homeAt, prepareHome } from '../home/index.ts';
import { examine } from './examine.ts';

const dirs: string[] = [];
afterEach(() => {
  for (const dir of dirs.splice(0)) rmSync(dir, { recursive: true, force: true });
});

function temporaryDir(): string {
  const dir = mkdtempSync(join(tmpdir(), 'fairlead-doctor-'));
  dirs.push(dir);
  return dir;
}

const ill = (findings: Awaited<ReturnType<typeof examine>>) => findings.filter(({ isWell }) => !isWell);

describe('the doctor', () => {
  it('finds nothing wrong with a machine that can run Fairlead', async () => {
    expect(ill(await examine(homeAt(join(temporaryDir(), 'not', 'there', 'yet'))))).toEqual([]);
  });

  it('says what to do about an API key that others can read', async () => {
    const home = homeAt(temporaryDir());
    prepareHome(home);
    chmodSync(home.apiKeyFile, 0o644);
    expect(ill(await examine(home))).toEqual([
      { name: 'API key', isWell: false, words: expect.stringContaining('chmod 600') },
    ]);
  });

  it('does not believe a pid file of a process that is not Fairlead', async () => {
    const home = homeAt(temporaryDir());
    prepareHome(home);
    mkdirSync(home.dataDir, { recursive: true });
    writeFileSync(home.pidFile, JSON.stringify({ pid: 1, url: 'http://localhost:1', processes: {} }));
    const running = (await examine(home)).find(({ name }) => name === 'running');
    expect(running?.words).toContain('not running');
  });
});
