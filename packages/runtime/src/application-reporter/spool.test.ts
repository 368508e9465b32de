import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { silentLogger } from '@fairlead/base';
import type { ReportedObject } from '@fairlead/contracts';
import { afterEach, describe, expect, it } from 'vitest';
import type { OutgoingReport } from './outbox.ts';
import { Spool } from './spool.ts';

const dirs: string[] = [];
afterEach(() => {
  for (const dir of dirs.splice(0)) rmSync(dir, { recursive: true, force: true });
});

function folder(): string {
  const dir = mkdtempSync(join(tmpdir(), 'fairlead-spool-'));
  dirs.push(dir);
  return dir;
}

const open = (dir: string, maxBytes = 1024 * 1024) => Spool.open({ dir, maxBytes, log: silentLogger });

function report(key: string, text = ''): OutgoingReport {
  const stamp = { key, uid: key, epoch: 1, sequence: 1, observedAt: '', hash: '0'.repeat(64) };
  const object: ReportedObject = { kind: 'application', deleted: true, ...stamp };
  return { object, contents: new Map([['a', { text: `über\n${text}` }]]) };
}

const keysIn = (spool: Spool) => spool.tickets().map((ticket) => spool.read(ticket)?.object.key);

describe('Spool', () => {
  it('gives back what was put and not dropped, in order, after the process is gone', () => {
    const dir = folder();
    const first = open(dir);
    const tickets = ['a', 'b', 'c'].map((key) => first.put(report(key)) ?? 0);
    first.drop(tickets[1] ?? 0);
    const again = open(dir); // the first was never closed: killed
    expect(keysIn(again)).toEqual(['a', 'c']);
    expect(again.read(tickets[2] ?? 0)).toEqual(report('c'));
    expect(again.put(report('d'))).toBeGreaterThan(tickets[2] ?? 0);
  });

  it('loses only the record that was being written, wherever the process was killed', () => {
    const dir = folder();
    const spool = open(dir);
    for (const key of ['a', 'b', 'c']) spool.put(report(key));
    const file = join(dir, 'spool.log');
    const whole = readFileSync(file);
    const ends = [...whole.entries()].filter(([, byte]) => byte === 0x0a).map(([index]) => index + 1);
    for (let length = 0; length <= whole.length; length++) {
      writeFileSync(file, whole.subarray(0, length));
      const found = open(dir);
      expect(found.tickets()).toHaveLength(ends.filter((end) => end <= length).length);
      found.put(report('later'));
      expect(keysIn(open(dir)).at(-1)).toBe('later');
    }
  });

  it('skips and counts a damaged record and gives the others', () => {
    const dir = folder();
    const spool = open(dir);
    for (const key of ['a', 'b', 'c']) spool.put(report(key));
    const file = join(dir, 'spool.log');
    const bytes = readFileSync(file);
    const middle = bytes.indexOf('"key":"b"');
    bytes[middle + 7] = 'x'.charCodeAt(0);
    writeFileSync(file, bytes);
    const again = open(dir);
    expect(keysIn(again)).toEqual(['a', 'c']);
    expect(again.damaged).toBe(1);
  });

  it('takes no more at its bound, and again when something was taken', () => {
    const spool = open(folder(), 2_000);
    const tickets: number[] = [];
    for (let ticket = spool.put(report('x')); ticket !== undefined; ticket = spool.put(report('x')))
      tickets.push(ticket);
    expect(tickets.length).toBeGreaterThan(3);
    expect(spool.sizeBytes).toBeLessThanOrEqual(2_000);
    spool.drop(tickets[0] ?? 0);
    expect(spool.put(report('y'))).toBeDefined();
  });

  it('does not grow with what has passed through it', () => {
    const dir = folder();
    const spool = open(dir, 4_000);
    const stays = spool.put(report('stays')) ?? 0;
    for (let i = 0; i < 500; i++) spool.drop(spool.put(report(`${i}`)) ?? 0);
    expect(readFileSync(join(dir, 'spool.log')).length).toBeLessThan(8_000);
    expect(keysIn(open(dir))).toEqual(['stays']);
    spool.drop(stays);
    expect(readFileSync(join(dir, 'spool.log'))).toHaveLength(0);
  });
});
