import { createServer } from 'node:http';
import { listen, silentLogger, systemClock } from '@fairlead/base';
import { createApiClient, type HostedInstall } from '@fairlead/contracts';
import { afterEach, describe, expect, it } from 'vitest';
import { type HostedSite, runProvisioner } from './provisioner.ts';

const cleanups: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const cleanup of cleanups.splice(0).reverse()) await cleanup();
});

/** The two routes of the platform that a provisioner calls. */
async function platformWith(items: { name: string; install: HostedInstall }[]) {
  const told: { state: string; statuses: string[]; message?: string }[] = [];
  const server = createServer(async (request, response) => {
    response.setHeader('content-type', 'application/json');
    if (request.method === 'GET') return response.end(JSON.stringify({ items }));
    let text = '';
    for await (const chunk of request) text += String(chunk);
    const { state, steps, message } = JSON.parse(text) as HostedInstall;
    told.push({ state, statuses: steps.map(({ status }) => status), ...(message ? { message } : {}) });
    items = items.map((item) => ({ ...item, install: { ...item.install, state } }));
    return response.writeHead(204).end();
  });
  const { port, close } = await listen(server, { port: 0 });
  cleanups.push(() => close(0));
  const api = createApiClient({ baseUrl: `http://127.0.0.1:${port}` });
  const controller = new AbortController();
  const run = (site: HostedSite) => {
    const running = runProvisioner({ api, site, log: silentLogger, clock: systemClock }, { signal: controller.signal });
    cleanups.push(() => {
      controller.abort();
      return running;
    });
  };
  return { told, run };
}

const asked = (state: HostedInstall['state']) => ({
  name: 'hosted',
  install: { state, steps: [], requestedAt: '', updatedAt: '' },
});
const until = (check: () => unknown) => expect.poll(check, { timeout: 30_000, interval: 10 });

describe('the provisioner', () => {
  it('brings up what was asked for, step by step, and tells each', async () => {
    const { told, run } = await platformWith([asked('requested')]);
    const done: string[] = [];
    const step = (title: string) => ({ title, run: async (name: string) => void done.push(`${title} ${name}`) });
    run({ steps: [step('components'), step('connect')] });
    await until(() => told.at(-1)?.state).toBe('installed');
    expect(done).toEqual(['components hosted', 'connect hosted']);
    expect(told.map(({ statuses }) => statuses.join())).toEqual(['running,waiting', 'done,running', 'done,done']);
  });

  it('tells why it failed, and leaves it alone until somebody asks again', async () => {
    const { told, run } = await platformWith([asked('requested')]);
    let attempts = 0;
    const fail = async () => {
      attempts++;
      throw new Error('the disk is full');
    };
    run({ steps: [{ title: 'components', run: fail }] });
    await until(() => told.at(-1)?.state).toBe('failed');
    expect(told.at(-1)?.message).toBe('components: the disk is full; ask for it again to retry');
    expect(attempts).toBe(1);
  });

  it('brings up what is installed after a restart, without telling', async () => {
    const { told, run } = await platformWith([asked('installed')]);
    const done: string[] = [];
    run({ steps: [{ title: 'components', run: async (name) => void done.push(name) }] });
    await until(() => done).toEqual(['hosted']);
    expect(told).toEqual([]);
  });
});
