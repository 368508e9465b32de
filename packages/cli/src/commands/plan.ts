// `fairlead plan`: which applications a change in Git would change, object by object; without a server, or of a runtime.
import type { Command } from 'commander';
import type { PlanFlags } from '../offline/index.ts';

const examples = `
Examples:
  fairlead plan --repo . --from main --to HEAD --applications apps
  fairlead plan --repo https://host/org/repo.git --from v1.3 --to v1.4 -f applications.yaml
  fairlead plan --runtime hosted --repo https://host/org/repo.git --to my-branch

Sources of the repository are read at --from and at --to, whatever their targetRevision; other repositories at their own.
With --runtime: all applications of the runtime that follow the branch, read there with your Git token.`;

export function addPlan(program: Command): void {
  program
    .command('plan')
    .description('which applications a change in Git would change; exit code 1 when one would fail to render')
    .requiredOption('--repo <url>', 'repository, or a folder of this machine')
    .option('--from <revision>', 'as it is; not with --runtime')
    .option('--to <revision>', 'as it would be')
    .option('--runtime <name>', 'all applications of this runtime')
    .option('--onto <branch>', 'with --runtime: the branch it would be on; default: the default branch')
    .option('--pull-request <n>', 'with --runtime: instead of --to')
    .option('--applications <path>', 'folder of Application manifests in the repository')
    .option('-f, --file <file>', 'file of Application manifests')
    .option('--url <url>', 'how Applications name the repository, when --repo is a folder')
    .option('--home <dir>', 'with --runtime: home folder of the installation')
    .option('--summary', 'names of the objects without their lines')
    .option('-o, --output <format>', 'text or json', 'text')
    .addHelpText('after', examples)
    .action(async (_flags, command: Command) => {
      const flags = command.optsWithGlobals<PlanFlags>();
      const { runPlan } = await import('../offline/index.ts');
      await runPlan(flags);
    });
}
