// 600 applications of one repository: a cold render of all, then one commit that touches one file and the time until it
// is known which applications moved and those are rendered again. Real git, real mirror.
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { GitMirrors, WorkingCopy } from '@fairlead/git';
import { GitTree, Renderer } from '@fairlead/render';
import { percentile, type Result } from './report.ts';

const count = 600;
const commits = 5;

const deployment = (name: string, image: string) => `apiVersion: apps/v1
kind: Deployment
metadata: {name: ${name}}
spec:
  selector: {matchLabels: {app: ${name}}}
  template:
    metadata: {labels: {app: ${name}}}
    spec: {containers: [{name: main, image: "${image}"}]}
`;

/** A third plain, a third overlays of one base, a third one chart with values of their own. */
function files(): Record<string, string> {
  const all: Record<string, string> = {
    'base/kustomization.yaml': 'resources: [deployment.yaml]\n',
    'base/deployment.yaml': deployment('base', 'base:1'),
    'chart/Chart.yaml': 'apiVersion: v2\nname: shared\nversion: 1.0.0\n',
    'chart/values.yaml': 'image: shared:1\n',
    'chart/templates/deployment.yaml': deployment('{{ .Release.Name }}', '{{ .Values.image }}'),
  };
  for (let i = 0; i < count; i++) {
    if (i % 3 === 0) all[`apps/a${i}/deployment.yaml`] = deployment(`a${i}`, 'plain:1');
    else if (i % 3 === 1) all[`apps/a${i}/kustomization.yaml`] = `resources: [../../base]\nnamePrefix: a${i}-\n`;
    else all[`apps/a${i}/values.yaml`] = `image: own:${i}\n`;
  }
  return all;
}

const sourceOf = (i: number) => {
  const repoURL = 'https://example.com/r.git';
  if (i % 3 !== 2) return { repoURL, path: `apps/a${i}` };
  return { repoURL, path: 'chart', helm: { valueFiles: [`/apps/a${i}/values.yaml`] } };
};

export async function measureMonorepo(): Promise<Result[]> {
  const dir = await mkdtemp(join(tmpdir(), 'bench-render-'));
  const mirrors = new GitMirrors({ dir: join(dir, 'mirrors'), allowFile: true });
  try {
    const copy = await WorkingCopy.init(join(dir, 'repository'));
    await copy.write(files());
    const renderer = new Renderer();
    const renderAll = async (commit: string) => {
      const tree = await GitTree.ofCommit(await mirrors.repository(copy.dir), commit);
      for (let i = 0; i < count; i++)
        await renderer.render({ tree, source: sourceOf(i), target: { releaseName: `a${i}` } });
    };
    const first = await mirrors.resolve(copy.dir, await copy.commit('first'));
    const start = performance.now();
    await renderAll(first);
    const cold = performance.now() - start;
    const after: number[] = [];
    for (let round = 0; round < commits; round++) {
      await copy.write({ 'apps/a3/deployment.yaml': deployment('a3', `plain:${round + 2}`) });
      const commit = await mirrors.resolve(copy.dir, await copy.commit('next'));
      const from = performance.now();
      await renderAll(commit);
      after.push(performance.now() - from);
    }
    const { misses } = renderer.counts;
    return [
      { metric: `cold render of ${count} applications`, unit: 'ms', value: cold, spread: [cold, cold] },
      {
        metric: `one-file commit: to know and render again (${misses - count} renders in ${commits} commits), median`,
        unit: 'ms',
        value: percentile(after, 0.5),
        spread: [Math.min(...after), Math.max(...after)],
        goal: '<= 300',
      },
    ];
  } finally {
    mirrors.stop();
    await rm(dir, { recursive: true, force: true });
  }
}
