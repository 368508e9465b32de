import type { ServerResponse } from 'node:http';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { KubeClient } from '../client/index.ts';
import { configMap, json, type ScriptedApi, scriptedApi, statusBody } from '../testing/index.ts';
import { Informer } from './informer.ts';

const stop = { now: () => {} };
let api: ScriptedApi | undefined;
let client: KubeClient | undefined;
afterEach(async () => {
  stop.now();
  await client?.close();
  await api?.close();
});

interface Script {
  /** The names that each list shows; the last one stays. */
  readonly lists: readonly (readonly string[])[];
  /** What each watch does; the last one stays. */
  readonly watches: readonly ((response: ServerResponse) => void)[];
  readonly idleLimitMs?: number;
}

async function start({ lists, watches, idleLimitMs }: Script) {
  let listed = 0;
  let watched = 0;
  api = await scriptedApi((request, response) => {
    if (!request.url?.includes('watch=true')) {
      const names = lists[Math.min(listed, lists.length - 1)] ?? [];
      listed++;
      const items = names.map((name) => configMap(name, listed * 100));
      json(response, 200, { kind: 'ConfigMapList', metadata: { resourceVersion: String(listed * 100) }, items });
      return;
    }
    response.writeHead(200, { 'content-type': 'application/json' });
    response.flushHeaders();
    watches[Math.min(watched++, watches.length - 1)]?.(response);
  });
  client = new KubeClient({ server: api.url }, { random: () => 0 });
  const controller = new AbortController();
  const query = { apiVersion: 'v1', kind: 'ConfigMap', namespace: 'd' };
  const informer = new Informer({
    client,
    query,
    random: () => 0,
    ...(idleLimitMs === undefined ? {} : { idleLimitMs }),
  });
  const changes: string[] = [];
  informer.onChange(({ type, object }) => changes.push(`${type} ${object.metadata.name}`));
  const running = informer.run({ signal: controller.signal });
  stop.now = () => controller.abort();
  await informer.synced();
  return { informer, changes, running, requests: api.requests };
}

const event = (type: string, object: unknown) => `${JSON.stringify({ type, object })}\n`;
const stay = () => undefined;
const until = (check: () => void) => vi.waitFor(check, { timeout: 30_000, interval: 10 });

describe('the informer', () => {
  it('finds deletions by comparing when the server has forgotten its version', async () => {
    const { changes, informer } = await start({
      lists: [
        ['a', 'b'],
        ['b', 'c'],
      ],
      watches: [(response) => response.end(event('ERROR', statusBody(410, 'Expired'))), stay],
    });
    await until(() => expect(informer.stats.watches).toBe(2));
    expect(changes).toEqual(['add a', 'add b', 'delete a', 'update b', 'add c']);
    expect(informer.list().map(({ metadata }) => metadata.name)).toEqual(['b', 'c']);
    expect(informer.stats).toMatchObject({ lists: 2, gones: 1 });
  });

  it('goes on from its last version after a cut, without listing', async () => {
    const { requests, informer } = await start({
      lists: [['a']],
      watches: [
        (response) => response.write(event('ADDED', configMap('b', 150)), () => response.destroy()),
        (response) => response.end(event('BOOKMARK', configMap('', 200))),
        stay,
      ],
    });
    const versions = () =>
      requests.filter((line) => line.includes('watch=true')).map((line) => /resourceVersion=(\d+)/.exec(line)?.[1]);
    await until(() => expect(versions()).toEqual(['100', '150', '200']));
    expect(informer.stats.lists).toBe(1);
  });

  it('leaves a watch that has fallen silent', async () => {
    const { informer } = await start({ lists: [['a']], watches: [stay], idleLimitMs: 50 });
    await until(() => expect(informer.stats.stalls).toBeGreaterThan(0));
    await until(() => expect(informer.stats.watches).toBeGreaterThan(1));
  });

  it('stops when told, whatever it is doing', async () => {
    const { running } = await start({ lists: [['a']], watches: [stay] });
    stop.now();
    await running;
  });
});
