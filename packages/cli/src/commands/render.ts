// `fairlead render`: manifests of a folder or repository, without a server. Exit code 1 with `--against` when something differs.
import type { Command } from 'commander';
import type { RenderFlags } from '../offline/index.ts';

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
    .option('--remote <url>', 'a repository that kustomizations may build on; may be repeated, * for all', append, [])
    .option('--programs', 'render with helm or kustomize on PATH instead of the built-in ones')
    .option('--inputs', 'print what was read instead of the manifests')
    .option('--against <revision>', 'print what differs from this revision, object by object')
    .option('-o, --output <format>', 'yaml or json', 'yaml')
    .addHelpText('after', examples)
    .action(async (path: string | undefined, flags: RenderFlags) => {
      const { runRender } = await import('../offline/index.ts');
      await runRender(path, flags);
    });
}

const append = (value: string, earlier: readonly string[]): string[] => [...earlier, value];
