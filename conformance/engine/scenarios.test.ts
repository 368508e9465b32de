// Every scenario on the embedded cluster, in one world.
import { afterAll, beforeAll } from 'vitest';
import { definePlays, type Stage } from './scenarios/index.ts';
import { startWorld, type World } from './world.ts';

let world: World;
let stage: Stage;

beforeAll(async () => {
  world = await startWorld();
  stage = { ...world, engineNamespace: 'argocd', runsPods: true, isOurEngine: true, patienceMs: 60_000 };
}, 60_000);
afterAll(() => world.stop());

definePlays(() => stage, { isKept: false, timeoutMs: 240_000 });
