// The folder of the mirrors: where each lies, and how much all of them may take. Past the bound the mirrors that were
// used least recently are removed, but none that somebody used within the last minutes or that is being fetched into; a
// removed one is fetched anew when it is next asked for. What cannot be removed stays, and is counted.
import { access, mkdir, readdir, rename, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { type Clock, errorMessage, exec, type Logger, newId, sha256Hex } from '@fairlead/base';
import { normalizeRepositoryUrl } from '../url/index.ts';
import { sizeOfFolder } from './folder-size.ts';
import { gitEnvironment } from './git-command.ts';

interface MirrorFolderOptions {
  readonly dir: string;
  readonly maxBytes: number;
  /** A mirror that was used later than this ago is never removed. */
  readonly idleMs: number;
  readonly clock: Clock;
  readonly log: Logger;
  /** Called before a mirror goes; false: it is in use. */
  readonly release: (gitDir: string) => boolean;
}

interface Known {
  /** Undefined until it was measured. */
  readonly sizeBytes?: number;
  readonly measuredMs?: number;
  /** Monotonic. */
  readonly usedMs: number;
}

/** Measuring walks the folder; small fetches in a row need it once. */
const measureEveryMs = 60_000;

export class MirrorFolder {
  readonly #options: MirrorFolderOptions;
  readonly #known = new Map<string, Known>();
  #scanned: Promise<void> | undefined;
  readonly counts = { removed: 0, overflows: 0 };

  constructor(options: MirrorFolderOptions) {
    this.#options = options;
  }

  get sizeBytes(): number {
    return [...this.#known.values()].reduce((sum, { sizeBytes = 0 }) => sum + sizeBytes, 0);
  }

  /** Scheme and user do not change what a repository holds, but they change who may read it: http and ssh stay apart. */
  gitDirOf(url: string, protocol: string): string {
    const name = sha256Hex(`${protocol} ${normalizeRepositoryUrl(url)}`).slice(0, 32);
    return join(this.#options.dir, `${name}.git`);
  }

  used(gitDir: string): void {
    this.#known.set(gitDir, { ...this.#known.get(gitDir), usedMs: this.#options.clock.monotonic() });
  }

  /** After a fetch: what the mirror takes now, and room for it. Never rejects: too much on disk is no reason to fail. */
  async grew(gitDir: string): Promise<void> {
    const nowMs = this.#options.clock.monotonic();
    const { measuredMs = Number.NEGATIVE_INFINITY } = this.#known.get(gitDir) ?? {};
    if (nowMs - measuredMs < measureEveryMs) return;
    try {
      this.#scanned ??= this.#scan();
      await this.#scanned;
      this.#known.set(gitDir, { sizeBytes: await sizeOfFolder(gitDir), measuredMs: nowMs, usedMs: nowMs });
      await this.#makeRoom(gitDir);
    } catch (error) {
      this.#options.log.warn({ error: errorMessage(error) }, 'the size of the mirrors could not be kept');
    }
  }

  /** What earlier processes left, as if used now minus the time they lay there. */
  async #scan(): Promise<void> {
    const { dir, clock } = this.#options;
    const names = (await readdir(dir)).filter((name) => /^[0-9a-f]{32}\.git$/.test(name));
    for (const gitDir of names.map((name) => join(dir, name))) {
      if (this.#known.get(gitDir)?.sizeBytes !== undefined) continue;
      const { mtimeMs } = await stat(gitDir);
      const usedMs = this.#known.get(gitDir)?.usedMs ?? clock.monotonic() - (clock.now() - mtimeMs);
      this.#known.set(gitDir, { sizeBytes: await sizeOfFolder(gitDir), usedMs });
    }
  }

  async #makeRoom(spared: string): Promise<void> {
    const { maxBytes, idleMs, clock, log, release } = this.#options;
    const oldestFirst = [...this.#known].sort(([, a], [, b]) => a.usedMs - b.usedMs);
    for (const [gitDir, { usedMs, sizeBytes }] of oldestFirst) {
      if (this.sizeBytes <= maxBytes) return;
      const isBusy = gitDir === spared || clock.monotonic() - usedMs < idleMs;
      if (isBusy || !release(gitDir)) continue;
      this.#known.delete(gitDir);
      await removeMirror(gitDir);
      this.counts.removed++;
      log.info({ gitDir, sizeBytes }, 'a mirror was removed to keep within the bound');
    }
    if (this.sizeBytes <= maxBytes) return;
    this.counts.overflows++;
    log.warn({ sizeBytes: this.sizeBytes, maxBytes }, 'mirrors in use take more than their bound');
  }
}

/** Made beside its place and renamed, so that a crash leaves no half-made mirror. */
export async function initMirror(gitDir: string): Promise<void> {
  const isThere = await access(join(gitDir, 'HEAD')).then(
    () => true,
    () => false,
  );
  if (isThere) return;
  const making = `${gitDir}.${newId('new')}`;
  await mkdir(making, { recursive: true });
  const args = ['init', '--quiet', '--bare', '--template=', '--initial-branch=main', making];
  await exec('git', args, { env: gitEnvironment(), timeoutMs: 30_000 });
  try {
    await rename(making, gitDir);
  } catch (error) {
    await rm(making, { recursive: true, force: true });
    throw error;
  }
}

/** Out of the way at once, then deleted. */
async function removeMirror(gitDir: string): Promise<void> {
  const going = `${gitDir}.${newId('old')}`;
  await rename(gitDir, going);
  await rm(going, { recursive: true, force: true });
}
