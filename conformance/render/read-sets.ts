// The promise of read sets, tried on random repositories: a commit that touches none of an application's inputs leaves
// its render byte-equal (recall 1.0), and rendering the candidates again tells exactly which applications changed
// (precision 1.0). Truth is a render of everything from nothing, on both sides.
import { createHash } from 'node:crypto';
import { FairleadError } from '@fairlead/base';
import type { ApplicationSource } from '@fairlead/contracts';
import { type PlannedApplication, plan, Renderer, render, type SourceTree, stillHolds } from '@fairlead/render';
import fc from 'fast-check';

type Files = ReadonlyMap<string, string>;

const idOf = (text: string): string => createHash('sha1').update(text).digest('hex');

/** Files in memory; a text of `link:target` is a symbolic link. */
export function treeOf(files: Files): SourceTree {
  const byId = new Map<string, string>();
  for (const text of files.values()) byId.set(idOf(text), text);
  const entry = async (path: string) => {
    const name = path.split('/').at(-1) ?? '';
    const text = files.get(path);
    const kind = text?.startsWith('link:') ? ('link' as const) : ('blob' as const);
    if (text !== undefined) return { name, kind, id: idOf(text) };
    const below = [...files].filter(([file]) => path === '' || file.startsWith(`${path}/`));
    return below.length === 0 ? undefined : { name, kind: 'tree' as const, id: idOf(JSON.stringify(below)) };
  };
  return {
    id: idOf(JSON.stringify([...files].sort())),
    entry,
    list: async (path) => {
      if ((await entry(path))?.kind !== 'tree') return undefined;
      const prefix = path === '' ? '' : `${path}/`;
      const below = [...files.keys()].filter((file) => file.startsWith(prefix));
      const names = new Set(below.map((file) => file.slice(prefix.length).split('/')[0] ?? ''));
      const found = await Promise.all([...names].map((name) => entry(prefix + name)));
      return found.filter((one) => one !== undefined);
    },
    read: async ({ id }) => Buffer.from((byId.get(id) ?? '').replace(/^link:/, '')),
  };
}

const configMap = (name: string, value: string) =>
  `apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: ${name}\ndata:\n  value: "${value}"\n`;

const appCount = 9;

function repository(): Map<string, string> {
  const files = new Map([
    ['base/kustomization.yaml', 'resources: [cm.yaml]\n'],
    ['base/cm.yaml', configMap('base', '0')],
    ['chart/Chart.yaml', 'apiVersion: v2\nname: chart\nversion: 1.0.0\n'],
    ['chart/values.yaml', 'value: default\n'],
    ['chart/templates/cm.yaml', configMap('{{ .Release.Name }}', '{{ .Values.value }}{{ .Files.Get "extra.txt" }}')],
    ['README.md', 'about'],
  ]);
  for (let i = 0; i < appCount; i++) {
    if (i % 3 === 0) files.set(`apps/a${i}/cm.yaml`, configMap(`a${i}`, '0'));
    else if (i % 3 === 1) files.set(`apps/a${i}/kustomization.yaml`, `resources: [../../base]\nnamePrefix: a${i}-\n`);
    else files.set(`apps/a${i}/values.yaml`, `value: own${i}\n`);
  }
  return files;
}

const repoURL = 'https://example.com/r.git';

function sourceOf(i: number): ApplicationSource {
  if (i % 3 !== 2) return { repoURL, path: `apps/a${i}` };
  const helm = { valueFiles: [`$values/apps/a${i}/values.yaml`], ignoreMissingValueFiles: i % 2 === 0 };
  return { repoURL, path: 'chart', helm } as ApplicationSource; // fields of tools pass the contract
}

/** Applications of one, two and three sources. */
function applications(): PlannedApplication[] {
  return Array.from({ length: appCount }, (_, i) => {
    const own = Array.from({ length: (i % 3) + 1 }, (_unused, k) => sourceOf((i + k) % appCount));
    const sources = [...own, { repoURL, ref: 'values' }];
    return { name: `app${i}`, namespace: '', sources, destinationNamespace: 'ns' };
  });
}

interface Edit {
  readonly path: string;
  readonly text: string | undefined;
}

const paths = [
  ...repository().keys(),
  'base/more.yaml',
  'apps/a0/more.yaml',
  'apps/a3/notes.txt',
  'chart/extra.txt',
  'chart/templates/more.yaml',
  'apps/a4/.argocd-source.yaml',
  'apps/a6/Chart.yaml',
];

const edits: fc.Arbitrary<Edit[]> = fc
  .array(
    fc.record({
      path: fc.constantFrom(...paths),
      text: fc.option(fc.integer({ min: 0, max: 3 }), { nil: undefined, freq: 8 }),
    }),
    { minLength: 1, maxLength: 3 },
  )
  .map((list) =>
    list.map(({ path, text }) => ({ path, text: text === undefined ? undefined : contentFor(path, text) })),
  );

function contentFor(path: string, n: number): string {
  if (path.endsWith('kustomization.yaml'))
    return (
      repository()
        .get(path)
        ?.concat(n > 1 ? `nameSuffix: -${n}\n` : '') ?? ''
    );
  if (path.endsWith('values.yaml')) return `value: v${n}\n`;
  if (path.endsWith('Chart.yaml')) return `apiVersion: v2\nname: chart\nversion: 1.0.${n}\n`;
  if (path.endsWith('.argocd-source.yaml')) return `kustomize: {namePrefix: "p${n}-"}\n`;
  if (path.includes('/templates/'))
    return configMap(`{{ .Release.Name }}${path.includes('more') ? '-more' : ''}`, `t${n}`);
  if (path.endsWith('.yaml')) return configMap(path.includes('more') ? 'more' : 'x', String(n));
  return `text ${n}`;
}

interface Outcome {
  readonly text: string;
  /** Whether all that was read is the same on the other tree; undefined for what failed. */
  readonly holds: boolean | undefined;
}

async function outcome(application: PlannedApplication, tree: SourceTree, other: SourceTree): Promise<Outcome> {
  let text = '';
  let holds: boolean | undefined = true;
  for (const source of application.sources) {
    if (source.path === undefined) continue;
    try {
      const result = await render({ tree, source, refs: { values: tree }, target: { releaseName: application.name } });
      text += JSON.stringify(result.manifests);
      for (const read of [result.inputs, ...Object.values(result.lent)])
        if (!(await stillHolds(read, other))) holds = false;
    } catch (error) {
      if (!(error instanceof FairleadError)) throw error;
      text += `failed: ${error.message}`;
      holds = undefined;
    }
  }
  return { text, holds };
}

export interface Counted {
  commits: number;
  applications: number;
  candidates: number;
  changed: number;
}

/** Throws, naming the edits, when a promise is broken. */
export async function tryCommit(changes: readonly Edit[], counted: Counted): Promise<void> {
  const before = repository();
  const after = new Map(before);
  for (const { path, text } of changes) {
    if (text === undefined) after.delete(path);
    else after.set(path, text);
  }
  const [old, now] = [treeOf(before), treeOf(after)];
  const truly: string[] = [];
  for (const application of applications()) {
    const was = await outcome(application, old, now);
    const is = await outcome(application, now, old);
    counted.applications++;
    if (was.holds === false) counted.candidates++;
    if (was.text !== is.text) truly.push(application.name);
    if (was.holds && was.text !== is.text)
      throw new Error(`missed: ${application.name} for ${JSON.stringify(changes)}`);
  }
  const side = (tree: SourceTree) => ({ applications: applications(), openTree: async () => tree });
  const made = await plan({ before: side(old), after: side(now), renderer: new Renderer() });
  const told = made.applications.filter(({ change }) => change !== 'unchanged').map(({ name }) => name);
  if (JSON.stringify(told) !== JSON.stringify(truly.sort()))
    throw new Error(`told ${told.join()} but ${truly.join()} changed, for ${JSON.stringify(changes)}`);
  counted.commits++;
  counted.changed += truly.length;
}

export async function tryCommits(runs: number): Promise<Counted> {
  const counted: Counted = { commits: 0, applications: 0, candidates: 0, changed: 0 };
  await fc.assert(
    fc.asyncProperty(edits, (changes) => tryCommit(changes, counted)),
    { numRuns: runs, seed: 20_260 },
  );
  const { commits, applications: all, candidates, changed } = counted;
  const ratio = ((candidates / all) * 100).toFixed(1);
  console.log(
    `read sets: ${commits} commits, ${all} applications, ${candidates} candidates (${ratio} %), ${changed} changed; recall 1.0, precision 1.0`,
  );
  return counted;
}
