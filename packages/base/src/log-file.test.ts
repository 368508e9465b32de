import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createLogger, FakeClock, LogFile } from './index.ts';

describe('a log file', () => {
  let dir = '';
  beforeEach(() => {
    dir = mkdtempSync(join(tmpdir(), 'fairlead-log-'));
  });
  afterEach(() => rmSync(dir, { recursive: true, force: true }));
  const linesOf = (name: string) => readFileSync(join(dir, name), 'utf8').trim().split('\n');

  it('keeps the newest lines, and takes no more room than twice its bound', () => {
    const log = new LogFile(join(dir, 'role.log'), { maxBytes: 1_000 });
    for (let n = 0; n < 500; n++) log.write(`line ${n}\n`);
    expect(readdirSync(dir).sort()).toEqual(['role.log', 'role.log.1']);
    const kept = [...linesOf('role.log.1'), ...linesOf('role.log')];
    expect(kept).toEqual(Array.from({ length: kept.length }, (_, i) => `line ${500 - kept.length + i}`));
    for (const name of readdirSync(dir)) expect(statSync(join(dir, name)).size).toBeLessThan(1_010);
  });

  it('is gone on with by the next process, which puts a full one aside', () => {
    const path = join(dir, 'role.log');
    new LogFile(path, { maxBytes: 20 }).write('of the first process\n');
    new LogFile(path, { maxBytes: 20 }).write('of the second\n');
    new LogFile(path, { maxBytes: 20 }).write('and the third\n');
    expect(linesOf('role.log.1')).toEqual(['of the first process']);
    expect(linesOf('role.log')).toEqual(['of the second', 'and the third']);
  });

  it.skipIf(!existsSync('/dev/full'))('outlives a full disk, and tells afterwards how much is missing', () => {
    const path = join(dir, 'role.log');
    symlinkSync('/dev/full', path);
    const log = new LogFile(path, { clock: new FakeClock() });
    for (const line of ['one\n', 'two\n']) log.write(line);
    rmSync(path);
    log.write('three\n');
    const [told = '', ...rest] = linesOf('role.log');
    expect(JSON.parse(told)).toMatchObject({ level: 'warn', lost: 2, msg: expect.stringContaining('were lost') });
    expect(rest).toEqual(['three']);
  });

  it('is what a logger with a file writes to, made with its folder and for its owner alone', () => {
    const file = join(dir, 'logs', 'role.log');
    createLogger({ role: 'platform', file }).info({ n: 1 }, 'it is here');
    expect(JSON.parse(readFileSync(file, 'utf8'))).toMatchObject({
      level: 'info',
      role: 'platform',
      n: 1,
      msg: 'it is here',
    });
    expect(statSync(file).mode & 0o777).toBe(0o600);
  });
});
