import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { silentLogger } from '@fairlead/base';
import { KubeClient } from '@fairlead/kube';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { ClusterCache } from './cluster-cache.ts';

const crds = '/apis/apiextensions.k8s.io/v1';
const custom = '/apis/example.com/v1';
/** `version`: counting from 1. */
const definition = (kind: string, version: number) => ({
  apiVersion: 'apiextensions.k8s.io/v1',
  kind: 'CustomResourceDefinition',
  metadata: { name: `${kind.toLowerCase()}s.example.com`, resourceVersion: String(version) },
  spec: { group: 'example.com', names: { kind } },
});
const resource = (kind: string, name: string) => ({ name, kind, namespaced: true, verbs: ['list', 'watch'] });

/** An API server whose definitions a test makes, and whose answer about their kinds it can hold back. */
class DefinitionsApi {
  readonly #kinds: string[] = [];
  #watch: ServerResponse | undefined;
  #hold: (() => Promise<void>) | undefined;
  readonly #server = createServer((request, response) => {
    const { pathname: path, searchParams } = new URL(request.url ?? '/', 'http://host');
    if (searchParams.get('watch')) {
      response.writeHead(200, { 'content-type': 'application/json' }).flushHeaders();
      if (!path.startsWith(crds)) return;
      this.#watch = response;
      for (let seen = Number(searchParams.get('resourceVersion')); seen < this.#kinds.length; seen++) this.#tell(seen);
      return;
    }
    const answer = JSON.stringify(this.#answer(path));
    const held = path === custom ? this.#hold?.() : undefined;
    void Promise.resolve(held).then(() => response.end(answer));
  });

  async start(): Promise<string> {
    await new Promise<void>((resolve) => this.#server.listen(0, '127.0.0.1', resolve));
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`; // listens
  }

  stop(): void {
    this.#server.closeAllConnections();
    this.#server.close();
  }

  establish(kind: string): void {
    this.#tell(this.#kinds.push(kind) - 1);
  }

  #tell(index: number): void {
    const object = definition(this.#kinds[index] ?? '', index + 1);
    this.#watch?.write(`${JSON.stringify({ type: 'ADDED', object })}\n`);
  }

  /** The next answer about custom kinds goes out, as of its question, when the test says so. */
  holdNext(): { readonly asked: Promise<void>; answer(): void } {
    let answer: () => void = () => undefined;
    const answered = new Promise<void>((resolve) => {
      answer = resolve;
    });
    const asked = new Promise<void>((resolve) => {
      this.#hold = () => {
        this.#hold = undefined;
        resolve();
        return answered;
      };
    });
    return { asked, answer };
  }

  #answer(path: string): unknown {
    if (path === '/apis')
      return {
        groups: ['apiextensions.k8s.io', 'example.com'].map((name) => ({ name, versions: [{ version: 'v1' }] })),
      };
    if (path === crds) return { resources: [resource('CustomResourceDefinition', 'customresourcedefinitions')] };
    if (path === custom) return { resources: this.#kinds.map((kind) => resource(kind, `${kind.toLowerCase()}s`)) };
    const items = path.startsWith(crds) ? this.#kinds.map((kind, index) => definition(kind, index + 1)) : [];
    return { metadata: { resourceVersion: String(this.#kinds.length) }, resources: [], items };
  }
}

const crdOf = (kind: string) => ({
  group: 'apiextensions.k8s.io',
  kind: 'CustomResourceDefinition',
  namespace: undefined,
  name: `${kind.toLowerCase()}s.example.com`,
});

describe('the kinds of a cluster', { timeout: 60_000 }, () => {
  const api = new DefinitionsApi();
  const stopping = new AbortController();
  let client: KubeClient;
  let cache: ClusterCache;
  let running: Promise<void> | undefined;
  const isWatched = (kind: string) =>
    vi.waitFor(() => expect(cache.isNamespaced({ group: 'example.com', kind })).toBe(true), 30_000);

  beforeAll(async () => {
    client = new KubeClient({ server: await api.start() });
    cache = new ClusterCache({ client, log: silentLogger });
  });
  afterAll(async () => {
    stopping.abort();
    await running;
    await client.close();
    api.stop();
  });

  it('are read again for one that is established between the first question and the first list', async () => {
    const question = api.holdNext();
    const starting = cache.start({ signal: stopping.signal });
    await question.asked;
    api.establish('Early');
    question.answer(); // what was true when it was asked: no kind at all
    ({ running } = await starting);
    await isWatched('Early');
  });

  it('are read again for one that is established while they are being read', async () => {
    const question = api.holdNext();
    api.establish('First');
    await question.asked;
    api.establish('Second');
    await vi.waitFor(() => expect(cache.get(crdOf('Second'))).toBeDefined(), 30_000);
    question.answer(); // First, and not Second
    await isWatched('First');
    await isWatched('Second');
  });
});
