// The built web UI. Files under /assets/ carry a hash in their name and never change; everything else is checked each
// time. A page address that is no file gets index.html, since the UI routes by itself.
import { readFile, realpath } from 'node:fs/promises';
import { extname, join, normalize, sep } from 'node:path';

export interface StaticFile {
  readonly body: Buffer;
  readonly headers: Readonly<Record<string, string>>;
}

const mediaTypes: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.json': 'application/json',
  '.map': 'application/json',
  '.svg': 'image/svg+xml',
  '.png': 'image/png',
  '.ico': 'image/x-icon',
  '.woff2': 'font/woff2',
  '.txt': 'text/plain; charset=utf-8',
  '.wasm': 'application/wasm',
  '.webmanifest': 'application/manifest+json',
};

interface Asked {
  readonly path: string;
  /** True for the navigation of a browser. */
  readonly wantsHtml: boolean;
}

export async function staticFile(webDir: string, { path, wantsHtml }: Asked): Promise<StaticFile | undefined> {
  const file = await fileAt(webDir, path);
  if (file) return file;
  return wantsHtml ? fileAt(webDir, '/index.html') : undefined;
}

async function fileAt(webDir: string, path: string): Promise<StaticFile | undefined> {
  const place = placeOf(path);
  const type = mediaTypes[extname(place ?? '')];
  if (place === undefined || type === undefined) return undefined;
  try {
    const root = await realpath(webDir);
    const full = await realpath(join(root, place));
    if (!full.startsWith(root + sep)) return undefined;
    const caching = path.startsWith('/assets/') ? 'public, max-age=31536000, immutable' : 'no-cache';
    return { body: await readFile(full), headers: { 'content-type': type, 'cache-control': caching } };
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'ENOENT' || code === 'ENOTDIR' || code === 'EISDIR') return undefined;
    throw error;
  }
}

/** Relative place below the folder, or undefined for what cannot be one. */
function placeOf(path: string): string | undefined {
  let decoded: string;
  try {
    decoded = decodeURIComponent(path);
  } catch {
    return undefined; // not a valid escape: no file has such a name
  }
  if (decoded.includes('\0') || decoded.includes('\\')) return undefined;
  const place = normalize(decoded);
  return place.includes('..') ? undefined : place;
}
