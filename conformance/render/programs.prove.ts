// The `helm` and `kustomize` on PATH against our own, over the recorded cases. Programs that are not there are said and
// passed over: PATH=/folder/of/them:$PATH npm run prove -- render
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { ApplicationSource } from '@fairlead/contracts';
import { FolderTree, type HelmTarget, Programs, RenderError, render } from '@fairlead/render';
import { expect, it } from 'vitest';

const here = (path: string): string => fileURLToPath(new URL(path, import.meta.url));
const programs = new Programs({ path: process.env['PATH'] ?? '' });

interface Wanted {
  readonly folder: string;
  readonly source: ApplicationSource;
  readonly target?: HelmTarget;
}

/** The objects, whatever their order; undefined when the render is refused. */
async function objectsOf({ folder, source, target = {} }: Wanted, withPrograms: boolean): Promise<string | undefined> {
  try {
    const request = { tree: new FolderTree(folder), source, target };
    const { manifests } = await render(withPrograms ? { ...request, programs } : request);
    return manifests.map(ordered).sort().join('\n');
  } catch (error) {
    if (!(error instanceof RenderError) || error.code === 'program_missing') throw error;
    return undefined;
  }
}

const ordered = (value: unknown): string =>
  JSON.stringify(value, (_key, inner: unknown) =>
    typeof inner === 'object' && inner !== null && !Array.isArray(inner)
      ? Object.fromEntries(Object.entries(inner).sort(([a], [b]) => (a < b ? -1 : 1)))
      : inner,
  );

async function compare(program: string, wanted: readonly (Wanted & { readonly name: string })[]): Promise<void> {
  const different: string[] = [];
  for (const one of wanted) {
    try {
      if ((await objectsOf(one, true)) !== (await objectsOf(one, false))) different.push(one.name);
    } catch (error) {
      if (!(error instanceof RenderError)) throw error;
      console.info(`not compared: ${error.message}`);
      return;
    }
  }
  console.info(`${program} on PATH and our own: ${wanted.length - different.length} of ${wanted.length} equal`);
  expect(different).toEqual([]);
}

interface HelmCase {
  readonly name: string;
  readonly chart: string;
  readonly helm: Readonly<Record<string, unknown>>;
  readonly target: HelmTarget;
}

it('gives what helm on PATH gives', { timeout: 600_000 }, async () => {
  const cases = JSON.parse(await readFile(here('../helm/testdata/cases.json'), 'utf8')) as readonly HelmCase[]; // our own
  const wanted = cases.map(({ name, chart, helm, target }) => ({
    name,
    folder: here(`../helm/testdata/charts/${chart}`),
    source: { repoURL: 'u', path: '', helm } as ApplicationSource, // `helm` passes the contract
    target,
  }));
  await compare('helm', wanted);
});

type Files = Readonly<Record<string, string>>;

interface KustomizeCases {
  readonly sets: Readonly<Record<string, Files>>;
  readonly cases: readonly { readonly name: string; readonly use: readonly string[]; readonly files: Files }[];
}

it('gives what kustomize on PATH gives', { timeout: 600_000 }, async () => {
  const text = await readFile(here('../kustomize/testdata/cases.json'), 'utf8');
  const { sets, cases } = JSON.parse(text) as KustomizeCases; // our own
  const root = await mkdtemp(join(tmpdir(), 'fairlead-kustomizations-'));
  try {
    const wanted = [];
    for (const [index, { name, use, files }] of cases.entries()) {
      const folder = join(root, String(index));
      const all: Files = Object.assign({}, ...use.map((set) => sets[set]), files);
      for (const [file, content] of Object.entries(all)) {
        await mkdir(dirname(join(folder, file)), { recursive: true });
        await writeFile(join(folder, file), content);
      }
      wanted.push({ name, folder, source: { repoURL: 'u', path: 'app' } });
    }
    await compare('kustomize', wanted);
  } finally {
    await rm(root, { recursive: true });
  }
});
