// What a real kustomize made of each case, and what ours makes of it: the same objects in the same order.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { sha256Hex } from '@fairlead/base';
import { parseDocuments, RenderError, render, type SourceTree } from '@fairlead/render';
import { expect, it } from 'vitest';

type Files = Readonly<Record<string, string>>;

interface Cases {
  readonly sets: Readonly<Record<string, Files>>;
  readonly cases: readonly { readonly name: string; readonly use: readonly string[]; readonly files: Files }[];
}

interface Recorded {
  readonly tool: string;
  readonly entries: readonly { readonly name: string; readonly output?: string; readonly error?: string }[];
}

const here = fileURLToPath(new URL('testdata/', import.meta.url));
const read = (name: string): unknown => JSON.parse(readFileSync(join(here, name), 'utf8'));
const { sets, cases } = read('cases.json') as Cases; // our own
const { tool, entries } = read('recorded.json') as Recorded; // written by record

/** Files in memory as a source tree; the id of an entry is its path, for each tree is read once. */
function fileTree(files: Files): SourceTree {
  const entry = async (path: string) => {
    const name = path.split('/').at(-1) ?? '';
    if (files[path] !== undefined) return { name, kind: 'blob' as const, id: path };
    const isFolder = Object.keys(files).some((file) => path === '' || file.startsWith(`${path}/`));
    return isFolder ? { name, kind: 'tree' as const, id: path } : undefined;
  };
  return {
    id: sha256Hex(JSON.stringify(files)),
    entry,
    list: async (path) => {
      const prefix = path === '' ? '' : `${path}/`;
      const below = Object.keys(files).filter((file) => file.startsWith(prefix));
      const names = new Set(below.map((file) => file.slice(prefix.length).split('/')[0] ?? ''));
      const found = await Promise.all([...names].map((name) => entry(prefix + name)));
      return found.filter((one) => one !== undefined);
    },
    read: async ({ id }) => Buffer.from(files[id] ?? ''),
  };
}

async function ours(files: Files): Promise<{ objects?: unknown; error?: string }> {
  try {
    const source = { repoURL: 'https://example.com/r.git', path: 'app' };
    const { manifests } = await render({ tree: fileTree(files), source });
    return { objects: JSON.parse(JSON.stringify(manifests)) };
  } catch (cause) {
    if (!(cause instanceof RenderError)) throw cause;
    return { error: cause.message };
  }
}

it('gives the same objects in the same order, and refuses what kustomize refuses', async () => {
  const different: string[] = [];
  for (const { name, use, files } of cases) {
    const theirs = entries.find((one) => one.name === name);
    const shown = await ours(Object.assign({}, ...use.map((set) => sets[set]), files));
    const wanted = theirs?.output === undefined ? undefined : parseDocuments(theirs.output, name);
    const same = wanted ? ordered(shown.objects) === ordered(wanted) : shown.error !== undefined;
    if (!same) different.push(name);
  }
  console.log(`${tool}: ${cases.length - different.length} of ${cases.length} cases equal`);
  expect(different).toEqual([]);
});

/** Keys in one order, so that text can be compared. */
const ordered = (value: unknown): string =>
  JSON.stringify(value, (_key, inner: unknown) =>
    typeof inner === 'object' && inner !== null && !Array.isArray(inner)
      ? Object.fromEntries(Object.entries(inner).sort(([a], [b]) => (a < b ? -1 : 1)))
      : inner,
  );
