// What real Helms made of each case, and what ours makes of it: the same objects, whatever their order.
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { ApplicationSource } from '@fairlead/contracts';
import { type HelmTarget, parseDocuments, RenderError, render, type SourceTree } from '@fairlead/render';
import { describe, expect, it } from 'vitest';

interface Case {
  readonly name: string;
  readonly chart: string;
  readonly helm: Readonly<Record<string, unknown>>;
  readonly target: HelmTarget;
}

interface Recorded {
  readonly tool: string;
  readonly entries: readonly { readonly name: string; readonly output?: string; readonly error?: string }[];
}

const here = fileURLToPath(new URL('testdata/', import.meta.url));
const read = (name: string): unknown => JSON.parse(readFileSync(join(here, name), 'utf8'));
const cases = read('cases.json') as readonly Case[]; // our own

/** A folder of the disk as a source tree; ids are paths, for each tree is read once. */
function folderTree(root: string): SourceTree {
  const entry = async (path: string) => {
    const stat = statSync(join(root, path), { throwIfNoEntry: false });
    const name = path.split('/').at(-1) ?? '';
    return stat && { name, kind: stat.isDirectory() ? ('tree' as const) : ('blob' as const), id: path };
  };
  return {
    id: root,
    entry,
    list: async (path) => {
      const names = readdirSync(join(root, path));
      const entries = await Promise.all(names.map((name) => entry(path === '' ? name : `${path}/${name}`)));
      return entries.filter((found) => found !== undefined);
    },
    read: async ({ id }) => readFileSync(join(root, id)),
  };
}

interface Shown {
  readonly objects?: readonly unknown[];
  readonly error?: string;
}

async function ours({ chart, helm, target }: Case): Promise<Shown> {
  const source = { repoURL: 'https://example.com/charts.git', path: '', helm } as ApplicationSource; // `helm` passes the contract
  try {
    const { manifests } = await render({ tree: folderTree(join(here, 'charts', chart)), source, target });
    return { objects: sorted(JSON.parse(JSON.stringify(manifests)) as unknown[]) };
  } catch (cause) {
    if (!(cause instanceof RenderError)) throw cause;
    return { error: cause.message };
  }
}

const sorted = (objects: readonly unknown[]): unknown[] => [...objects].sort((a, b) => (keyOf(a) < keyOf(b) ? -1 : 1));

function keyOf(object: unknown): string {
  const { kind, metadata } = object as { kind: string; metadata: { namespace?: string; name?: string } }; // Kubernetes objects
  return [kind, metadata.namespace, metadata.name].join('/');
}

describe.each(['recorded-3.17.3.json', 'recorded-4.1.4.json'])('charts as in %s', (file) => {
  const { tool, entries } = read(file) as Recorded; // written by record

  it('gives the same objects, and refuses what Helm refuses', async () => {
    const different: string[] = [];
    for (const one of cases) {
      const theirs = entries.find(({ name }) => name === one.name);
      const shown = await ours(one);
      const wanted = theirs?.output === undefined ? undefined : sorted(parseDocuments(theirs.output, one.name));
      const same = wanted
        ? JSON.stringify(ordered(shown.objects)) === JSON.stringify(ordered(wanted))
        : shown.error !== undefined;
      if (!same) different.push(one.name);
    }
    console.log(`${tool}: ${cases.length - different.length} of ${cases.length} cases equal`);
    expect(different).toEqual([]);
  });
});

/** Keys in one order, so that text can be compared. */
function ordered(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(ordered);
  if (typeof value !== 'object' || value === null) return value;
  return Object.entries(value)
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([key, inner]) => [key, ordered(inner)]);
}
