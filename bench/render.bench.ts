// A chart of 30 templates rendered in process, beside forking the real `helm template` on the same files.
// Both read every file from the disk, each time, and end with what they would hand on: helm with text, ours with objects
// and the set of inputs read. What ours keeps between renders is templates parsed before, as any long-lived process does.
// The program is $HELM or `helm` on PATH; without one only our own figure is given.
import { spawnSync } from 'node:child_process';
import { type Dirent, readdirSync, readFileSync, type Stats, statSync } from 'node:fs';
import { join, posix } from 'node:path';
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
  const [ours, theirs, cpu]: [number[], number[], number[]] = [[], [], []];
  for (let round = 0; round < rounds; round++) {
    const [start, before] = [performance.now(), process.cpuUsage()];
    await renderer.render({ tree: folderTree(chart), ...request }, { fresh: true });
    ours.push(performance.now() - start);
    const { user, system } = process.cpuUsage(before);
    cpu.push((user + system) / 1000);
    if (!hasHelm) continue;
    const forked = performance.now();
    spawnSync(helm, ['template', 'rel', chart]);
    theirs.push(performance.now() - forked);
  }
  const own = [
    timing('30-template chart in process, median', ours),
    timing('processor time of one such render, median', cpu),
    ...(await measureMonorepo()),
  ];
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
  const kindOf = (found: Stats | Dirent) => (found.isDirectory() ? ('tree' as const) : ('blob' as const));
  return {
    id: root,
    entry: async (path) => {
      const stat = statSync(join(root, path), { throwIfNoEntry: false });
      return stat && { name: posix.basename(path), kind: kindOf(stat), id: path };
    },
    list: async (path) =>
      readdirSync(join(root, path), { withFileTypes: true }).map((found) => ({
        name: found.name,
        kind: kindOf(found),
        id: posix.join(path, found.name),
      })),
    read: async ({ id }) => readFileSync(join(root, id)),
  };
}
