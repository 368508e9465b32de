// Content kept on disk by key, bounded, and checked when it is read.
//
// Promises: what `get` gives is byte for byte what `put` was given, or it gives nothing (a file that was cut short or
// changed is deleted and counted); writes appear whole or not at all; at the bound the least recently used goes. A disk
// that fails costs the cache, never the caller: failures to write are counted and otherwise passed over. One process
// per folder.
import { randomUUID } from 'node:crypto';
import { mkdir, readdir, readFile, rename, rm, stat, utimes, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type Clock, sha256Hex, systemClock } from '@fairlead/base';

interface DiskStoreOptions {
  readonly dir: string;
  readonly maxBytes: number;
  readonly clock?: Clock;
}

interface Kept {
  readonly sizeBytes: number;
  usedMs: number;
}

const hashLength = 64;

export class DiskStore {
  readonly #dir: string;
  readonly #maxBytes: number;
  readonly #clock: Clock;
  /** By file name, the least recently used first. */
  #files: Promise<Map<string, Kept>> | undefined;
  #sizeBytes = 0;
  readonly counts = { hits: 0, misses: 0, evictions: 0, damaged: 0, failures: 0 };

  constructor({ dir, maxBytes, clock = systemClock }: DiskStoreOptions) {
    this.#dir = dir;
    this.#maxBytes = maxBytes;
    this.#clock = clock;
  }

  get sizeBytes(): number {
    return this.#sizeBytes;
  }

  async get(key: string): Promise<Buffer | undefined> {
    const files = await this.#open();
    const name = fileName(key);
    const kept = files.get(name);
    const content = kept && (await this.#read(name));
    if (!kept || !content) {
      this.counts.misses++;
      return undefined;
    }
    this.counts.hits++;
    kept.usedMs = this.#clock.now();
    files.delete(name);
    files.set(name, kept);
    const time = new Date(kept.usedMs);
    await utimes(join(this.#dir, name), time, time).catch(() => this.counts.failures++);
    return content;
  }

  async put(key: string, content: Buffer): Promise<void> {
    const files = await this.#open();
    const name = fileName(key);
    const sizeBytes = content.length + hashLength;
    if (sizeBytes > this.#maxBytes) return;
    const partial = join(this.#dir, `.${randomUUID()}`);
    try {
      await writeFile(partial, Buffer.concat([Buffer.from(sha256Hex(content)), content]), { mode: 0o600 });
      await rename(partial, join(this.#dir, name));
    } catch {
      this.counts.failures++;
      await rm(partial, { force: true }).catch(() => undefined); // the next start clears what could not be deleted
      return;
    }
    this.#sizeBytes += sizeBytes - (files.get(name)?.sizeBytes ?? 0);
    files.delete(name);
    files.set(name, { sizeBytes, usedMs: this.#clock.now() });
    await this.#evict(files);
  }

  async #evict(files: Map<string, Kept>): Promise<void> {
    for (const [name, { sizeBytes }] of files) {
      if (this.#sizeBytes <= this.#maxBytes) return;
      files.delete(name);
      this.#sizeBytes -= sizeBytes;
      this.counts.evictions++;
      await rm(join(this.#dir, name), { force: true }).catch(() => this.counts.failures++);
    }
  }

  async #read(name: string): Promise<Buffer | undefined> {
    const stored = await readFile(join(this.#dir, name)).catch(() => undefined);
    const content = stored?.subarray(hashLength);
    if (stored && content && stored.subarray(0, hashLength).toString('latin1') === sha256Hex(content)) return content;
    this.counts.damaged++;
    await this.#forget(name);
    return undefined;
  }

  async #forget(name: string): Promise<void> {
    const files = await this.#open();
    this.#sizeBytes -= files.get(name)?.sizeBytes ?? 0;
    files.delete(name);
    await rm(join(this.#dir, name), { force: true }).catch(() => this.counts.failures++);
  }

  #open(): Promise<Map<string, Kept>> {
    this.#files ??= this.#scan();
    return this.#files;
  }

  async #names(): Promise<string[]> {
    try {
      await mkdir(this.#dir, { recursive: true, mode: 0o700 });
      return await readdir(this.#dir);
    } catch {
      this.counts.failures++;
      return [];
    }
  }

  async #scan(): Promise<Map<string, Kept>> {
    const names = await this.#names();
    const found: [string, Kept][] = [];
    for (const name of names) {
      const path = join(this.#dir, name);
      if (name.startsWith('.')) await rm(path, { force: true }); // left by a process that ended while it wrote
      if (!/^[0-9a-f]{64}$/.test(name)) continue;
      const { size, mtimeMs } = await stat(path);
      found.push([name, { sizeBytes: size, usedMs: mtimeMs }]);
      this.#sizeBytes += size;
    }
    const files = new Map(found.sort(([, a], [, b]) => a.usedMs - b.usedMs));
    await this.#evict(files);
    return files;
  }
}

const fileName = (key: string): string => sha256Hex(key);
