// Stands between an engine and its API server: sees every write, and can cut the engine off at any of them, before the
// request arrives or after it was carried out but not answered. To the cluster that is what kill -9 looks like: whatever
// the engine does afterwards has no effect.
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { request } from 'node:https';
import type { AddressInfo } from 'node:net';
import { stringAt } from '@fairlead/kube';

export interface Write {
  readonly method: string;
  readonly path: string;
  readonly body: string;
  /** Whether the API server took it. */
  status?: number;
}

export interface Cut {
  /** Counting from 1; or the first that is like this. */
  readonly write: number | ((write: Write) => boolean);
  readonly when: 'before' | 'after';
  /** What happens at that write; by default the engine is cut off for ever. */
  readonly fault?: () => void | Promise<void>;
}

export class WriteProxy {
  readonly writes: Write[] = [];
  readonly #server: Server;
  #cut: Cut | undefined;
  #isParted: boolean = false;
  #lost = 0;
  readonly #dead: Promise<void>;
  #die: () => void = () => undefined;

  private constructor(target: URL, isWatched: (path: string) => boolean, cut: Cut | undefined) {
    this.#cut = cut;
    this.#dead = new Promise((resolve) => {
      this.#die = resolve;
    });
    this.#server = createServer((incoming, outgoing) => {
      // An engine that dies while it sends has sent nothing.
      this.#pass(incoming, outgoing, { target, isWatched }).catch(() => outgoing.destroy());
    });
  }

  /** `isWatched`: the paths whose writes count. */
  static async start(target: string, isWatched: (path: string) => boolean, cut?: Cut): Promise<WriteProxy> {
    const proxy = new WriteProxy(new URL(target), isWatched, cut);
    await new Promise<void>((resolve) => proxy.#server.listen(0, '127.0.0.1', resolve));
    return proxy;
  }

  get url(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`; // listens
  }

  /** Resolves when the cut was made. */
  get dead(): Promise<void> {
    return this.#dead;
  }

  /** Another fault, while the engine runs. */
  arm(cut: Cut): void {
    this.#cut = cut;
  }

  /** Nothing passes any more, and what is open breaks off, until `heal`. */
  part(): void {
    this.#isParted = true;
    this.#server.closeAllConnections();
  }

  /** Requests that did not pass. */
  get lost(): number {
    return this.#lost;
  }

  heal(): void {
    this.#isParted = false;
  }

  stop(): void {
    this.#server.closeAllConnections();
    this.#server.close();
  }

  async #pass(
    incoming: IncomingMessage,
    outgoing: ServerResponse,
    { target, isWatched }: { target: URL; isWatched: (path: string) => boolean },
  ): Promise<void> {
    const chunks: Buffer[] = [];
    for await (const chunk of incoming) chunks.push(Buffer.from(chunk));
    if (this.#isParted) {
      this.#lost++;
      return void outgoing.destroy();
    }
    const body = Buffer.concat(chunks);
    const { method = 'GET', url: path = '/' } = incoming;
    const write = method !== 'GET' && isWatched(path) ? { method, path, body: body.toString('utf8') } : undefined;
    const number = write ? this.writes.push(write) : 0;
    const cut = write && this.#cutAt(write, number);
    if (cut?.when === 'before' && (await this.#strike(cut))) return;
    const { host: _host, ...headers } = incoming.headers;
    const upstream = request(new URL(path, target), { method, headers, rejectUnauthorized: false }, async (answer) => {
      if (write) (write as Write).status = answer.statusCode ?? 0;
      if (cut?.when === 'after' && (await this.#strike(cut))) return;
      outgoing.writeHead(answer.statusCode ?? 502, answer.headers);
      outgoing.flushHeaders();
      answer.pipe(outgoing);
    });
    upstream.on('error', () => outgoing.destroy());
    // A write that is on its way arrives, as it would when the engine dies.
    if (method === 'GET') outgoing.on('close', () => upstream.destroy());
    upstream.end(body);
  }

  /** The cut that this write is to meet; it is made once. */
  #cutAt(write: Write, number: number): Cut | undefined {
    const cut = this.#cut;
    if (!cut || !(typeof cut.write === 'number' ? cut.write === number : cut.write(write))) return undefined;
    this.#cut = undefined;
    return cut;
  }

  /** Whether the engine is cut off: a frozen one is not, its requests and their answers are on their way. */
  async #strike({ fault }: Cut): Promise<boolean> {
    if (fault) await fault();
    else this.stop();
    this.#die();
    return fault === undefined || this.#isParted;
  }
}

export const deletesIn = (writes: readonly Write[]): Write[] => writes.filter(({ method }) => method === 'DELETE');

/** Objects of this name that came into being. */
export const madeIn = (writes: readonly Write[], name: string): Write[] =>
  writes.filter(({ method, body, status }) => method === 'POST' && status === 201 && nameIn(body) === name);

function nameIn(body: string): string | undefined {
  return body === '' ? undefined : stringAt(JSON.parse(body), 'metadata', 'name');
}
