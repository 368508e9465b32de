import { cp, mkdtemp, readdir, readFile, rm, truncate, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { silentLogger } from '@fairlead/base';
import { type KubeObject, valueAt } from '@fairlead/kube/object';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { StorageCorruptError } from './errors.ts';
import type { Appender } from './log-file.ts';
import { Store, type StoreOptions } from './store.ts';

let dir: string;
beforeEach(async () => {
  dir = await mkdtemp(join(tmpdir(), 'fairlead-store-'));
});
afterEach(() => rm(dir, { recursive: true, force: true }));

const open = (options: Partial<StoreOptions> = {}) => Store.open({ dir, fsync: false, log: silentLogger, ...options });

const object = (name: string, value: number, metadata: object = {}): KubeObject => ({
  apiVersion: 'v1',
  kind: 'ConfigMap',
  metadata: { name, namespace: 'd', uid: `uid-${name}`, ...metadata },
  data: { value: String(value) },
});

function put(store: Store, name: string, value: number, metadata: object = {}) {
  const build = (revision: number) => object(name, value, { ...metadata, resourceVersion: String(revision) });
  return store.commit({ type: 'put', resource: 'configmaps', build });
}

function remove(store: Store, name: string) {
  const stored = store.read('configmaps', 'd', name);
  if (!stored) throw new Error(`no ${name}`);
  return store.commit({ type: 'delete', stored });
}

const contents = (store: Store) =>
  Object.fromEntries(
    [...store.collection('configmaps').scan()].map((stored) => [stored.object.metadata.name, stored.object['data']]),
  );

describe('the store', () => {
  it('finds everything again after a restart, with the same revisions', async () => {
    const store = await open();
    await put(store, 'a', 1).durable;
    await put(store, 'b', 2).durable;
    await put(store, 'a', 3).durable;
    await remove(store, 'b').durable;
    const before = contents(store);
    await store.close();
    const again = await open();
    expect(contents(again)).toEqual(before);
    expect(again.revision).toBe(4);
    expect(again.read('configmaps', 'd', 'a')?.object.metadata.resourceVersion).toBe('3');
    await again.close();
  });

  it('opens with a whole prefix of the commits wherever the log was cut', async () => {
    const store = await open();
    const states = [contents(store)];
    for (let index = 0; index < 4; index++) {
      await (index === 2 ? remove(store, 'n0') : put(store, `n${index}`, index)).durable;
      states.push(contents(store));
    }
    await store.close();
    const [name = ''] = await readdir(dir);
    const whole = await readFile(join(dir, name));
    const seen = new Set<number>();
    for (let bytes = 0; bytes <= whole.length; bytes++) {
      await writeFile(join(dir, name), whole.subarray(0, bytes));
      const cut = await open();
      expect(contents(cut)).toEqual(states[cut.revision]);
      seen.add(cut.revision);
      if (bytes % 5 > 0) {
        await cut.close();
        continue;
      }
      // What follows the cut must be as good as before it.
      await put(cut, 'after', 1).durable;
      await cut.close();
      const again = await open();
      expect(again.read('configmaps', 'd', 'after')).toBeDefined();
      await again.close();
    }
    expect([...seen]).toEqual([0, 1, 2, 3, 4]);
  });

  it('cuts off a last record whose bytes are wrong', async () => {
    const store = await open();
    await put(store, 'a', 1).durable;
    await put(store, 'b', 2).durable;
    await store.close();
    const [name = ''] = await readdir(dir);
    const file = await readFile(join(dir, name));
    file[file.length - 3] = (file[file.length - 3] ?? 0) ^ 1;
    await writeFile(join(dir, name), file);
    const again = await open();
    expect(Object.keys(contents(again))).toEqual(['a']);
    await again.close();
  });

  it('loses nothing that was acknowledged, at whatever moment it is killed, snapshots included', async () => {
    const store = await open({ snapshotBytes: 2000 });
    const acknowledged = new Map<string, number>();
    const writing = (async () => {
      for (let index = 0; index < 400; index++) {
        const name = `n${index % 7}`;
        await put(store, name, index).durable;
        acknowledged.set(name, index);
      }
    })();
    let checked = 0;
    for (let copies = 0; copies < 40; copies++) {
      const known = new Map(acknowledged);
      const copy = `${dir}-copy`;
      // A copy that a file vanished from (a snapshot replaced it) is no moment that ever was: it is left out.
      const isWhole = await cp(dir, copy, { recursive: true }).then(
        () => true,
        () => false,
      );
      if (isWhole) {
        const killed = await Store.open({ dir: copy, fsync: false, log: silentLogger });
        const values = [...known].map(([name]) =>
          Number(valueAt(killed.read('configmaps', 'd', name)?.object, 'data', 'value')),
        );
        await killed.close();
        expect(values.every((value, index) => value >= ([...known.values()][index] ?? 0))).toBe(true);
        checked++;
      }
      await rm(copy, { recursive: true, force: true });
    }
    expect(checked).toBeGreaterThan(5);
    await writing;
    const before = contents(store);
    await store.close();
    const names = await readdir(dir);
    expect(names.some((name) => name.startsWith('snapshot-'))).toBe(true);
    expect(names.length).toBeLessThanOrEqual(3);
    const again = await open();
    expect(contents(again)).toEqual(before);
    expect(again.revision).toBe(400);
    await again.close();
  });

  it('refuses to start on a damaged snapshot instead of forgetting silently', async () => {
    const store = await open({ snapshotBytes: 500 });
    for (let index = 0; index < 30; index++) await put(store, `n${index % 3}`, index).durable;
    await store.close();
    const name = (await readdir(dir)).find((file) => file.startsWith('snapshot-')) ?? '';
    await truncate(join(dir, name), 100);
    await expect(open()).rejects.toBeInstanceOf(StorageCorruptError);
  });

  it('tells watchers every change once, in order, only when it is on disk', async () => {
    const store = await open();
    const seen: string[] = [];
    store.subscribe('configmaps', (event) => {
      expect(store.isSettled(event.revision)).toBe(true);
      seen.push(`${event.type} ${event.stored.object.metadata.name}`);
    });
    const first = put(store, 'a', 1);
    const second = put(store, 'a', 2);
    expect(seen).toEqual([]);
    await Promise.all([first.durable, second.durable, remove(store, 'a').durable]);
    expect(seen).toEqual(['ADDED a', 'MODIFIED a', 'DELETED a']);
    await store.close();
  });

  it('knows the changes after a revision until they fall out of its history', async () => {
    const store = await open({ historyLimit: 4 });
    for (let index = 1; index <= 6; index++) await put(store, 'a', index).durable;
    expect(store.changesAfter('configmaps', 4)?.map(({ revision }) => revision)).toEqual([5, 6]);
    expect(store.changesAfter('configmaps', 1)).toBeUndefined();
    await store.close();
  });

  it('finds objects by owner without scanning', async () => {
    const store = await open();
    await put(store, 'owner', 1).durable;
    const ownerReferences = [{ apiVersion: 'v1', kind: 'ConfigMap', name: 'owner', uid: 'uid-owner' }];
    await put(store, 'child', 1, { ownerReferences }).durable;
    expect(store.dependentsOf('uid-owner').map(({ object: { metadata } }) => metadata.name)).toEqual(['child']);
    await put(store, 'child', 2).durable;
    expect(store.dependentsOf('uid-owner')).toEqual([]);
    await store.close();
  });

  it('undoes what a full disk refused, tells nobody of it, and goes on once there is room', async () => {
    let isFull = false;
    const appender: Appender = async (handle, bytes) => {
      await handle.appendFile(isFull ? bytes.subarray(0, 7) : bytes);
      if (isFull) throw Object.assign(new Error('no space left on device'), { code: 'ENOSPC' });
    };
    const store = await open({ appender });
    const seen: string[] = [];
    store.subscribe('*', ({ type, stored }) => seen.push(`${type} ${stored.object.metadata.name}`));
    await put(store, 'a', 1).durable;
    await put(store, 'b', 2).durable;
    const before = contents(store);
    isFull = true;
    const refused = [put(store, 'a', 3), put(store, 'a', 4), remove(store, 'b'), put(store, 'c', 5)];
    const reading = store.settled();
    const outcomes = await Promise.allSettled([...refused.map(({ durable }) => durable), reading]);
    for (const outcome of outcomes) {
      expect(outcome).toMatchObject({ status: 'rejected', reason: { code: 'storage_failed', isFull: true } });
    }
    expect(contents(store)).toEqual(before);
    expect(store.byUid('uid-b')).toBeDefined();
    expect(store.byUid('uid-c')).toBeUndefined();
    await store.settled();
    isFull = false;
    await put(store, 'c', 6).durable;
    expect(seen).toEqual(['ADDED a', 'ADDED b', 'ADDED c']);
    expect(store.revision).toBe(3);
    const after = contents(store);
    await store.close();
    const again = await open();
    expect(contents(again)).toEqual(after);
    await again.close();
  });

  it('accepts nothing more when the disk failed otherwise', async () => {
    const appender: Appender = () => Promise.reject(Object.assign(new Error('i/o error'), { code: 'EIO' }));
    const store = await open({ appender });
    await expect(put(store, 'a', 1).durable).rejects.toMatchObject({ isFull: false });
    await expect(put(store, 'b', 1).durable).rejects.toMatchObject({ code: 'storage_failed' });
    await expect(store.settled(1)).rejects.toMatchObject({ code: 'storage_failed' });
    expect(contents(store)).toEqual({});
    await store.close();
  });
});
