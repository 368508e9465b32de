// P-SYN-1, sampled; every write and fault by `npm run prove -- engine`.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type FaultWorld, startFaultWorld } from './faults.ts';
import { survivesLoss } from './leaders.ts';
import type { Repository } from './world.ts';

let faults: FaultWorld;
let repo: Repository;

beforeAll(async () => {
  faults = await startFaultWorld();
  repo = await faults.world.repository('demo/leaders');
}, 60_000);
afterAll(() => faults.world.stop());

describe('P-SYN-1: two engines on one cluster', { timeout: 90_000 }, () => {
  it('carry out each operation once, although the one that acts is frozen in the middle of a hook and wakes up later', async () => {
    const loss = { fault: 'frozen', write: 2, when: 'before' } as const;
    // Undefined: the machine is so busy that the lease moved before the fault; what the engines did is held to the same.
    expect(await survivesLoss({ ...faults, repo }, 'fault-frozen', loss)).not.toBe(false);
  });
});
