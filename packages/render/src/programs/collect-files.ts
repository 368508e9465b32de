// Folders of the traced tree as files for a program: everything below them, links followed inside the repository. Bounded.
import { RenderError } from '../errors.ts';
import { joinPath, type TracedTree } from '../tree/index.ts';
import type { ProgramFile } from './program-source.ts';

const maxFiles = 20_000;
const maxBytes = 128 * 1024 * 1024;
const maxDepth = 64;

export class CollectedFiles {
  readonly #tree: TracedTree;
  readonly #files = new Map<string, Buffer>();
  readonly #signal: AbortSignal | undefined;
  #bytes = 0;

  constructor(tree: TracedTree, signal: AbortSignal | undefined) {
    this.#tree = tree;
    this.#signal = signal;
  }

  /** The folder with all that is below it, at its own path. */
  async addFolder(folder: string): Promise<void> {
    this.#signal?.throwIfAborted();
    if (folder.split('/').length > maxDepth) throw new RenderError(`${folder}: folders are nested too deep`);
    for (const { name, kind } of (await this.#tree.list(folder, { suffixes: [''], folders: true })) ?? []) {
      const path = joinPath(folder, name);
      const isFolder = kind === 'tree' || (kind === 'link' && (await this.#tree.isFolder(path)));
      if (isFolder) await this.addFolder(path);
      else if (!this.#files.has(path)) {
        const content = await this.#tree.read(path);
        if (content) this.put(path, content);
      }
    }
  }

  put(path: string, content: Buffer): void {
    this.#bytes += content.length - (this.#files.get(path)?.length ?? 0);
    this.#files.set(path, content);
    if (this.#files.size > maxFiles) throw new RenderError(`${path}: a program is given at most ${maxFiles} files`);
    if (this.#bytes > maxBytes) throw new RenderError(`${path}: a program is given at most ${maxBytes} bytes`);
  }

  all(): ProgramFile[] {
    return [...this.#files].map(([path, content]) => ({ path, content }));
  }
}
