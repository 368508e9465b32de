// P-SYN-6 in full: the engine dies at every write of a sync, before it arrives and after it was carried out.
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type FaultWorld, startFaultWorld } from './faults.ts';
import { killedAt } from './kills.ts';
import type { Repository } from './world.ts';

let faults: FaultWorld;
let repo: Repository;

beforeAll(async () => {
  faults = await startFaultWorld();
  repo = await faults.world.repository('demo/kills');
});
afterAll(() => faults.world.stop());

it('whatever write an engine dies at, the next one ends the sync as if nothing had been', async () => {
  const undisturbed = await killedAt({ ...faults, repo }, 'fault-none');
  expect(undisturbed.length).toBeGreaterThan(8);
  for (let write = 1; write <= undisturbed.length; write++) {
    for (const when of ['before', 'after'] as const) {
      await killedAt({ ...faults, repo }, `fault-${write}-${when}`, { write, when });
    }
    // Minutes go by; who waits can tell that it is not stuck.
    console.info(`write ${write} of ${undisturbed.length}: killed before and after it, nothing lost or doubled`);
  }
});
