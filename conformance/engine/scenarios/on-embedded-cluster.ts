// One part of the chapters on the embedded cluster, in one world.
import { afterAll, beforeAll } from 'vitest';
import { startWorld, type World } from '../world.ts';
import { definePlays, type Part } from './chapters.ts';
import type { Stage } from './stage.ts';

export function playOnEmbeddedCluster(only: Part): void {
  let world: World;
  let stage: Stage;
  beforeAll(async () => {
    world = await startWorld();
    stage = { ...world, engineNamespace: 'argocd', runsPods: true, isOurEngine: true, patienceMs: 60_000 };
  }, 60_000);
  afterAll(() => world.stop());
  definePlays(() => stage, { only, isKept: false, timeoutMs: 240_000 });
}
