import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { checkDisk, freeMiBOf } from './machine.ts';

describe('a machine', () => {
  it('with a full disk is refused before anything is written, and told how much room is needed', () => {
    expect(() => checkDisk('/somewhere', () => 12)).toThrow(
      'the disk of /somewhere is full (12 MiB free); make room for at least 200 MiB, or choose another disk with --home DIR',
    );
    expect(() => checkDisk('/somewhere', () => 200)).not.toThrow();
  });

  it('is asked about the disk of a home that does not exist yet', () => {
    expect(freeMiBOf(join(tmpdir(), 'not', 'there'))).toBeGreaterThan(0);
  });
});
