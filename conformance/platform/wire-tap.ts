// Stands between a runtime and the platform and keeps every byte that the runtime sends as a request, unpacked. The
// tunnel passes through unread: what comes through it is looked at where the platform answers.
import { createServer, type IncomingMessage, request, type ServerResponse } from 'node:http';
import { connect } from 'node:net';
import { gunzipSync } from 'node:zlib';
import { listen, readAll } from '@fairlead/base';

export interface WireTap {
  readonly url: string;
  readonly sent: string[];
  stop(): Promise<void>;
}

const maxBytes = 64 * 1024 * 1024;

export async function startWireTap(platformUrl: string): Promise<WireTap> {
  const { hostname, port } = new URL(platformUrl);
  const sent: string[] = [];
  const pass = async (incoming: IncomingMessage, outgoing: ServerResponse) => {
    const body = await readAll(incoming, { maxBytes });
    const plain = incoming.headers['content-encoding'] === 'gzip' ? gunzipSync(body) : body;
    sent.push(`${incoming.url} ${plain.toString('utf8')}`);
    const { method, url: path, headers } = incoming;
    const onwards = request({ hostname, port, method, path, headers }, (answer) => {
      outgoing.writeHead(answer.statusCode ?? 502, answer.headers);
      answer.pipe(outgoing);
    });
    onwards.on('error', () => outgoing.destroy());
    onwards.end(body);
  };
  const server = createServer((incoming, outgoing) => {
    pass(incoming, outgoing).catch(() => outgoing.destroy());
  });
  server.on('upgrade', (incoming, socket, head) => {
    const onwards = connect(Number(port), hostname, () => {
      const lines = incoming.rawHeaders.flatMap((name, index, all) =>
        index % 2 === 0 ? [`${name}: ${all[index + 1] ?? ''}`] : [],
      );
      onwards.write(`${incoming.method} ${incoming.url} HTTP/1.1\r\n${lines.join('\r\n')}\r\n\r\n`);
      onwards.write(head);
      socket.pipe(onwards).pipe(socket);
    });
    socket.on('error', () => onwards.destroy());
    onwards.on('error', () => socket.destroy());
  });
  const listening = await listen(server, { port: 0 });
  return { url: `http://127.0.0.1:${listening.port}`, sent, stop: () => listening.close(0) };
}
