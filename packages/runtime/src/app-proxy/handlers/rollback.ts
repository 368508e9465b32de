// Back to an earlier release: by a commit where auto-sync is on, by the engine where it is off.
import { type Application, initiatedByInfo, type RevisionHistory, type RollbackReceipt } from '@fairlead/contracts';
import { planRestoration, releaseOf } from '../../definitions/index.ts';
import { ProxyError } from '../errors.ts';
import { type HandlersOf, nameOf } from '../handler.ts';
import { compareSoon } from './definitions.ts';
import type { HandlerDeps } from './deps.ts';

type Input = Parameters<HandlersOf<'rollbackApplication'>['rollbackApplication']>[0];

export const rollbackHandlers = (deps: HandlerDeps): HandlersOf<'rollbackApplication'> => ({
  async rollbackApplication(input) {
    const { params, body, signal } = input;
    const application = await deps.engine.getApplication(params, { signal });
    const release = releaseOf(application, body.historyId);
    const isAutomated = hasAutoSync(application);
    const how = body.how ?? (isAutomated ? 'commit' : 'engine');
    if (how === 'commit') return byCommit(deps, input, { application, release });
    if (isAutomated) {
      const remedy = 'go back by commit, or switch auto-sync off first';
      throw new ProxyError('invalid', `how: ${params.name} has auto-sync on, which would undo it at once; ${remedy}`);
    }
    return byEngine(deps, input, release);
  },
});

function hasAutoSync({ spec }: Application): boolean {
  const { automated } = spec.syncPolicy ?? {};
  return automated !== undefined && automated.enabled !== false;
}

interface Target {
  readonly application: Application;
  readonly release: RevisionHistory;
}

async function byCommit(deps: HandlerDeps, input: Input, { application, release }: Target): Promise<RollbackReceipt> {
  const { params, body, user, signal } = input;
  const plan = await planRestoration(deps, { actor: user, application, release }, { signal });
  const { repoURL, branch, base, path, changes, files } = plan;
  const { revision } = release;
  const short = revision.slice(0, 7);
  const answer = { how: 'commit' as const, revision, files: [...files] };
  if (files.length === 0) return { ...answer, message: `Git holds what release ${release.id} (${short}) had already` };
  if (body.dryRun)
    return {
      ...answer,
      message: `${files.length} ${files.length === 1 ? 'file' : 'files'} of ${path || 'the root'} would go back to ${short}`,
    };
  const reason = `Restores ${path || 'the repository'} to its content at ${revision},\nrelease ${release.id}, deployed ${release.deployedAt}.`;
  const message = body.message ?? `Roll back ${params.name} to ${short}\n\n${reason}`;
  const commit = await deps.git.commit(user, { repoURL, branch, changes, message, base }, { signal });
  compareSoon(deps, params);
  return { ...answer, commit, message: `${params.name} goes back to ${short} by commit ${commit.sha.slice(0, 7)}` };
}

async function byEngine(
  { engine }: HandlerDeps,
  { params, body, user, signal }: Input,
  { id, revision }: RevisionHistory,
): Promise<RollbackReceipt> {
  const short = revision.slice(0, 7);
  const answer = { how: 'engine' as const, revision, files: [] };
  if (body.dryRun) return { ...answer, message: `the engine would deploy ${short}; Git stays as it is` };
  const infos = [{ name: initiatedByInfo, value: nameOf(user) }];
  await engine.rollback(params, { id, prune: true, infos }, { signal });
  return {
    ...answer,
    message: `the engine goes back to ${short}; Git stays as it is, so ${params.name} will be OutOfSync`,
  };
}
