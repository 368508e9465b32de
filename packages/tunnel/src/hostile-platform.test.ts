// S-TU-6: a platform that lies. Its double speaks the handshake and HTTP/2 by hand and asks for what it should not get.
// What it may get is what SECURITY.md says: requests to the request router, and nothing else.
import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { type ClientHttp2Session, type ClientHttp2Stream, connect } from 'node:http2';
import { type AddressInfo, createServer as createTcpServer } from 'node:net';
import { listen } from '@fairlead/base';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type WebSocket, WebSocketServer } from 'ws';
import { atEnd, dial, eventually, shortTimings, startOrigin, stopAll } from './testing.ts';
import { WebSocketStream } from './wire/index.ts';

afterEach(stopAll);

interface Double {
  readonly url: string;
  /** The next connection of the runtime, challenged and welcomed. */
  welcome(): Promise<{ stream: WebSocketStream; http: ClientHttp2Session }>;
  /** The next connection, without a word. */
  next(): Promise<WebSocket>;
  readonly connections: number;
}

async function startDouble(): Promise<Double> {
  const waiting: WebSocket[] = [];
  let connections = 0;
  const sockets = new WebSocketServer({ noServer: true });
  const server = createServer();
  server.on('upgrade', (request, socket, head) => {
    sockets.handleUpgrade(request, socket, head, (webSocket) => {
      connections++;
      webSocket.on('error', () => undefined);
      waiting.push(webSocket);
    });
  });
  const { port, close } = await listen(server, { port: 0 });
  atEnd(() => {
    for (const client of sockets.clients) client.terminate();
    return close(0);
  });
  const next = () => eventually('the runtime dials', () => waiting.shift());
  return {
    url: `ws://127.0.0.1:${port}/api/v1/tunnel`,
    next,
    get connections() {
      return connections;
    },
    async welcome() {
      const webSocket = await next();
      const stream = new WebSocketStream(webSocket);
      stream.on('error', () => undefined);
      const hello = once(stream, 'control');
      webSocket.send(JSON.stringify({ type: 'challenge', protocol: 1, nonce: 'n' }));
      await hello;
      webSocket.send(JSON.stringify({ type: 'welcome', sessionId: 's' }));
      stream.allowBinary();
      const http = connect('http://runtime', { createConnection: () => stream });
      http.on('error', () => undefined);
      return { stream, http };
    },
  };
}

let seen: { host: string; url: string; method: string; bytes: number; whole: boolean }[] = [];
let waiting: ServerResponse[] = [];
let strangers = 0;
let strangerPort = 0;
let origin: Awaited<ReturnType<typeof startOrigin>>;

beforeEach(async () => {
  seen = [];
  waiting = [];
  strangers = 0;
  const stranger = createTcpServer((socket) => {
    strangers++;
    socket.destroy();
  });
  await new Promise<void>((resolve) => stranger.listen(0, '127.0.0.1', resolve));
  strangerPort = (stranger.address() as AddressInfo).port;
  atEnd(() => new Promise<void>((resolve) => stranger.close(() => resolve())));
  origin = await startOrigin(
    createServer((request, response) => {
      const entry = note(request);
      request.on('data', (chunk: Buffer) => (entry.bytes += chunk.length));
      request.on('end', () => {
        entry.whole = true;
        if (request.url === '/wait') waiting.push(response);
        else response.end('ok');
      });
      request.on('error', () => undefined);
    }),
  );
  atEnd(() => origin.stop());
});

function note({ headers, url = '', method = '' }: IncomingMessage) {
  const entry = { host: headers.host ?? '', url, method, bytes: 0, whole: false };
  seen.push(entry);
  return entry;
}

async function statusOf(stream: ClientHttp2Stream): Promise<number> {
  stream.on('error', () => undefined);
  stream.resume();
  const status = await new Promise<number>((resolve) => {
    stream.once('response', (head) => resolve(Number(head[':status'])));
    stream.once('close', () => resolve(-(stream.rstCode || 1)));
  });
  stream.close();
  return status;
}

const works = async (http: ClientHttp2Session) =>
  expect(await statusOf(http.request({ ':path': '/still-there' }))).toBe(200);

describe('a hostile platform', () => {
  it('reaches nothing but the request router, whatever host it names', async () => {
    const double = await startDouble();
    dial({ url: double.url, origin: origin.url });
    const { http } = await double.welcome();
    const evil = `127.0.0.1:${strangerPort}`;
    const wishes = [
      { ':path': '/a', ':authority': evil },
      { ':path': '/b', host: evil },
      { ':path': '/c', 'x-forwarded-host': evil, forwarded: `host=${evil}` },
      { ':path': `http://${evil}/d` },
      { ':path': `//${evil}/e` },
      { ':path': `\\\\${evil}/f` },
      { ':path': `/g@${evil}` },
      { ':method': 'CONNECT', ':authority': evil },
      { ':method': 'CONNECT', ':protocol': 'connect-udp', ':path': '/h', ':authority': evil },
      { ':method': 'CONNECT', ':protocol': 'websocket', ':path': `http://${evil}/i`, ':authority': evil },
      { ':method': 'CONNECT', ':protocol': 'websocket', ':path': '/j', ':authority': evil, host: evil },
    ];
    for (const wish of wishes) await statusOf(http.request(wish, { endStream: !(':protocol' in wish) }));
    expect(strangers).toBe(0);
    expect(new Set(seen.map(({ host }) => host))).toEqual(new Set([new URL(origin.url).host]));
    await works(http);
  });

  it('gets no more requests at once, headers or bytes than the bounds allow, and the tunnel lives on', async () => {
    const double = await startDouble();
    dial({ url: double.url, origin: origin.url });
    const { http } = await double.welcome();
    await works(http);
    const many = Array.from({ length: 1_200 }, () => http.request({ ':path': '/wait' }));
    for (const stream of many) stream.on('error', () => undefined).resume();
    await eventually('the origin has all it takes', () => waiting.length === 256);
    expect(seen.filter(({ url }) => url === '/wait').length).toBe(256);
    await eventually('all are answered', () => {
      for (const response of waiting.splice(0)) response.end('ok');
      return many.every(({ closed }) => closed);
    });
    await works(http);

    const flood = http.request({ ':path': '/flood', ':method': 'POST' }, { endStream: false });
    const chunk = Buffer.alloc(1024 * 1024);
    const write = () => {
      while (!flood.destroyed && flood.write(chunk));
    };
    flood.on('drain', write);
    write();
    expect(await statusOf(flood)).toBeLessThan(0);
    const [flooded] = seen.filter(({ url }) => url === '/flood');
    expect(flooded?.whole).toBe(false);
    expect(flooded?.bytes).toBeLessThanOrEqual(33 * 1024 * 1024);
    await works(http);
  });

  it('that speaks garbage is left, and dialled again', async () => {
    const double = await startDouble();
    const { states } = dial({ url: double.url, origin: origin.url });
    const garbage: ((socket: WebSocket) => void)[] = [
      (socket) => socket.send(Buffer.from('no HTTP/2 at all, but long enough to be looked at')),
      (socket) => socket.send(Buffer.alloc(1024 * 1024 + 1)),
      (socket) => {
        for (let i = 0; i < 8; i++) socket.send('another handshake');
      },
      (socket) => {
        for (let i = 0; i < 80; i++) socket.send(Buffer.from('x'), { fin: false });
      },
    ];
    for (const speak of garbage) {
      const { stream } = await double.welcome();
      await eventually('connected', () => states.at(-1) === 'connected');
      speak(stream.socket);
      await eventually('the runtime left', () => stream.socket.readyState === stream.socket.CLOSED);
    }
    await works((await double.welcome()).http);
    expect(seen.every(({ url }) => url === '/still-there')).toBe(true);
  });

  it('that never finishes the handshake, or sends the runtime elsewhere, gets nothing', async () => {
    const double = await startDouble();
    dial({ url: double.url, origin: origin.url, timings: { ...shortTimings, handshakeMs: 60, upgradeMs: 60 } });
    const silent = await double.next();
    await once(silent, 'close');
    const dumb = await double.next();
    dumb.send(JSON.stringify({ type: 'challenge', protocol: 1, nonce: 'n'.repeat(10_000) }));
    await once(dumb, 'close');
    const early = await double.next();
    early.send(JSON.stringify({ type: 'welcome', sessionId: 's' }));
    await once(early, 'close');

    const redirecting = createServer((_, response) => {
      response.writeHead(302, { location: `http://127.0.0.1:${strangerPort}/` }).end();
    });
    redirecting.on('upgrade', (_, socket) => {
      socket.on('error', () => undefined); // who is sent away may hang up before it has read that
      socket.end(`HTTP/1.1 302 Found\r\nlocation: ws://127.0.0.1:${strangerPort}/\r\ncontent-length: 0\r\n\r\n`);
    });
    const { port, close } = await listen(redirecting, { port: 0 });
    atEnd(() => close(0));
    const { states } = dial({ url: `ws://127.0.0.1:${port}/`, origin: origin.url });
    await eventually('it gave up', () => states.includes('waiting'));
    expect(strangers).toBe(0);
    expect(seen).toEqual([]);
  });
});
