import { createServer } from 'node:http';
import { listen } from '@fairlead/base';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { versionHeader } from '../version.ts';
import { probeComponent } from './probe-component.ts';

const answer = { status: 200, text: 'ok' };
const server = createServer((request, response) => {
  if (request.url !== '/readyz') return void response.writeHead(404).end();
  response.writeHead(answer.status, { [versionHeader]: '9.9.9' }).end(answer.text);
});
let url = '';
let close: (graceMs: number) => Promise<void>;
beforeAll(async () => {
  const listening = await listen(server, { port: 0 });
  url = `http://127.0.0.1:${listening.port}`;
  close = listening.close;
});
afterAll(() => close(0));

const probed = (at = url) => probeComponent('tunnel-client', at, AbortSignal.timeout(10_000));

describe('a component that is probed', () => {
  it('tells its own version, not that of who asks', async () => {
    Object.assign(answer, { status: 200, text: 'ok' });
    expect(await probed()).toEqual({ name: 'tunnel-client', version: '9.9.9', health: 'Healthy' });
  });

  it('that cannot work yet is on its way, in its own words', async () => {
    Object.assign(answer, { status: 503, text: 'the tunnel is not open' });
    expect(await probed()).toMatchObject({ health: 'Progressing', message: 'the tunnel is not open' });
  });

  it.each([
    [500, 'broken', 'its probe answers 500'],
    [503, 'x'.repeat(100_000), 'it does not answer: the body is larger than'],
  ])('that answers %i with nonsense is degraded', async (status, text, message) => {
    Object.assign(answer, { status, text });
    expect(await probed()).toMatchObject({ health: 'Degraded', message: expect.stringContaining(message) });
  });

  it('that is not there is degraded, with the reason', async () => {
    expect(await probed('http://127.0.0.1:1')).toMatchObject({
      health: 'Degraded',
      message: expect.stringContaining('it does not answer'),
    });
  });
});
