// A chart of 30 templates rendered in process, beside forking the real `helm template` on the same files.
// The program is $HELM or `helm` on PATH; without one only our own figure is given.
import { spawnSync } from 'node:child_process';
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Renderer, type SourceTree } from '@fairlead/render';
import { measureMonorepo } from './render-monorepo.ts';
import { type BenchContext, percentile, type Result } from './report.ts';

const chart = fileURLToPath(new URL('../conformance/helm/testdata/charts/large', import.meta.url));
const rounds = 200;

/** Ours and theirs take turns, so that whatever else the machine does falls on both. */
export async function measure({ say }: BenchContext): Promise<Result[]> {
  const helm = process.env['HELM'] ?? 'helm';
  const hasHelm = spawnSync(helm, ['version']).status === 0;
  if (!hasHelm) say('no helm on PATH or in $HELM: nothing to compare with');
  const renderer = new Renderer();
  const request = { source: { repoURL: 'https://example.com/r.git', path: '' }, target: { releaseName: 'rel' } };
  const [ours, theirs]: [number[], number[]] = [[], []];
  for (let round = 0; round < rounds; round++) {
    const start = performance.now();
    await renderer.render({ tree: folderTree(chart), ...request }, { fresh: true });
    ours.push(performance.now() - start);
    if (!hasHelm) continue;
    const forked = performance.now();
    spawnSync(helm, ['template', 'rel', chart]);
    theirs.push(performance.now() - forked);
  }
  const own = [timing('30-template chart in process, median', ours), ...(await measureMonorepo())];
  if (!hasHelm) return own;
  const ratio = percentile(theirs, 0.5) / percentile(ours, 0.5);
  const metric = 'forked helm over in process, medians';
  return [
    ...own,
    timing('the same by a forked helm, median', theirs),
    { metric, unit: '×', value: ratio, spread: [ratio, ratio], goal: '>= 10' },
  ];
}

const timing = (metric: string, values: readonly number[]): Result => ({
  metric: `${metric} (p5, p95)`,
  unit: 'ms',
  value: percentile(values, 0.5),
  spread: [percentile(values, 0.05), percentile(values, 0.95)],
});

function folderTree(root: string): SourceTree {
  const entry = async (path: string) => {
    const stat = statSync(join(root, path), { throwIfNoEntry: false });
    const kind = stat?.isDirectory() ? ('tree' as const) : ('blob' as const);
    return stat && { name: path.split('/').at(-1) ?? '', kind, id: path };
  };
  return {
    id: root,
    entry,
    list: async (path) => {
      const entries = await Promise.all(readdirSync(join(root, path)).map((name) => entry(join(path, name))));
      return entries.filter((found) => found !== undefined);
    },
    read: async ({ id }) => readFileSync(join(root, id)),
  };
}
