// The runtime's side of `bench tunnel`, in a process of its own: an origin, one tunnel for the measurements, and on request
// many idle ones. Started by the bench with the platform's URL; speaks over IPC.
import { setMaxListeners } from 'node:events';
import { createServer } from 'node:http';
import { listen } from '@fairlead/base';
import { dialTunnel } from '@fairlead/tunnel';

const chunk = Buffer.alloc(256 * 1024, 1);

const origin = createServer((request, response) => {
  const size = Number(/^\/bytes\/(\d+)/.exec(request.url ?? '')?.[1] ?? 0);
  if (request.method === 'POST') {
    let received = 0;
    request.on('data', (data: Buffer) => {
      received += data.length;
    });
    request.on('end', () => response.end(String(received)));
    return;
  }
  if (size === 0) {
    response.end('{"ok":true}');
    return;
  }
  let sent = 0;
  const push = () => {
    while (sent < size) {
      sent += chunk.length;
      if (!response.write(chunk)) {
        response.once('drain', push);
        return;
      }
    }
    response.end();
  };
  push();
});

const { signal } = new AbortController();
setMaxListeners(0, signal); // a thousand tunnels of one process end by it; a runtime has one
const dial = (url: string, id: string, originUrl: string) =>
  dialTunnel({ url, proof: async () => id, origin: originUrl, runtimeVersion: 'bench', signal });

process.on('message', ({ url, idle }: { url: string; idle?: number }) => {
  void listen(origin, { port: 0 }).then(({ port }) => {
    const originUrl = `http://127.0.0.1:${port}`;
    void dial(url, 'main', originUrl);
    process.send?.({ originUrl });
    for (let n = 0; n < (idle ?? 0); n++) void dial(url, `idle-${n}`, originUrl);
  });
});
