// The one way in which a test file of this package gets a platform and a runtime: started before its tests, stopped after
// them. What is returned can be named at once and used as soon as a test or a later `beforeAll` runs.
import { afterAll, beforeAll } from 'vitest';
import { registerTestRuntime, startTestPlatform, type TestPlatform, type TestRuntime } from './testing.ts';

export function platformForTests(settings: Parameters<typeof startTestPlatform>[0] = {}): TestPlatform {
  let started: TestPlatform | undefined;
  beforeAll(async () => {
    started = await startTestPlatform(settings);
  });
  afterAll(() => started?.stop());
  return startedLater(() => started);
}

export function runtimeForTests(platform: TestPlatform, name: string): TestRuntime {
  let registered: TestRuntime | undefined;
  beforeAll(async () => {
    registered = await registerTestRuntime(platform, name);
  });
  return startedLater(() => registered);
}

function startedLater<T extends object>(started: () => T | undefined): T {
  const get = (_: T, member: string | symbol) => {
    const value = started();
    if (!value) throw new Error(`${String(member)} was asked for before the tests began`);
    return Reflect.get(value, member) as unknown;
  };
  return new Proxy({} as T, { get }); // every member is the started one's
}
