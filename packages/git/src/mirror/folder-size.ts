import { readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';

/** The sum of the files' sizes. What vanishes meanwhile counts nothing. */
export async function sizeOfFolder(dir: string): Promise<number> {
  const entries = await readdir(dir, { withFileTypes: true }).catch(() => []);
  let sizeBytes = 0;
  for (const entry of entries) {
    const path = join(dir, entry.name);
    if (entry.isDirectory()) sizeBytes += await sizeOfFolder(path);
    else if (entry.isFile()) sizeBytes += (await stat(path).catch(() => ({ size: 0 }))).size;
  }
  return sizeBytes;
}
