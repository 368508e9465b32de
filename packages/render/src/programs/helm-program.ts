// `helm template` on PATH in place of our own. The chart with its dependencies and the values files are found as our own
// Helm finds them (so are private charts, which the program could not fetch) and handed over as files.
import {
  chartFiles,
  escapedCommas,
  givenFiles,
  type HelmRequest,
  helmSourceOf,
  loadChart,
  manifestsOf,
} from '../helm/index.ts';
import type { Manifest } from '../manifest.ts';
import type { TracedTree } from '../tree/index.ts';
import type { ProgramFile, ProgramSource } from './program-source.ts';

const chartFolder = 'chart';

export async function renderWithHelm(
  tree: TracedTree,
  request: HelmRequest,
  programs: Pick<ProgramSource, 'run'>,
): Promise<{ manifests: Manifest[]; warnings: string[] }> {
  const { path, refs, charts, target, signal } = request;
  const source = helmSourceOf(request.source);
  const chart = await loadChart(tree, path, charts);
  const files: ProgramFile[] = chartFiles(chart, chartFolder);
  const given = await givenFiles({ tree, chartPath: path, refs }, source);
  const values = given.values.map((content, index) => ({ path: `values-${index}.yaml`, content }));
  const parameters = given.parameters.map(({ content }, index) => ({ path: `parameter-${index}`, content }));
  const kubeVersion = source.kubeVersion ?? target.kubeVersion;
  const args = [
    'template',
    `--namespace=${source.namespace ?? target.namespace ?? 'default'}`,
    ...(kubeVersion ? [`--kube-version=${kubeVersion}`] : []),
    ...[...(target.apiVersions ?? []), ...source.apiVersions].map((version) => `--api-versions=${version}`),
    ...(source.skipCrds ? [] : ['--include-crds']),
    ...(source.skipSchemaValidation ? ['--skip-schema-validation'] : []),
    ...values.map((file) => `--values=${file.path}`),
    ...source.parameters.map(
      ({ name, value, forceString }) => `--set${forceString ? '-string' : ''}=${name}=${escapedCommas(value)}`,
    ),
    ...given.parameters.map(({ name }, index) => `--set-file=${name}=parameter-${index}`),
    '--',
    source.releaseName ?? target.releaseName ?? 'release-name',
    `./${chartFolder}`,
  ];
  const call = { program: 'helm', args, files: [...files, ...values, ...parameters] } as const;
  const text = await programs.run(call, { signal });
  return { manifests: manifestsOf([{ name: 'helm template', text }], source), warnings: [] };
}
