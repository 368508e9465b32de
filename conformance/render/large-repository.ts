// A repository with a great many files and one great file, made by fast-import, and what rendering from it leaves behind.
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { exec, silentLogger } from '@fairlead/base';
import { GitMirrors } from '@fairlead/git';
import { GitTree, Renderer, RenderPool, type SourceTree } from '@fairlead/render';

interface Sizes {
  readonly files: number;
  readonly largeFileBytes: number;
}

/** `app/` is healthy, `many/` holds `files` manifests in folders of 1,000, `large/` one manifest of that many bytes. */
export async function makeLargeRepository(dir: string, { files, largeFileBytes }: Sizes): Promise<string> {
  const url = join(dir, 'large.git');
  await exec('git', ['init', '--quiet', '--bare', '--initial-branch=main', url]);
  await exec('git', ['-C', url, 'fast-import', '--quiet'], {
    input: stream(files, largeFileBytes),
    timeoutMs: 300_000,
  });
  return url;
}

const manifest = (name: string) => `apiVersion: v1\nkind: ConfigMap\nmetadata: {name: ${name}}\n`;

function stream(files: number, largeFileBytes: number): Buffer {
  const parts: (string | Buffer)[] = [
    'commit refs/heads/main\ncommitter a <a@example.com> 1700000000 +0000\ndata 4\nmade\n',
  ];
  const add = (path: string, content: string | Buffer) =>
    parts.push(`M 100644 inline ${path}\ndata ${Buffer.byteLength(content)}\n`, content, '\n');
  add('app/cm.yaml', manifest('healthy'));
  for (let number = 0; number < files; number++)
    add(`many/${Math.floor(number / 1000)}/${number}.yaml`, manifest(`m${number}`));
  add(
    'large/cm.yaml',
    Buffer.concat([Buffer.from(`${manifest('large')}data:\n  a: `), Buffer.alloc(largeFileBytes, 'x')]),
  );
  return Buffer.concat(parts.map((part) => (typeof part === 'string' ? Buffer.from(part) : part)));
}

export interface Rendering {
  render(path: string, directory?: { recurse: boolean }): Promise<{ objects: number } | { refusal: string }>;
  stop(): Promise<void>;
}

/** As the engine has it: a mirror, worker threads, renders on disk. */
export async function openRendering(dir: string, url: string): Promise<Rendering> {
  const mirrors = new GitMirrors({ dir: join(dir, 'mirrors'), log: silentLogger, allowFile: true });
  const pool = new RenderPool({ size: 2 });
  const renderer = new Renderer({ pool, dir: join(dir, 'renders') });
  const commit = await mirrors.resolve(url, 'main');
  const tree: SourceTree = await GitTree.ofCommit(await mirrors.repository(url), commit);
  return {
    render: (path, directory) =>
      renderer.render({ tree, source: { repoURL: url, path, ...(directory ? { directory } : {}) } }).then(
        ({ manifests }) => ({ objects: manifests.length }),
        (error: unknown) => ({ refusal: error instanceof Error ? error.message : String(error) }),
      ),
    stop: async () => {
      await Promise.all([pool.stop(), mirrors.stop()]);
    },
  };
}

/** Processes that this one has started and that have not ended. */
export async function childrenOfThis(): Promise<string[]> {
  const found: string[] = [];
  for (const pid of (await readdir('/proc')).filter((name) => /^\d+$/.test(name))) {
    const status = await readFile(`/proc/${pid}/status`, 'utf8').catch(() => ''); // ended meanwhile
    const isChild = new RegExp(`^PPid:\\s+${process.pid}$`, 'm').test(status);
    if (isChild && !/^State:\s+Z/m.test(status)) found.push(/^Name:\s+(.*)$/m.exec(status)?.[1] ?? pid);
  }
  return found;
}
