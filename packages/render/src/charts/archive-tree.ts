// The files of a chart archive as a source tree, with the ids that git would give them.
import { createHash } from 'node:crypto';
import type { TreeEntry } from '@fairlead/git';
import { RenderError } from '../errors.ts';
import type { SourceTree } from '../tree/index.ts';
import { readArchive } from './archive.ts';
import type { FetchedChart } from './chart-source.ts';

export class ArchiveTree implements SourceTree {
  readonly id: string;
  readonly #entries = new Map<string, TreeEntry>();
  readonly #children = new Map<string, TreeEntry[]>();
  readonly #contents = new Map<string, Buffer>();

  private constructor(id: string) {
    this.id = id;
    this.#addFolder('');
  }

  static async of({ content, digest }: FetchedChart, name: string): Promise<ArchiveTree> {
    const tree = new ArchiveTree(`chart ${digest}`);
    for (const file of await readArchive(content, name)) tree.#addFile(file.name, file.content);
    return tree;
  }

  async entry(path: string): Promise<TreeEntry | undefined> {
    return this.#entries.get(path);
  }

  async list(path: string): Promise<readonly TreeEntry[] | undefined> {
    return this.#children.get(path);
  }

  async read({ id, name }: TreeEntry): Promise<Buffer> {
    const content = this.#contents.get(id);
    if (!content) throw new RenderError(`${name}: is not in the chart`);
    return content;
  }

  #addFile(path: string, content: Buffer): void {
    const id = createHash('sha1').update(`blob ${content.length}\0`).update(content).digest('hex');
    this.#contents.set(id, content);
    this.#add(path, { name: nameOf(path), kind: 'blob', id });
  }

  #addFolder(path: string): void {
    this.#children.set(path, []);
    const entry: TreeEntry = { name: nameOf(path), kind: 'tree', id: `${this.id} ${path}` };
    if (path === '') this.#entries.set('', entry);
    else this.#add(path, entry);
  }

  #add(path: string, entry: TreeEntry): void {
    const parent = path.includes('/') ? path.slice(0, path.lastIndexOf('/')) : '';
    if (!this.#children.has(parent)) this.#addFolder(parent);
    const siblings = this.#children.get(parent) ?? [];
    const earlier = this.#entries.get(path);
    if (earlier) siblings.splice(siblings.indexOf(earlier), 1);
    siblings.push(entry);
    this.#entries.set(path, entry);
  }
}

const nameOf = (path: string): string => path.slice(path.lastIndexOf('/') + 1);
