import { afterEach, describe, expect, it } from 'vitest';
import { type Answer, configMap, json, type ScriptedApi, scriptedApi, statusBody } from '../testing/index.ts';
import { isGone, KubeConnectionError, UnknownKindError } from './errors.ts';
import { KubeClient } from './kube-client.ts';

let api: ScriptedApi | undefined;
let client: KubeClient | undefined;
afterEach(async () => {
  await client?.close();
  await api?.close();
});

async function connect(answer: Answer, timeoutMs = 5000): Promise<KubeClient> {
  api = await scriptedApi(answer);
  client = new KubeClient({ server: api.url }, { timeoutMs, random: () => 0 });
  return client;
}

const target = { group: '', version: 'v1', kind: 'ConfigMap', namespace: 'd', name: 'a' };
const query = { apiVersion: 'v1', kind: 'ConfigMap', namespace: 'd' };

describe('the client', () => {
  it('comes back after 429 when the server says so', async () => {
    let asked = 0;
    const kube = await connect((_, response) => {
      if (asked++ === 0) json(response, 429, statusBody(429, 'TooManyRequests'), { 'retry-after': '0' });
      else json(response, 200, configMap('a', 1));
    });
    expect((await kube.get(target)).metadata.name).toBe('a');
    expect(asked).toBe(2);
  });

  it('asks the guard before each write that is sent, and before no read', async () => {
    let asked = 0;
    let isAllowed = true;
    const kube = await connect((_, response) => {
      if (asked++ === 0) {
        isAllowed = false; // while the server makes the client wait
        json(response, 429, statusBody(429, 'TooManyRequests'), { 'retry-after': '0' });
      } else json(response, 200, configMap('a', 1));
    });
    const guarded = kube.guardedBy(() => {
      if (!isAllowed) throw Object.assign(new Error('not any more'), { name: 'AbortError' });
    });
    await expect(guarded.patch(target, {}, { type: 'merge' })).rejects.toThrow('not any more');
    expect(asked).toBe(1);
    await expect(guarded.delete(target)).rejects.toThrow('not any more');
    expect((await guarded.get(target)).metadata.name).toBe('a');
    await kube.patch(target, {}, { type: 'merge' });
    expect(asked).toBe(3);
  });

  it('reads again when the connection breaks, but never repeats a write', async () => {
    let asked = 0;
    const kube = await connect((_, response) => {
      if (asked++ === 0) response.destroy();
      else json(response, 200, configMap('a', 1));
    });
    await kube.get(target);
    asked = 0;
    await expect(kube.create({ ...configMap('a', 1) })).rejects.toBeInstanceOf(KubeConnectionError);
    expect(asked).toBe(1);
  });

  it('gives up on a server that does not answer', async () => {
    const kube = await connect(() => undefined, 50);
    await expect(kube.update(configMap('a', 1))).rejects.toThrow('had no answer within 50 ms');
  });

  it('stops when its caller stops', async () => {
    const kube = await connect(() => undefined);
    const stop = new AbortController();
    const reading = kube.get(target, { signal: stop.signal });
    setImmediate(() => stop.abort(new Error('enough')));
    await expect(reading).rejects.toThrow('enough');
  });

  it('puts events together that the network has cut anywhere', async () => {
    const text = `${JSON.stringify({ type: 'ADDED', object: configMap('ä', 1) })}\n${JSON.stringify({ type: 'BOOKMARK', object: configMap('b', 2) })}\n`;
    const bytes = Buffer.from(text);
    const kube = await connect((_, response) => {
      response.writeHead(200);
      for (let at = 0; at < bytes.length; at += 7) response.write(bytes.subarray(at, at + 7));
      response.end();
    });
    const seen: string[] = [];
    for await (const event of kube.watch(query, { signal: new AbortController().signal })) {
      seen.push(`${event.type} ${event.object.metadata.name}`);
    }
    expect(seen).toEqual(['ADDED ä', 'BOOKMARK b']);
  });

  it('tells a gone version from other refusals', async () => {
    const kube = await connect((_, response) => json(response, 410, statusBody(410, 'Expired')));
    await expect(kube.list(query)).rejects.toSatisfy(isGone);
  });

  it('asks discovery again for a kind it does not know, then says so', async () => {
    const kube = await connect((_, response) => json(response, 404, statusBody(404, 'NotFound')));
    await expect(kube.get({ ...target, kind: 'Widget' })).rejects.toBeInstanceOf(UnknownKindError);
    expect(kube.requestCounts()).toMatchObject({ discovery: 1, get: 0 });
    await expect(kube.get({ ...target, kind: 'Widget' })).rejects.toBeInstanceOf(UnknownKindError);
    expect(kube.requestCounts().discovery).toBe(2);
  });
});
