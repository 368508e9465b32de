import { createServer, type RequestListener } from 'node:http';
import { listen } from '@fairlead/base';
import { afterEach, expect, it } from 'vitest';
import { platformAnswer } from './platform-answer.ts';
import { clientOf, describeError } from './platform-client.ts';

const target = { url: 'http://x', apiKey: 'fl_key', from: 'context work', isHome: false };
let server: Awaited<ReturnType<typeof listen>> | undefined;
afterEach(() => server?.close(0));

async function said(answer: RequestListener): Promise<string> {
  server = await listen(createServer(answer), { port: 0 });
  const client = clientOf({ ...target, url: `http://127.0.0.1:${server.port}` });
  return client.call('listApplications', {}).then(
    () => 'it was taken',
    (thrown: unknown) => describeError(thrown),
  );
}

it('says that something else answers at the address, such as the sign-in page of a proxy', async () => {
  const page: RequestListener = (_, response) =>
    response.setHeader('content-type', 'text/html; charset=utf-8').end('<!doctype html>Sign in');
  expect(await said(page)).toMatch(/^context work: http:\S+ answered 200, but not as Fairlead does; check the address/);
});

it('follows no redirect, so that nobody else is shown the API key', async () => {
  let asked = 0;
  const elsewhere: RequestListener = (_, response) => {
    asked++;
    response.writeHead(302, { location: 'http://127.0.0.1:9/sign-in' }).end();
  };
  expect(await said(elsewhere)).toMatch(
    /sends us on to http:\/\/127\.0\.0\.1:9\/sign-in; give the platform's own address/,
  );
  expect(asked).toBe(1);
});

it('takes no more of an answer than the platform would give', async () => {
  const answer = new Response('[1,2,3,4]', { headers: { 'content-type': 'application/json' } });
  await expect(platformAnswer(target, answer, { maxBytes: 5 }).json()).rejects.toThrow(/more than 5 bytes/);
});

it('leaves what the platform says as it is', async () => {
  const answer = new Response('{"a":1}', { status: 201, headers: { 'content-type': 'application/json' } });
  const taken = platformAnswer(target, answer);
  expect([taken.status, await taken.json()]).toEqual([201, { a: 1 }]);
});
