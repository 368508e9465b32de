// The command tree. Each command is one file; this one only hangs them up. A file loads little: what only its own command
// needs (rendering, Kubernetes, the roles) is imported when the command runs, so that every other one starts at once.
import { Command } from 'commander';
import {
  addAccessRuleApply,
  addAccessRuleDelete,
  addAccessRuleGet,
  addAccessRuleList,
} from './commands/access-rule/access-rule.ts';
import { addAppActions, addAppRun } from './commands/app/actions.ts';
import { addAppCreate } from './commands/app/create.ts';
import { addAppDelete } from './commands/app/delete.ts';
import { addAppDiff } from './commands/app/diff.ts';
import { addAppEdit } from './commands/app/edit.ts';
import { addAppEvents } from './commands/app/events.ts';
import { addAppGet } from './commands/app/get.ts';
import { addAppHistory } from './commands/app/history.ts';
import { addAppList } from './commands/app/list.ts';
import { addAppLogs } from './commands/app/logs.ts';
import { addAppRefresh, addAppTerminate } from './commands/app/refresh.ts';
import { addAppRollback } from './commands/app/rollback.ts';
import { addAppSync } from './commands/app/sync.ts';
import { addAppWait } from './commands/app/wait.ts';
import { addAppWhy } from './commands/app/why.ts';
import { addAuditExport } from './commands/audit/export.ts';
import { addAuditVerify } from './commands/audit/verify.ts';
import { addClusterAdd } from './commands/cluster/add.ts';
import { addClusterLabel, addClusterRemove, addClusterRotate } from './commands/cluster/change.ts';
import { addClusterList } from './commands/cluster/list.ts';
import { addCompletion } from './commands/completion.ts';
import { addComponentList } from './commands/component/list.ts';
import { addComponentLogs } from './commands/component/logs.ts';
import { addConfigRebuild } from './commands/config/rebuild.ts';
import { addContextAdd, addContextList, addContextRemove, addContextUse } from './commands/context/context.ts';
import { addDiff } from './commands/diff.ts';
import { addDoctor } from './commands/doctor.ts';
import { addDown } from './commands/down.ts';
import { addGitRightsGet, addGitRightsSet } from './commands/git-rights/git-rights.ts';
import {
  addGitSourceCreate,
  addGitSourceDelete,
  addGitSourceEdit,
  addGitSourcePreview,
} from './commands/git-source/change.ts';
import { addGitSourceList } from './commands/git-source/list.ts';
import { addGitTokenAdd } from './commands/git-token/add.ts';
import { addGitTokenList, addGitTokenRemove } from './commands/git-token/list.ts';
import { addHealth } from './commands/health.ts';
import { addOpen } from './commands/open.ts';
import { addPlan } from './commands/plan.ts';
import { addRender } from './commands/render.ts';
import { addGitCredential, addRepoClone } from './commands/repo/clone.ts';
import { addReset } from './commands/reset.ts';
import { addRole } from './commands/role.ts';
import { addRuntimeAccess } from './commands/runtime/access.ts';
import { addRuntimeDelete } from './commands/runtime/delete.ts';
import { addRuntimeDetach } from './commands/runtime/detach.ts';
import { addRuntimeGet } from './commands/runtime/get.ts';
import {
  addRuntimeHold,
  addRuntimeInstall,
  addRuntimeStopAndStart,
  addRuntimeUninstall,
} from './commands/runtime/install.ts';
import { addRuntimeList } from './commands/runtime/list.ts';
import { addRuntimeLogs } from './commands/runtime/logs.ts';
import { addRuntimeQuarantine } from './commands/runtime/quarantine.ts';
import { addSetup } from './commands/setup.ts';
import { addStatus } from './commands/status.ts';
import { addUp } from './commands/up.ts';
import { addValidate } from './commands/validate.ts';
import { addVersion } from './commands/version.ts';

export function createProgram(): Command {
  const program = new Command('fairlead')
    .description('GitOps across many clusters: see, steer and promote what Argo CD deploys')
    .enablePositionalOptions()
    .showHelpAfterError('--help shows what there is.')
    .exitOverride();
  addUp(program);
  addDown(program);
  addStatus(program);
  addDoctor(program);
  addOpen(program);
  addReset(program);
  addSetup(program);
  addHealth(program);
  const app = program.command('app').description('applications');
  addAppList(app);
  addAppGet(app);
  addAppDiff(app);
  addAppSync(app);
  addAppRefresh(app);
  addAppTerminate(app);
  addAppWait(app);
  addAppWhy(app);
  addAppLogs(app);
  addAppEvents(app);
  addAppHistory(app);
  addAppActions(app);
  addAppRun(app);
  addAppCreate(app);
  addAppEdit(app);
  addAppDelete(app);
  addAppRollback(app);
  const runtime = program.command('runtime').description('runtimes');
  addRuntimeList(runtime);
  addRuntimeGet(runtime);
  addRuntimeAccess(runtime);
  addRuntimeLogs(runtime);
  addRuntimeQuarantine(runtime);
  addRuntimeInstall(runtime);
  addRuntimeHold(runtime);
  addRuntimeUninstall(runtime);
  addRuntimeDelete(runtime);
  addRuntimeDetach(runtime);
  addRuntimeStopAndStart(runtime);
  const accessRule = program.command('access-rule').description('who may do what, as files in Git');
  addAccessRuleList(accessRule);
  addAccessRuleGet(accessRule);
  addAccessRuleApply(accessRule);
  addAccessRuleDelete(accessRule);
  const gitRights = program.command('git-rights').description('whether rights follow Git');
  addGitRightsGet(gitRights);
  addGitRightsSet(gitRights);
  const component = program.command('component').description('what runtimes consist of');
  addComponentList(component);
  addComponentLogs(component);
  const cluster = program.command('cluster').description('clusters that runtimes deploy to');
  addClusterList(cluster);
  addClusterAdd(cluster);
  addClusterLabel(cluster);
  addClusterRotate(cluster);
  addClusterRemove(cluster);
  const gitSource = program.command('git-source').description('the folders of Git that applications come from');
  addGitSourceList(gitSource);
  addGitSourceCreate(gitSource);
  addGitSourceEdit(gitSource);
  addGitSourceDelete(gitSource);
  addGitSourcePreview(gitSource);
  const gitToken = program.command('git-token').description('your Git tokens in a runtime');
  addGitTokenAdd(gitToken);
  addGitTokenList(gitToken);
  addGitTokenRemove(gitToken);
  const repo = program.command('repo').description('repositories of the built-in git server');
  addRepoClone(repo);
  const config = program.command('config').description('the Shared Configuration Repository');
  addConfigRebuild(config);
  const audit = program.command('audit').description('the audit log');
  addAuditExport(audit);
  addAuditVerify(audit);
  for (const command of [
    ...program.commands.filter((each) => each.commands.length === 0),
    ...app.commands,
    ...runtime.commands,
    ...accessRule.commands,
    ...gitRights.commands,
    ...component.commands,
    ...cluster.commands,
    ...gitSource.commands,
    ...audit.commands,
    ...config.commands,
    ...repo.commands,
    ...gitToken.commands,
  ]) {
    command.option('--home <dir>', 'home folder of the installation (default $FAIRLEAD_HOME or ~/.fairlead)');
  }
  // Offline: they need no installation.
  const context = program.command('context').description('the platforms that commands speak to, by name');
  addContextList(context);
  addContextUse(context);
  addContextAdd(context);
  addContextRemove(context);
  addRender(program);
  addPlan(program);
  addDiff(program);
  addValidate(program);
  addVersion(program);
  addCompletion(program);
  addGitCredential(program);
  addRole(program);
  return program;
}
