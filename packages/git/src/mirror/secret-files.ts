import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/**
 * What a child must be given as files: in a folder that only this user can enter, gone when the work has ended.
 */
export async function withSecretFiles<K extends string, T>(
  contents: Readonly<Partial<Record<K, string>>>,
  work: (paths: Readonly<Partial<Record<K, string>>>) => Promise<T>,
): Promise<T> {
  const files = Object.entries<string | undefined>(contents).filter(([, content]) => content !== undefined);
  if (files.length === 0) return work(contents); // nothing to write, nothing to name
  const dir = await mkdtemp(join(tmpdir(), 'fairlead-git-')); // mode 0700
  try {
    const paths = files.map(([name]) => [name, join(dir, name)] as const);
    for (const [name, content = ''] of files) await writeFile(join(dir, name), content, { mode: 0o600 });
    return await work(Object.fromEntries(paths) as Partial<Record<K, string>>); // the names of `contents`
  } finally {
    await rm(dir, { recursive: true, force: true });
  }
}
