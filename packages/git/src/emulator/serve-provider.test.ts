import { once } from 'node:events';
import { connect } from 'node:net';
import { freePort } from '@fairlead/base';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type ServedProvider, serveProvider } from './serve-provider.ts';

describe('an emulated provider', () => {
  let provider: ServedProvider;

  beforeEach(async () => {
    const git = { url: `http://127.0.0.1:${await freePort()}`, apiKey: 'behind' };
    provider = await serveProvider('github', { token: 'ada-token', git });
    provider.host.create('demo/app');
  });
  afterEach(() => provider.close());

  it('says so when the git server behind it is gone, and goes on', async () => {
    const authorization = `Basic ${Buffer.from('x-access-token:ada-token').toString('base64')}`;
    const refs = `${provider.url}/demo/app.git/info/refs?service=git-upload-pack`;
    const answer = await fetch(refs, { headers: { authorization } });
    expect(answer.status).toBe(502);
    expect(await answer.text()).toMatch(/ECONNREFUSED/);
    expect((await fetch(`${provider.url}/api/v3/user`)).status).toBe(401);
  });

  it('outlives a caller that dies while it sends', async () => {
    const { port } = new URL(provider.url);
    const caller = connect({ port: Number(port), host: '127.0.0.1' });
    caller.write('POST /api/v3/orgs/demo/repos HTTP/1.1\r\nhost: x\r\ncontent-length: 100\r\n\r\n{"na');
    await once(caller, 'connect');
    caller.destroy();
    expect((await fetch(`${provider.url}/api/v3/user`)).status).toBe(401);
  });
});
