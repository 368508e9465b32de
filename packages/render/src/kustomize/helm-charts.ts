// `helmCharts`: charts inflated by our own Helm, from `helmGlobals.chartHome` (default `charts`) beside the kustomization
// or, with `repo`, from a chart repository.
import { ArchiveTree, type TracedCharts } from '../charts/index.ts';
import { RenderError } from '../errors.ts';
import { nameFromTemplate, renderHelm } from '../helm/index.ts';
import type { Manifest } from '../manifest.ts';
import { cleanPath, joinPath, TracedTree } from '../tree/index.ts';
import { chartValues } from './chart-values.ts';
import { type Fields, fieldsOf, textOf } from './fields.ts';
import { itemsOf, type Kustomization, onlyFields } from './kustomization.ts';
import { Resource } from './resource.ts';

const known = [
  'name',
  'version',
  'repo',
  'releaseName',
  'namespace',
  'valuesFile',
  'additionalValuesFiles',
  'valuesInline',
  'valuesMerge',
  'includeCRDs',
  'skipHooks',
  'skipTests',
  'kubeVersion',
  'apiVersions',
  'nameTemplate',
  'debug',
  'devel',
];

export interface Inflation {
  readonly tree: TracedTree;
  readonly charts: TracedCharts | undefined;
  readonly signal: AbortSignal | undefined;
}

export async function inflateCharts(kustomization: Kustomization, inflation: Inflation): Promise<Resource[]> {
  const resources: Resource[] = [];
  for (const chart of itemsOf(kustomization, 'helmCharts')) {
    const where = `${kustomization.file}: helmCharts ${textOf(chart['name'])}`;
    onlyFields(chart, known, where);
    const manifests = await inflate(chart, { kustomization, where, ...inflation });
    resources.push(...manifests.map((manifest) => new Resource({ ...manifest }, kustomization.file)));
  }
  return resources;
}

interface Place extends Inflation {
  readonly kustomization: Kustomization;
  readonly where: string;
}

async function inflate(chart: Fields, place: Place): Promise<readonly Manifest[]> {
  const { where, kustomization, tree, charts, signal } = place;
  if (textOf(chart['name']) === '') throw new RenderError(`${where}: a chart has no name`);
  const found = await locate(chart, place);
  const values = await chartValues(chart, { kustomization, tree, chart: found, where });
  const source = { repoURL: '', path: found.path, helm: helmOf(chart, values, where) };
  const refs = new Map<string, TracedTree>();
  const { manifests } = await renderHelm(found.tree, { path: found.path, source, target: {}, refs, charts, signal });
  const isHook = ({ metadata }: Manifest) => 'helm.sh/hook' in fieldsOf(metadata['annotations']);
  return chart['skipHooks'] === true ? manifests.filter((manifest) => !isHook(manifest)) : manifests;
}

function helmOf(chart: Fields, values: Fields, where: string): Fields {
  return {
    releaseName: releaseNameOf(chart, where),
    namespace: textOf(chart['namespace']) || 'default',
    valuesObject: values,
    skipCrds: chart['includeCRDs'] !== true,
    skipTests: chart['skipTests'] === true,
    kubeVersion: chart['kubeVersion'],
    apiVersions: chart['apiVersions'],
  };
}

function releaseNameOf(chart: Fields, where: string): string {
  const [name, template] = [textOf(chart['releaseName']), textOf(chart['nameTemplate'])];
  if (template === '') return name || 'release-name';
  if (name !== '') throw new RenderError(`${where}: nameTemplate and releaseName exclude each other`);
  return nameFromTemplate(template);
}

async function locate(
  chart: Fields,
  { kustomization, tree, charts, where }: Place,
): Promise<{ tree: TracedTree; path: string }> {
  const [name, repo, version] = [textOf(chart['name']), textOf(chart['repo']), textOf(chart['version'])];
  const home = textOf(fieldsOf(kustomization.fields['helmGlobals'])['chartHome']) || 'charts';
  const local = cleanPath(joinPath(kustomization.folder, home));
  const places = repo === '' ? [joinPath(local, name)] : [joinPath(local, `${name}-${version}/${name}`)];
  for (const path of places) if (await tree.isFile(joinPath(path, 'Chart.yaml'))) return { tree, path };
  if (repo === '') throw new RenderError(`${where}: ${joinPath(home, name)} holds no chart, and no repo is named`);
  if (!charts) throw new RenderError(`${where}: there is nowhere to take it from (${repo})`);
  const fetched = await charts.fetch({ repository: repo, name, version });
  const archive = await ArchiveTree.of(fetched, `${name}-${fetched.version}.tgz`);
  return { tree: new TracedTree(archive), path: '' };
}
