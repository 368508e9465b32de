// Chart archives: gzipped tar, read in memory, bounded; names that lead out of the chart are refused.

import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createGunzip } from 'node:zlib';
import { extract } from 'tar-stream';
import { RenderError } from '../errors.ts';

export interface ChartFile {
  /** Path inside the chart, with slashes. */
  readonly name: string;
  readonly content: Buffer;
}

const maxArchiveBytes = 128 * 1024 * 1024;
const maxEntries = 20_000;

/** The files below the one folder that an archive holds. */
export async function readArchive(content: Buffer, name: string): Promise<ChartFile[]> {
  const files: ChartFile[] = [];
  const reader = extract();
  let bytes = 0;
  const consume = async () => {
    for await (const entry of reader) {
      const chunks: Buffer[] = [];
      for await (const chunk of entry) {
        const piece = Buffer.from(chunk as Uint8Array); // a tar entry is a stream of bytes
        bytes += piece.length;
        if (bytes > maxArchiveBytes) throw new RenderError(`${name}: unpacks to more than ${maxArchiveBytes} bytes`);
        chunks.push(piece);
      }
      const { type } = entry.header;
      if (type === 'directory' || type?.startsWith('pax')) continue;
      if (type !== 'file' && type !== 'contiguous-file')
        throw new RenderError(`${name}: ${JSON.stringify(entry.header.name)} is a ${type}; a chart holds files only`);
      if (files.length >= maxEntries) throw new RenderError(`${name}: holds more than ${maxEntries} files`);
      files.push({ name: innerName(entry.header.name, name), content: Buffer.concat(chunks) });
    }
  };
  try {
    await Promise.all([pipeline(Readable.from([content]), createGunzip(), reader), consume()]);
  } catch (cause) {
    if (cause instanceof RenderError) throw cause;
    throw new RenderError(`${name}: is not a chart archive`, { cause });
  }
  return files;
}

function innerName(path: string, archive: string): string {
  const parts = path.split('/').filter((part) => part !== '' && part !== '.');
  if (path.startsWith('/') || path.includes('\\') || parts.includes('..') || parts.length < 2) {
    throw new RenderError(
      `${archive}: chart illegally contains content outside the base directory: ${JSON.stringify(path)}`,
    );
  }
  return parts.slice(1).join('/');
}
