// A chart repository and an OCI registry on real sockets, with the ways in which real ones refuse.
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { gzipSync } from 'node:zlib';
import { sha256Hex } from '@fairlead/base';
import { pack } from 'tar-stream';

type Answer = (request: IncomingMessage, response: ServerResponse) => void;

export class ChartServer {
  readonly #server: Server;
  readonly requests: { readonly path: string; readonly authorization: string | undefined }[] = [];
  readonly paths = new Map<string, Answer>();

  private constructor() {
    this.#server = createServer((request, response) => {
      const path = (request.url ?? '').replace(/\?.*$/, '');
      this.requests.push({ path, authorization: request.headers.authorization });
      const answer = this.paths.get(path) ?? ((_request, none) => none.writeHead(404).end());
      answer(request, response);
    });
  }

  static async start(): Promise<ChartServer> {
    const server = new ChartServer();
    await new Promise<void>((resolve) => server.#server.listen(0, '127.0.0.1', resolve));
    return server;
  }

  async stop(): Promise<void> {
    this.#server.closeAllConnections();
    await new Promise((resolve) => this.#server.close(resolve));
  }

  get host(): string {
    return `127.0.0.1:${(this.#server.address() as AddressInfo).port}`; // a listening TCP server has one
  }

  get url(): string {
    return `http://${this.host}`;
  }

  serve(path: string, body: string | Buffer, headers: Record<string, string> = {}): void {
    this.paths.set(path, (_request, response) => response.writeHead(200, headers).end(body));
  }

  countOf(path: string): number {
    return this.requests.filter((request) => request.path === path).length;
  }

  /** A chart behind `/v2/<path>`, as registries serve it. */
  serveOci(path: string, versions: Readonly<Record<string, Buffer>>): void {
    const tags = Object.keys(versions).map((version) => version.replaceAll('+', '_'));
    this.serve(`/v2/${path}/tags/list`, JSON.stringify({ name: path, tags }));
    for (const [version, archive] of Object.entries(versions)) {
      const digest = `sha256:${sha256Hex(archive)}`;
      const mediaType = 'application/vnd.cncf.helm.chart.content.v1.tar+gzip';
      const manifest = JSON.stringify({ schemaVersion: 2, layers: [{ mediaType, digest, size: archive.length }] });
      const headers = { 'docker-content-digest': `sha256:${sha256Hex(manifest)}` };
      this.serve(`/v2/${path}/manifests/${version.replaceAll('+', '_')}`, manifest, headers);
      this.serve(`/v2/${path}/blobs/${digest}`, archive);
    }
  }
}

/** A chart archive; `extra` adds raw entries that a packer would not make. */
export async function archiveOf(
  files: Readonly<Record<string, string>>,
  extra: (archive: ReturnType<typeof pack>) => void = () => undefined,
): Promise<Buffer> {
  const archive = pack();
  for (const [name, content] of Object.entries(files)) archive.entry({ name }, content);
  extra(archive);
  archive.finalize();
  const chunks: Uint8Array[] = [];
  for await (const chunk of archive) chunks.push(chunk as Uint8Array); // a tar is a stream of bytes
  return gzipSync(Buffer.concat(chunks));
}

export const chartFiles = (name: string, version: string, template = 'x'): Record<string, string> => ({
  [`${name}/Chart.yaml`]: `apiVersion: v2\nname: ${name}\nversion: ${version}\n`,
  [`${name}/values.yaml`]: 'greeting: hello\n',
  [`${name}/templates/c.yaml`]: `apiVersion: v1\nkind: ConfigMap\nmetadata: {name: "{{ .Release.Name }}-${name}"}\ndata: {v: "${version}", t: "${template}", g: "{{ .Values.greeting }}"}\n`,
});

export function indexOf(
  charts: Readonly<Record<string, readonly { version: string; url: string; digest?: string }[]>>,
) {
  const entries = Object.entries(charts).map(([name, versions]) => {
    const items = versions.map(
      ({ version, url, digest }) =>
        `  - apiVersion: v2\n    name: ${name}\n    version: ${version}\n${digest === undefined ? '' : `    digest: ${digest}\n`}    urls:\n    - ${url}\n`,
    );
    return `  ${name}:\n${items.join('')}`;
  });
  return `apiVersion: v1\nentries:\n${entries.join('')}generated: "2026-01-01T00:00:00Z"\n`;
}
