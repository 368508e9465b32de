// Pods that say exactly what is written here, over a real socket; conformance/runtime/live.test.ts reads simulated ones.
import type { ServerResponse } from 'node:http';
import { everyInterval, FakeClock } from '@fairlead/base';
import type { RuntimeComponent } from '@fairlead/contracts';
import { KubeClient } from '@fairlead/kube';
import { json, type ScriptedApi, scriptedApi, statusBody } from '@fairlead/kube/testing';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { Redactor } from '../application-reporter/index.ts';
import { ComponentLogs } from './index.ts';

interface Said {
  /** Each with its time; a number: refused so. */
  log: string[] | number;
  createdAt?: string;
  containers?: string[];
}

let pods: Map<string, Said>;
let api: ScriptedApi;
let client: KubeClient;
/** Connections of those who follow, by pod. */
let followers: Map<string, ServerResponse>;
let mayList = true;
let clock: FakeClock;

beforeEach(async () => {
  pods = new Map();
  followers = new Map();
  mayList = true;
  clock = new FakeClock();
  api = await scriptedApi((request, response) => {
    const url = new URL(request.url ?? '', 'http://api');
    const name = /\/pods\/([^/]+)\/log$/.exec(url.pathname)?.[1];
    if (name) return sayLog(name, url.searchParams, response);
    if (!mayList) return json(response, 403, statusBody(403, 'Forbidden', 'User "robot" cannot list pods'));
    const selector = url.searchParams.get('labelSelector') ?? '';
    const items = selector.includes('component=app-proxy') || selector.includes('argocd-server') ? podList() : [];
    json(response, 200, { kind: 'PodList', apiVersion: 'v1', metadata: {}, items });
  });
  client = new KubeClient({ server: api.url });
});
afterEach(async () => {
  await client.close();
  await api.close();
});

const podList = () =>
  [...pods].map(([name, { createdAt = '2026-01-01T00:00:00Z', containers = ['app'] }]) => ({
    metadata: { name, namespace: 'fairlead', uid: `uid-${name}`, creationTimestamp: createdAt },
    spec: { containers: containers.map((container) => ({ name: container })) },
    status: { phase: 'Running' },
  }));

function sayLog(name: string, query: URLSearchParams, response: ServerResponse): void {
  const said = pods.get(name)?.log ?? 404;
  if (typeof said === 'number') {
    json(response, said, statusBody(said, 'No', `container of ${name} is waiting`));
    return;
  }
  const tail = Number(query.get('tailLines') ?? said.length);
  response.writeHead(200, { 'content-type': 'text/plain' });
  response.write(
    said
      .slice(-tail)
      .map((line) => `${line}\n`)
      .join(''),
  );
  if (query.get('follow') === 'true') followers.set(name, response);
  else response.end();
}

const at = (second: number, text: string) => `2026-01-01T00:00:${String(second).padStart(2, '0')}.000000000Z ${text}`;

interface Reading {
  readonly component: RuntimeComponent;
  readonly follow: boolean;
  readonly signal: AbortSignal;
}

function read(tail: number, given: Partial<Reading> = {}) {
  const { component = 'app-proxy', follow = false, signal = new AbortController().signal } = given;
  const places = { runtimeNamespace: 'fairlead', engineNamespace: 'argocd' };
  const logs = new ComponentLogs({ ...places, dir: undefined, cluster: () => client, clock });
  return logs.read({ component, tail, follow, redactor: new Redactor('key'), signal });
}

async function all(lines: ReturnType<typeof read>) {
  const found: string[] = [];
  for await (const { pod, line } of lines) found.push(`${pod ?? '-'}: ${line}`);
  return found;
}

describe('logs of a component in pods', () => {
  it('are the last lines of all its pods, by time, with their names', async () => {
    pods.set('a', { log: [at(1, 'one'), at(4, 'four')] });
    pods.set('b', { log: [at(2, 'two'), at(3, 'three')] });
    expect(await all(read(3))).toEqual(['b: two', 'b: three', 'a: four']);
  });

  it('tell time and level of the line itself, else the time of its node', async () => {
    pods.set('a', { log: [at(1, '{"level":"warn","time":"2025-12-31T23:59:59.000Z"}'), at(2, 'plain')] });
    const found = [];
    for await (const { time, level } of read(2)) found.push([time, level]);
    expect(found).toEqual([
      ['2025-12-31T23:59:59.000Z', 'warn'],
      ['2026-01-01T00:00:02.000000000Z', ''],
    ]);
  });

  it('carry nothing that looks like a secret', async () => {
    pods.set('a', { log: [at(1, 'https://robot:hunter2@git.example/x.git --password hunter2')] });
    expect((await all(read(1))).join()).not.toContain('hunter2');
  });

  it('are those of the container that bears its name, beside others', async () => {
    pods.set('a', { log: [at(1, 'one')], containers: ['mesh', 'app-proxy'] });
    await all(read(1));
    expect(api.requests.filter((asked) => asked.includes('/log'))).toEqual([
      expect.stringContaining('container=app-proxy'),
    ]);
  });

  it('of a pod that cannot be read keep nobody from the others, and say why', async () => {
    pods.set('a', { log: 400 });
    pods.set('b', { log: [at(1, 'one')] });
    pods.set('c', { log: 404 });
    const lines = await all(read(5));
    expect(lines).toHaveLength(2);
    expect(lines).toContain('a: pod a cannot be read: container of a is waiting');
    expect(lines).toContain('b: one');
  });

  it('are those of ten pods at most, the newest, and say so', async () => {
    for (let n = 10; n < 22; n++) pods.set(`p${n}`, { log: [at(n, 'x')], createdAt: `2026-01-${n}T00:00:00Z` });
    const lines = await all(read(100));
    expect(lines[0]).toBe('-: 12 pods; these are lines of the 10 newest');
    expect(lines.slice(1).map((line) => line.slice(0, 3))).toEqual(Array.from({ length: 10 }, (_, n) => `p${n + 12}`));
  });

  it('of an engine that is an Argo CD are those of its pods', async () => {
    pods.set('argocd-server-1', { log: [at(1, 'level=info msg=listening')] });
    expect(await all(read(5, { component: 'engine' }))).toEqual(['argocd-server-1: level=info msg=listening']);
  });

  it('that nobody writes or that the account may not read are told with what is missing', async () => {
    await expect(all(read(1, { component: 'tunnel-client' }))).rejects.toMatchObject({
      code: 'not_found',
      message: expect.stringContaining('app.kubernetes.io/component=tunnel-client in namespace fairlead'),
    });
    pods.set('a', { log: 403 });
    await expect(all(read(1))).rejects.toMatchObject({
      code: 'unavailable',
      message: expect.stringContaining('get of pods/log'),
    });
    mayList = false;
    await expect(all(read(1))).rejects.toThrow('User "robot" cannot list pods');
  });

  it('go on as they are written by any pod, none twice, until the reader leaves', { timeout: 30_000 }, async () => {
    const writtenA = [at(1, 'one')];
    pods.set('a', { log: writtenA });
    const leaving = new AbortController();
    const lines = read(10, { follow: true, signal: leaving.signal });
    const next = async () => (await lines.next()).value?.line;
    expect(await next()).toBe('one');
    const ticking = everyInterval(20, () => clock.advance(5_000), { signal: leaving.signal });
    writtenA.push(at(2, 'two')); // between the first look and the connection that follows
    expect(await next()).toBe('two');
    followers.get('a')?.write(`${at(3, 'three')}\n`);
    expect(await next()).toBe('three');
    writtenA.push(at(3, 'three'));
    pods.set('b', { log: [at(4, 'from b')] });
    followers.get('a')?.end(); // its container starts again, and another pod is there at the next look
    writtenA.push(at(5, 'anew'));
    expect([await next(), await next()].sort()).toEqual(['anew', 'from b']);
    const closed = new Promise((resolve) => followers.get('b')?.once('close', resolve));
    leaving.abort();
    expect((await lines.next()).done).toBe(true);
    await Promise.all([closed, ticking]);
  });
});
