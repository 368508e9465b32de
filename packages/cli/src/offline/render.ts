// The work of `fairlead render`.
import { FairleadError } from '@fairlead/base';
import { redactUrl } from '@fairlead/git';
import { ChartRepositories, objectChanges, Programs, type RenderResult, render } from '@fairlead/render';
import { oneOf } from '../input.ts';
import { changeText, manifestsYaml } from './show.ts';
import { type Located, locateFolder, OfflineRepositories } from './sources.ts';

export interface RenderFlags {
  readonly repo?: string;
  readonly revision: string;
  readonly path: string;
  readonly name?: string;
  readonly namespace?: string;
  readonly kubeVersion?: string;
  readonly values: readonly string[];
  readonly set: readonly string[];
  readonly remote: readonly string[];
  readonly programs?: true;
  readonly inputs?: true;
  readonly against?: string;
  readonly output: string;
}

export function runRender(folder: string | undefined, flags: RenderFlags): Promise<void> {
  return OfflineRepositories.use((repositories) => run(repositories, folder, flags));
}

async function run(repositories: OfflineRepositories, folder: string | undefined, flags: RenderFlags): Promise<void> {
  if ((folder === undefined) === (flags.repo === undefined))
    throw new FairleadError('bad_usage', 'give either a folder or --repo; fairlead render --help shows both');
  oneOf('--output', flags.output, ['yaml', 'json']);
  const local = folder === undefined ? undefined : locateFolder(folder);
  const repository = flags.repo ?? local?.root ?? '';
  const path = local?.path ?? flags.path;
  const now: Located = local ?? { tree: await repositories.tree(repository, flags.revision), path };
  const result = await renderAt(now, flags, repositories);
  for (const warning of result.warnings) process.stderr.write(`warning: ${warning}\n`);
  if (flags.against === undefined) {
    process.stdout.write(shown(result, flags));
    return;
  }
  const before = await renderAt(
    { tree: await repositories.tree(repository, flags.against, '--against'), path },
    flags,
    repositories,
  );
  const changes = objectChanges(before.manifests, result.manifests);
  process.stdout.write(flags.output === 'json' ? json(changes) : changes.map(changeText).join(''));
  if (changes.length > 0) process.exitCode = 1;
}

function renderAt(
  { tree, path }: Located,
  flags: RenderFlags,
  repositories: OfflineRepositories,
): Promise<RenderResult> {
  const parameters = flags.set.map((text) => {
    const at = text.indexOf('=');
    if (at < 1) throw new FairleadError('bad_usage', `--set ${text}: must be NAME=VALUE`);
    return { name: text.slice(0, at), value: text.slice(at + 1) };
  });
  const helm = { valueFiles: flags.values, parameters };
  const isHelm = flags.values.length + parameters.length > 0;
  const source = { repoURL: '', path, ...(isHelm ? { helm } : {}) };
  const { name: releaseName, namespace, kubeVersion } = flags;
  const target = { releaseName, namespace, kubeVersion };
  const programs = flags.programs && new Programs({ path: process.env['PATH'] ?? '' });
  return render({
    tree,
    source,
    target,
    charts: new ChartRepositories(),
    remotes: repositories.remotes(flags.remote),
    programs,
  });
}

const json = (value: unknown): string => `${JSON.stringify(value, null, 2)}\n`;

function shown(
  { manifests, inputs, charts, remotes, sourceType, engine }: RenderResult,
  { inputs: wantsInputs, output }: RenderFlags,
) {
  if (!wantsInputs) return output === 'json' ? json(manifests) : manifestsYaml(manifests);
  if (output === 'json') return json({ sourceType, engine, ...inputs, charts, remotes });
  const lines = [
    ...inputs.blobs.map(({ path, id }) => `read   ${id.slice(0, 12)} ${path}`),
    ...inputs.listings.map(
      ({ path, filter }) => `listed ${path || '.'} (${filter.suffixes.join(' ') || 'everything'})`,
    ),
    ...inputs.absences.map((path) => `absent ${path}`),
    ...charts.map(
      ({ repository, name, taken, digest }) => `chart  ${digest.slice(0, 12)} ${name} ${taken} of ${repository}`,
    ),
    ...remotes.map(({ url, revision, commit }) => `remote ${commit.slice(0, 12)} ${redactUrl(url)} at ${revision}`),
  ];
  return lines.map((line) => `${line}\n`).join('');
}
