// P-SYN-1 in full: the acting engine is frozen, cut off and killed at every write of a sync.
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type FaultWorld, startFaultWorld } from './faults.ts';
import { leaderFaults, survivesLoss } from './leaders.ts';
import type { Repository } from './world.ts';

let faults: FaultWorld;
let repo: Repository;

beforeAll(async () => {
  faults = await startFaultWorld();
  repo = await faults.world.repository('demo/leaders');
});
afterAll(() => faults.world.stop());

it.each(leaderFaults)(
  'whatever write the acting engine is %s at, each operation is carried out once',
  async (fault) => {
    let hits = 0;
    for (let write = 1, isHit = true; isHit; write++) {
      for (const when of ['before', 'after'] as const) {
        let seen: boolean | undefined;
        for (let round = 1; seen === undefined && round <= 5; round++) {
          const name = `fault-${fault}-${write}-${when}-${round}`;
          seen = await survivesLoss({ ...faults, repo }, name, { fault, write, when });
        }
        isHit = seen !== false;
        if (seen) hits++;
      }
      // Half an hour goes by; who waits can tell that it is not stuck.
      console.info(`${fault}, write ${write}: ${hits} faults so far, each operation once`);
    }
    expect(hits).toBeGreaterThan(12);
  },
);
