// A folder of the disk as a source tree, for people who render what they have not committed. Links are not followed
// here (TracedTree does, inside the root); ids are those git would give, so that renders of a commit and of the folder
// it was checked out to have equal read sets. What is read once stays as it was read.
import { createHash } from 'node:crypto';
import { lstat, readdir, readFile, readlink } from 'node:fs/promises';
import { join, posix } from 'node:path';
import type { TreeEntry } from '@fairlead/git';
import { RenderError } from '../errors.ts';
import { joinPath } from './read-set.ts';
import type { SourceTree } from './source-tree.ts';

const maxFileBytes = 32 * 1024 * 1024;

export class FolderTree implements SourceTree {
  /** A folder may change at any time: it is equal to nothing but itself. */
  readonly id: string;
  readonly #root: string;
  readonly #entries = new Map<string, Promise<TreeEntry | undefined>>();
  readonly #contents = new Map<string, Buffer>();

  constructor(root: string) {
    this.#root = root;
    this.id = `folder ${root}`;
  }

  entry(path: string): Promise<TreeEntry | undefined> {
    const known = this.#entries.get(path);
    if (known) return known;
    const entry = this.#look(path);
    this.#entries.set(path, entry);
    return entry;
  }

  async list(path: string): Promise<readonly TreeEntry[] | undefined> {
    if ((await this.entry(path))?.kind !== 'tree') return undefined;
    const names = (await readdir(join(this.#root, path))).filter((name) => name !== '.git');
    const entries = await Promise.all(names.map((name) => this.entry(joinPath(path, name))));
    return entries.filter((entry) => entry !== undefined);
  }

  async read({ id }: TreeEntry): Promise<Buffer> {
    const content = this.#contents.get(id);
    if (!content) throw new RenderError(`${this.#root} does not hold the file ${id}`);
    return content;
  }

  async #look(path: string): Promise<TreeEntry | undefined> {
    const file = join(this.#root, path);
    const stat = await lstat(file).catch((error: NodeJS.ErrnoException) => {
      if (error.code === 'ENOENT' || error.code === 'ENOTDIR') return undefined;
      throw error;
    });
    const name = posix.basename(path);
    if (stat?.isDirectory()) return { name, kind: 'tree', id: `folder ${path}` };
    if (stat?.isSymbolicLink()) return { name, kind: 'link', id: this.#keep(Buffer.from(await readlink(file))) };
    if (!stat?.isFile()) return undefined;
    if (stat.size > maxFileBytes) throw new RenderError(`${path}: is larger than ${maxFileBytes} bytes`);
    return { name, kind: 'blob', id: this.#keep(await readFile(file)) };
  }

  #keep(content: Buffer): string {
    const id = createHash('sha1').update(`blob ${content.length}\0`).update(content).digest('hex');
    this.#contents.set(id, content);
    return id;
  }
}
