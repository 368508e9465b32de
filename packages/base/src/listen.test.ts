import { once } from 'node:events';
import { Agent, createServer, get, type IncomingMessage, type ServerResponse } from 'node:http';
import { afterEach, describe, expect, it } from 'vitest';
import { listen } from './listen.ts';
import { readAll } from './read-all.ts';

/** Longer than any test may take: what ends before does so by itself. */
const patientMs = 600_000;

describe('a server that is stopped', () => {
  const agent = new Agent({ keepAlive: true });
  afterEach(() => agent.destroy());

  /** A server, and the answer to a request that it has begun and that waits for the test. */
  async function begun() {
    let isBegun: (response: ServerResponse) => void = () => undefined;
    const beginning = new Promise<ServerResponse>((resolve) => {
      isBegun = resolve;
    });
    const server = createServer((_, response) => isBegun(response));
    const { port, close } = await listen(server, { port: 0 });
    const ask = () => get({ host: '127.0.0.1', port, agent });
    const first = ask();
    const received = once(first, 'response') as Promise<[IncomingMessage]>; // what the event carries
    received.catch(() => undefined); // one test waits for its failure elsewhere
    return { answer: await beginning, received, ask, close, first };
  }

  it('answers what it has begun, tells that the connection ends, and takes nothing new', async () => {
    const { answer, received, ask, close } = await begun();
    const closed = close(patientMs);
    answer.end('done');
    const [message] = await received;
    expect(message.headers.connection).toBe('close');
    expect((await readAll(message, { maxBytes: 100 })).toString()).toBe('done');
    await closed;
    const [refused] = await once(ask(), 'error');
    expect(refused).toMatchObject({ code: 'ECONNREFUSED' });
  });

  it('ends the connection of an answer that was under way when that is over', async () => {
    const { answer, received, close } = await begun();
    answer.write('half');
    const [message] = await received;
    const closed = close(patientMs);
    answer.end(' and half');
    expect((await readAll(message, { maxBytes: 100 })).toString()).toBe('half and half');
    await closed;
  });

  it('cuts what does not end within its time', async () => {
    const { received, close, first } = await begun();
    const failed = once(first, 'error');
    await close(1);
    expect((await failed)[0]).toMatchObject({ code: 'ECONNRESET' });
    await expect(received).rejects.toThrow();
  });
});
