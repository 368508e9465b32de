import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { Duplex } from 'node:stream';
import { listen } from '@fairlead/base';
import { afterEach, describe, expect, it } from 'vitest';
import { WebSocket, WebSocketServer } from 'ws';
import { forwardedHeaders, type TunnelSession } from './index.ts';
import { atEnd, eventually, pair, stopAll } from './testing.ts';

afterEach(stopAll);

const signal = new AbortController().signal;

const acceptOf = (key: string) =>
  createHash('sha1').update(`${key}258EAFA5-E914-47DA-95CA-C5AB0DC85B11`).digest('base64');

/** An origin whose WebSockets are given to `serve`. */
function webSocketOrigin(serve: (socket: WebSocket, path: string) => void): Server {
  const sockets = new WebSocketServer({ noServer: true, handleProtocols: (offered) => [...offered][0] ?? false });
  const server = createServer((_, response) => void response.end('plain'));
  server.on('upgrade', (request, socket, head) => {
    socket.on('error', () => undefined); // who is refused may hang up first
    if (request.url === '/no') return void socket.end('HTTP/1.1 403 Forbidden\r\ncontent-length: 2\r\n\r\nno');
    if (request.url === '/rogue') {
      return void socket.end('HTTP/1.1 101 Yes\r\nconnection: upgrade\r\nupgrade: websocket\r\n\r\nrogue');
    }
    sockets.handleUpgrade(request, socket, head, (webSocket) => serve(webSocket, request.url ?? ''));
  });
  return server;
}

/** What a platform does with a WebSocket of a browser: the handshake is its own, the frames pass through the tunnel. */
async function door(session: TunnelSession): Promise<string> {
  const server = createServer();
  server.on('upgrade', (request, near: Duplex) => {
    near.on('error', () => undefined);
    const { 'sec-websocket-key': key = '', ...headers } = request.headers;
    void session.upgrade({ path: request.url ?? '/', headers: forwardedHeaders(headers), signal }).then((answer) => {
      if (!answer.socket) return void near.end(`HTTP/1.1 ${answer.refusal.status} Refused\r\n\r\n`);
      const given = answer.headers['sec-websocket-protocol'];
      near.write(
        [
          'HTTP/1.1 101 Switching Protocols\r\nconnection: upgrade\r\nupgrade: websocket',
          `sec-websocket-accept: ${acceptOf(key)}`,
          ...(given ? [`sec-websocket-protocol: ${String(given)}`] : []),
          '\r\n',
        ].join('\r\n'),
      );
      near.pipe(answer.socket).pipe(near);
      near.once('close', () => answer.socket.destroy());
    });
  });
  const { port, close } = await listen(server, { port: 0 });
  atEnd(() => close(0));
  return `ws://127.0.0.1:${port}`;
}

describe('a WebSocket through the tunnel', () => {
  it('carries messages both ways, large ones too, and the close with its code', async () => {
    const origin = webSocketOrigin((socket) => {
      socket.on('message', (data, binary) => {
        if (String(data) === 'bye') socket.close(4321, 'as asked');
        else socket.send(data, { binary });
      });
    });
    const { session } = await pair(origin);
    const client = new WebSocket(`${await door(session)}/x`, ['first', 'second']);
    await once(client, 'open');
    expect(client.protocol).toBe('first');
    const big = Buffer.alloc(5 * 1024 * 1024, 'x');
    for (const sent of [Buffer.from('hello'), big]) {
      client.send(sent);
      const [got] = (await once(client, 'message')) as [Buffer];
      expect(got.equals(sent)).toBe(true);
    }
    client.send('bye');
    const [code, reason] = (await once(client, 'close')) as [number, Buffer];
    expect([code, reason.toString()]).toEqual([4321, 'as asked']);
    await eventually('the stream is gone', () => session.active === 0);
  });

  it('that the target refuses gives its answer, and one that is no WebSocket is not passed on', async () => {
    const { session } = await pair(webSocketOrigin(() => undefined));
    const refused = await session.upgrade({ path: '/no', signal });
    expect(refused.socket === undefined && refused.refusal.status).toBe(403);
    const rogue = await session.upgrade({ path: '/rogue', signal });
    expect(rogue.socket === undefined && rogue.refusal.status).toBe(502);
    await eventually('the streams are gone', () => session.active === 0);
  });

  it('is closed at the target when its reader leaves, and at the reader when the tunnel is cut', async () => {
    const closed: string[] = [];
    const origin = webSocketOrigin((socket, path) => void socket.on('close', () => closed.push(path)));
    const { session, relay } = await pair(origin, { relayed: true });
    const url = await door(session);
    const [leaving, staying] = [new WebSocket(`${url}/leaving`), new WebSocket(`${url}/staying`)];
    await Promise.all([once(leaving, 'open'), once(staying, 'open')]);
    leaving.terminate();
    await eventually('the target noticed', () => closed.includes('/leaving'));
    expect(closed).not.toContain('/staying');
    relay?.cut();
    const [code] = (await once(staying, 'close')) as [number];
    expect(code).toBe(1006);
    await eventually('the target noticed the cut', () => closed.includes('/staying'));
  });

  it('whose reader has stopped holds up nobody, and what waits for it is bounded', async () => {
    let sentBytes = 0;
    const chunk = Buffer.alloc(64 * 1024);
    const origin = webSocketOrigin((socket) => {
      const send = () =>
        socket.send(chunk, (error) => {
          if (error) return;
          sentBytes += chunk.length;
          send();
        });
      send();
    });
    const { session } = await pair(origin);
    const stalled = await session.upgrade({ path: '/flood', signal });
    let last = -1;
    await eventually('the flood stands still', () => {
      if (sentBytes > 0 && sentBytes === last) return true;
      last = sentBytes;
      return false;
    });
    // The windows of the tunnel and the buffers of the kernel's loopback, which may grow to some MiB.
    expect(sentBytes).toBeLessThan(32 * 1024 * 1024);
    const answer = await session.request({ method: 'GET', path: '/', signal });
    expect(answer.status).toBe(200);
    answer.body.resume();
    stalled.socket?.destroy();
  });
});

describe('a stream of events through the tunnel', () => {
  it('arrives event by event, and waits at its source while nobody reads', async () => {
    let written = 0;
    const event = `data: ${'x'.repeat(16 * 1024)}\n\n`;
    const { session } = await pair((_, response) => {
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      response.write('data: first\n\n');
      const write = () => {
        let isTaken = true;
        for (; isTaken && !response.destroyed; written++) isTaken = response.write(event);
      };
      response.on('drain', write);
      setImmediate(write);
    });
    const { body } = await session.request({ method: 'GET', path: '/events', signal });
    const [first] = (await once(body, 'data')) as [Buffer];
    expect(first.toString()).toContain('data: first\n\n');
    body.pause();
    let last = -1;
    await eventually('the source stands still', () => {
      if (written > 0 && written === last) return true;
      last = written;
      return false;
    });
    expect(written * event.length).toBeLessThan(32 * 1024 * 1024);
    const before = written;
    body.resume();
    await eventually('it goes on', () => written > before + 100);
    body.destroy();
  });
});
