// `fairlead render`: manifests of a folder or repository, without a server. Exit code 1 with `--against` when something differs.
import { FairleadError } from '@fairlead/base';
import { objectChanges, type RenderResult, render } from '@fairlead/render';
import type { Command } from 'commander';
import { changeText, type Located, locateFolder, manifestsYaml, OfflineRepositories } from '../offline/index.ts';

interface RenderFlags {
  readonly repo?: string;
  readonly revision: string;
  readonly path: string;
  readonly name?: string;
  readonly namespace?: string;
  readonly kubeVersion?: string;
  readonly values: readonly string[];
  readonly set: readonly string[];
  readonly inputs?: true;
  readonly against?: string;
  readonly output: string;
}

const examples = `
Examples:
  fairlead render charts/shop --values values-prod.yaml --set image.tag=1.2
  fairlead render --repo https://host/org/repo.git --revision v1.4 --path apps/shop
  fairlead render apps/shop --against main     what your edits would change
  fairlead render apps/shop --inputs           which files it was made of`;

export function addRender(program: Command): void {
  program
    .command('render [path]')
    .description('the manifests of a folder, chart or overlay; no server is needed')
    .option('--repo <url>', 'repository, in place of a folder of this machine')
    .option('--revision <revision>', 'branch, tag or commit of --repo', 'HEAD')
    .option('--path <path>', 'folder in --repo', '')
    .option('--name <name>', 'name of the application, and of the Helm release')
    .option('--namespace <namespace>', 'namespace of the destination')
    .option('--kube-version <version>', 'Kubernetes version that templates see')
    .option('--values <file>', 'Helm values file, relative to the chart; may be repeated', append, [])
    .option('--set <name=value>', 'Helm parameter; may be repeated', append, [])
    .option('--inputs', 'print what was read instead of the manifests')
    .option('--against <revision>', 'print what differs from this revision, object by object')
    .option('-o, --output <format>', 'yaml or json', 'yaml')
    .addHelpText('after', examples)
    .action((path: string | undefined, flags: RenderFlags) => OfflineRepositories.use((all) => run(all, path, flags)));
}

const append = (value: string, earlier: readonly string[]): string[] => [...earlier, value];

async function run(repositories: OfflineRepositories, folder: string | undefined, flags: RenderFlags): Promise<void> {
  if ((folder === undefined) === (flags.repo === undefined))
    throw new FairleadError('bad_usage', 'give either a folder or --repo; fairlead render --help shows both');
  const local = folder === undefined ? undefined : locateFolder(folder);
  const repository = flags.repo ?? local?.root ?? '';
  const path = local?.path ?? flags.path;
  const now: Located = local ?? { tree: await repositories.tree(repository, flags.revision), path };
  const result = await renderAt(now, flags);
  for (const warning of result.warnings) process.stderr.write(`warning: ${warning}\n`);
  if (flags.against === undefined) {
    process.stdout.write(shown(result, flags));
    return;
  }
  const before = await renderAt({ tree: await repositories.tree(repository, flags.against), path }, flags);
  const changes = objectChanges(before.manifests, result.manifests);
  process.stdout.write(flags.output === 'json' ? json(changes) : changes.map(changeText).join(''));
  if (changes.length > 0) process.exitCode = 1;
}

function renderAt({ tree, path }: Located, flags: RenderFlags): Promise<RenderResult> {
  const parameters = flags.set.map((text) => {
    const at = text.indexOf('=');
    if (at < 1) throw new FairleadError('bad_usage', `--set ${text}: must be NAME=VALUE`);
    return { name: text.slice(0, at), value: text.slice(at + 1) };
  });
  const helm = { valueFiles: flags.values, parameters };
  const isHelm = flags.values.length + parameters.length > 0;
  const source = { repoURL: '', path, ...(isHelm ? { helm } : {}) };
  const { name: releaseName, namespace, kubeVersion } = flags;
  return render({ tree, source, target: { releaseName, namespace, kubeVersion } });
}

const json = (value: unknown): string => `${JSON.stringify(value, null, 2)}\n`;

function shown({ manifests, inputs, sourceType, engine }: RenderResult, { inputs: wantsInputs, output }: RenderFlags) {
  if (!wantsInputs) return output === 'json' ? json(manifests) : manifestsYaml(manifests);
  if (output === 'json') return json({ sourceType, engine, ...inputs });
  const lines = [
    ...inputs.blobs.map(({ path, id }) => `read   ${id.slice(0, 12)} ${path}`),
    ...inputs.listings.map(
      ({ path, filter }) => `listed ${path || '.'} (${filter.suffixes.join(' ') || 'everything'})`,
    ),
    ...inputs.absences.map((path) => `absent ${path}`),
  ];
  return lines.map((line) => `${line}\n`).join('');
}
