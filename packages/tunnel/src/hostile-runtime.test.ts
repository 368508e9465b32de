// S-TU-6: a runtime that lies, or somebody who pretends to be one. Whatever it does, the platform lives, other runtimes are
// served, and nobody is routed to who has not proved to be that runtime.
import { once } from 'node:events';
import { createServer } from 'node:http';
import { performServerHandshake, type ServerHttp2Stream } from 'node:http2';
import { connect } from 'node:net';
import { text } from 'node:stream/consumers';
import { afterEach, describe, expect, it } from 'vitest';
import { WebSocket } from 'ws';
import { TunnelCutError } from './index.ts';
import {
  atEnd,
  dial,
  eventually,
  pair,
  shortTimings,
  startOrigin,
  startPlatform,
  stopAll,
  type TestPlatform,
} from './testing.ts';
import { WebSocketStream } from './wire/index.ts';

afterEach(stopAll);

const signal = new AbortController().signal;

function open(platform: TestPlatform): WebSocket {
  const socket = new WebSocket(platform.url);
  socket.on('error', () => undefined);
  atEnd(() => socket.terminate());
  return socket;
}

const nonceOf = async (socket: WebSocket) => {
  const [data] = (await once(socket, 'message')) as [Buffer];
  return (JSON.parse(data.toString()) as { nonce: string }).nonce;
};

const hello = (runtimeId: string, nonce: string) =>
  JSON.stringify({ type: 'hello', protocol: 1, runtimeVersion: '0', proof: `proof-of:${runtimeId}:${nonce}` });

/** Proves to be `id`, then serves HTTP/2 by hand. */
async function rogue(platform: TestPlatform, id: string, serve: (stream: ServerHttp2Stream) => void) {
  const socket = open(platform);
  const stream = new WebSocketStream(socket);
  stream.on('error', () => undefined);
  await once(stream, 'control');
  const { nonce } = JSON.parse(stream.takeControl() ?? '{}') as { nonce: string };
  stream.allowBinary();
  socket.send(hello(id, nonce));
  await once(stream, 'control');
  const http = performServerHandshake(stream);
  http.on('error', () => undefined);
  http.on('stream', (request) => {
    request.on('error', () => undefined);
    serve(request);
  });
  const session = await eventually('its session', () => platform.tunnels.session(id));
  return { socket, stream, http, session };
}

describe('somebody who is no runtime', () => {
  it('gets no session by an old proof, by HTTP/2 before the handshake, by words that are none', async () => {
    const { platform, session } = await pair((_, response) => void response.end('ok'));
    const first = open(platform);
    const old = await nonceOf(first);
    for (const say of [
      hello('runtime-1', old),
      '{"type":"hello"}',
      'x'.repeat(100_000),
      Buffer.from('PRI * HTTP/2.0'),
    ]) {
      const socket = open(platform);
      await nonceOf(socket);
      socket.send(say);
      await once(socket, 'close');
    }
    expect(platform.tunnels.size).toBe(1);
    expect(platform.tunnels.session('runtime-1')).toBe(session);
  });

  it('is thrown out when it says nothing, or says it byte by byte', async () => {
    const platform = await startPlatform({ timings: { ...shortTimings, handshakeMs: 80 } });
    atEnd(() => platform.stop());
    const silent = open(platform);
    await once(silent, 'close');
    const dripping = connect(platform.port, '127.0.0.1');
    atEnd(() => void dripping.destroy());
    dripping.on('error', () => undefined);
    dripping.resume();
    dripping.write(
      'GET /api/v1/tunnel HTTP/1.1\r\nhost: x\r\nconnection: upgrade\r\nupgrade: websocket\r\nsec-websocket-version: 13\r\nsec-websocket-key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n',
    );
    await eventually('it is cut', () => {
      dripping.write(Buffer.from([0x81]));
      return dripping.destroyed;
    });
    expect(platform.tunnels.size).toBe(0);
  });

  it('cannot crowd out others by sockets that it never proves', async () => {
    const platform = await startPlatform();
    atEnd(() => platform.stop());
    const strangers = Array.from({ length: 120 }, () => open(platform));
    await eventually('all have come', () => platform.tunnels.unproven.waiting === 20);
    expect(platform.tunnels.unproven.underWay).toBe(100);
    for (const socket of strangers) socket.terminate();
    const origin = await startOrigin(createServer((_, response) => void response.end('ok')));
    atEnd(() => origin.stop());
    dial({ url: platform.url, origin: origin.url });
    await eventually('a runtime is let in', () => platform.tunnels.session('runtime-1'));
  });
});

describe('a hostile runtime', () => {
  it('that breaks its own tunnel breaks nobody else’s', async () => {
    const { platform, session } = await pair((_, response) => void response.end('ok'));
    const breaks: ((parts: Awaited<ReturnType<typeof rogue>>) => void)[] = [
      ({ socket }) => socket.send(Buffer.from('\0\0\0\xff garbage in the middle of frames, again and again')),
      ({ socket }) => socket.send(Buffer.alloc(1024 * 1024 + 1)),
      ({ socket }) => {
        for (let i = 0; i < 131; i++) socket.send(Buffer.from('x'), { fin: false });
      },
      ({ http }) => http.goaway(1),
      ({ socket }) => {
        for (let i = 0; i < 8; i++) socket.send(hello('runtime-1', 'again'));
      },
    ];
    for (const [index, breakIt] of breaks.entries()) {
      const parts = await rogue(platform, `rogue-${index}`, () => undefined);
      const asked = parts.session.request({ method: 'GET', path: '/', signal }).catch((error: unknown) => error);
      breakIt(parts);
      expect(await asked).toBeInstanceOf(TunnelCutError);
      await eventually('its session is gone', () => !platform.tunnels.session(`rogue-${index}`)?.isOpen);
      const answer = await session.request({ method: 'GET', path: '/', signal });
      expect(await text(answer.body)).toBe('ok');
    }
    expect(platform.tunnels.session('runtime-1')).toBe(session);
  });

  it('passes no header of its own hop, and its endless answer stands still until it is read', async () => {
    const platform = await startPlatform();
    atEnd(() => platform.stop());
    let sentBytes = 0;
    const { session } = await rogue(platform, 'rogue', (stream) => {
      stream.respond({ ':status': 200, 'proxy-authenticate': 'Basic', 'x-own': 'yes' });
      const chunk = Buffer.alloc(64 * 1024);
      const write = () => {
        if (stream.destroyed) return;
        stream.write(chunk, () => {
          sentBytes += chunk.length;
          write();
        });
      };
      write();
    });
    const { headers, body } = await session.request({ method: 'GET', path: '/', signal });
    expect(headers).not.toHaveProperty('proxy-authenticate');
    expect(headers['x-own']).toBe('yes');
    let last = -1;
    await eventually('it stands still', () => {
      if (sentBytes > 0 && sentBytes === last) return true;
      last = sentBytes;
      return false;
    });
    expect(sentBytes).toBeLessThan(8 * 1024 * 1024);
    body.destroy();
    await eventually('it is dropped', () => session.active === 0);
  });

  it('that does not answer the close is gone all the same', async () => {
    const platform = await startPlatform();
    atEnd(() => platform.stop());
    const { socket, session } = await rogue(platform, 'rogue', () => undefined);
    const streaming = session.request({ method: 'GET', path: '/', signal }).catch((error: unknown) => error);
    socket.pause();
    platform.tunnels.revoke('rogue');
    expect(await streaming).toBeInstanceOf(TunnelCutError);
    await eventually('the session is gone', () => platform.tunnels.size === 0, 4_000);
  });

  it('and its twin are never both routed to', async () => {
    const platform = await startPlatform();
    atEnd(() => platform.stop());
    const twins = await Promise.all(
      ['a', 'b'].map((name) => startOrigin(createServer((_, response) => void response.end(name)))),
    );
    for (const twin of twins) atEnd(() => twin.stop());
    for (const { url } of twins) dial({ url: platform.url, origin: url });
    const answeredBy = new Map<string, string>();
    while (platform.opened.length < 6) {
      const session = platform.tunnels.session('runtime-1');
      const answer = await session?.request({ method: 'GET', path: '/', signal }).then(
        ({ body }) => text(body),
        () => undefined, // fenced meanwhile
      );
      if (!session || answer === undefined) await new Promise((resolve) => setImmediate(resolve));
      else expect(answeredBy.get(session.sessionId) ?? answer).toBe(answer);
      if (session && answer !== undefined) answeredBy.set(session.sessionId, answer);
    }
    expect(new Set(answeredBy.values())).toEqual(new Set(['a', 'b']));
    // A fenced session carries nothing any more, also for who still holds it.
    for (const session of platform.opened.slice(0, 4)) {
      await expect(session.request({ method: 'GET', path: '/', signal })).rejects.toBeInstanceOf(TunnelCutError);
    }
  });
});
