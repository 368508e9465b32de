// A source tree in memory, with ids by content as git has them.
import { sha256Hex } from '@fairlead/base';
import type { TreeEntry } from '@fairlead/git';
import type { SourceTree } from './tree/index.ts';

/** `path` → content; a content of `link:target` is a symbolic link. */
export class MemoryTree implements SourceTree {
  readonly id: string;
  readonly #files: ReadonlyMap<string, string>;
  reads = 0;

  constructor(files: Readonly<Record<string, string>>) {
    this.#files = new Map(Object.entries(files));
    this.id = sha256Hex(JSON.stringify(Object.entries(files).sort()));
  }

  async entry(path: string): Promise<TreeEntry | undefined> {
    const name = path.split('/').at(-1) ?? '';
    const content = this.#files.get(path);
    if (content?.startsWith('link:')) return { name, kind: 'link', id: sha256Hex(content) };
    if (content !== undefined) return { name, kind: 'blob', id: sha256Hex(content) };
    const below = [...this.#files].filter(([file]) => path === '' || file.startsWith(`${path}/`));
    return below.length === 0 ? undefined : { name, kind: 'tree', id: sha256Hex(JSON.stringify(below)) };
  }

  async list(path: string): Promise<readonly TreeEntry[] | undefined> {
    if ((await this.entry(path))?.kind !== 'tree') return undefined;
    const prefix = path === '' ? '' : `${path}/`;
    const inside = [...this.#files.keys()].filter((file) => file.startsWith(prefix));
    const names = new Set(inside.map((file) => file.slice(prefix.length).split('/')[0] ?? ''));
    const entries = await Promise.all([...names].map((name) => this.entry(prefix + name)));
    return entries.filter((entry) => entry !== undefined);
  }

  async read(entry: TreeEntry): Promise<Buffer> {
    this.reads++;
    const content = [...this.#files.values()].find((candidate) => sha256Hex(candidate) === entry.id) ?? '';
    return Buffer.from(content.replace(/^link:/, ''));
  }
}
