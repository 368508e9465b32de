import { silentLogger, sleep } from '@fairlead/base';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { newestChange } from './changes.ts';
import { changesAfter, migrate, openStore, recordAccessChange, type Store } from './index.ts';
import { startTestServer, type TestServer } from './testing.ts';

let server: TestServer;
let store: Store;
beforeAll(async () => {
  server = await startTestServer();
  store = openStore({ url: await server.createDatabase(), log: silentLogger });
  await migrate(store.db, { log: silentLogger, signal: new AbortController().signal });
});
afterAll(async () => {
  await store?.close();
  await server?.stop();
});

it('passes over no change that has its number and is not committed yet', async () => {
  let commit = () => {};
  const isTime = new Promise<void>((resolve) => {
    commit = resolve;
  });
  let isRecorded = false;
  const writing = store.transaction(async (trx) => {
    await recordAccessChange(trx, 'a', new Date(0));
    isRecorded = true;
    await isTime;
  });
  await expect.poll(() => isRecorded).toBe(true);
  let newest: number | undefined;
  const asked = newestChange(store).then((number) => {
    newest = number;
  });
  await sleep(100);
  expect(newest, 'whoever began after it would never be told').toBeUndefined();
  commit();
  await Promise.all([writing, asked]);
  expect(await changesAfter(store.db, { after: 0, limit: 9 })).toEqual([expect.objectContaining({ id: newest })]);
});
