// The work of `fairlead plan`.
import { errorMessage, FairleadError } from '@fairlead/base';
import type { ApplicationSource } from '@fairlead/contracts';
import { isSameRepository } from '@fairlead/git';
import {
  type ApplicationPlan,
  applicationsIn,
  applicationsOf,
  ChartRepositories,
  type PlannedApplication,
  type PlanSide,
  plan,
  RenderError,
  Renderer,
  type SourceTree,
} from '@fairlead/render';
import { oneOf } from '../input.ts';
import { knownRuntime } from '../known-runtime.ts';
import { platformClient } from '../platform-client.ts';
import { manifestsIn } from './manifests.ts';
import { changeText } from './show.ts';
import { OfflineRepositories } from './sources.ts';

export interface PlanFlags {
  readonly repo: string;
  readonly from?: string;
  readonly to?: string;
  readonly runtime?: string;
  readonly onto?: string;
  readonly pullRequest?: string;
  readonly home?: string;
  readonly applications?: string;
  readonly file?: string;
  readonly url?: string;
  readonly summary?: true;
  readonly output: string;
}

export async function runPlan(flags: PlanFlags): Promise<void> {
  oneOf('--output', flags.output, ['text', 'json']);
  if (flags.runtime !== undefined) return planRuntime(flags);
  await OfflineRepositories.use((repositories) => run(repositories, flags));
}

async function run(repositories: OfflineRepositories, flags: PlanFlags): Promise<void> {
  if ((flags.applications === undefined) === (flags.file === undefined))
    throw new FairleadError('bad_usage', 'give either --applications FOLDER or -f FILE');
  const { from, to } = flags;
  if (from === undefined || to === undefined) throw new FairleadError('bad_usage', 'give --from and --to');
  if (flags.file !== undefined) await manifestsIn(flags.file, '--file'); // before a repository is fetched
  const sideAt = (flag: string, revision: string) => side(repositories, { flag, revision }, flags);
  const [before, after] = [await sideAt('--from', from), await sideAt('--to', to)];
  const made = await plan({ before, after, renderer: new Renderer(), charts: new ChartRepositories() });
  process.stdout.write(flags.output === 'json' ? `${JSON.stringify(made, null, 2)}\n` : text(made.applications, flags));
  if (made.applications.some(({ change }) => change === 'failed')) process.exitCode = 1;
}

async function planRuntime({ runtime = '', repo, to, onto, pullRequest, ...flags }: PlanFlags): Promise<void> {
  const number = pullRequest === undefined ? undefined : Number(pullRequest);
  if (number !== undefined && !Number.isInteger(number))
    throw new FairleadError('bad_usage', `--pull-request ${pullRequest}: must be a number`);
  const wish = { repoURL: repo, to, onto, pullRequest: number };
  const body = Object.fromEntries(Object.entries(wish).filter(([, value]) => value !== undefined));
  const api = platformClient(flags);
  const made = await api.call('createPlan', {
    params: { runtime: await knownRuntime(api, runtime) },
    body: body as { repoURL: string }, // members that were not given are left out, the others as they are
  });
  // Manifests come as JSON; they were manifests when they left.
  const applications = made.applications as unknown as readonly ApplicationPlan[];
  const shown = { ...flags, repo };
  if (flags.output === 'json') process.stdout.write(`${JSON.stringify(made, null, 2)}\n`);
  else process.stdout.write(text(applications, shown, made.total));
  if (applications.some(({ change }) => change === 'failed')) process.exitCode = 1;
}

async function side(
  repositories: OfflineRepositories,
  { flag, revision }: { readonly flag: string; readonly revision: string },
  flags: PlanFlags,
): Promise<PlanSide> {
  const own = await repositories.tree(flags.repo, revision, flag);
  const applications = await applicationsAt(own, flags);
  const trees = new Map<string, Promise<SourceTree>>();
  const openTree = ({ repoURL, targetRevision = 'HEAD' }: ApplicationSource): Promise<SourceTree> => {
    if (isOwn(repoURL, flags)) return Promise.resolve(own);
    const key = `${repoURL} ${targetRevision}`;
    const tree = trees.get(key) ?? repositories.tree(repoURL, targetRevision || 'HEAD');
    trees.set(key, tree);
    return tree;
  };
  return { applications, openTree };
}

const isOwn = (repoURL: string, { repo, url }: PlanFlags): boolean =>
  isSameRepository(repoURL, repo) || (url !== undefined && isSameRepository(repoURL, url));

async function applicationsAt(tree: SourceTree, { applications, file }: PlanFlags): Promise<PlannedApplication[]> {
  if (file === undefined) {
    return applicationsIn(tree, applications ?? '').catch((error: unknown) => {
      throw error instanceof RenderError
        ? new FairleadError('bad_usage', `--applications ${errorMessage(error)}; name a folder of the repository`)
        : error;
    });
  }
  return applicationsOf(await manifestsIn(file, '--file'));
}

function text(applications: readonly ApplicationPlan[], { summary }: PlanFlags, total = applications.length): string {
  const moved = applications.filter(({ change }) => change !== 'unchanged');
  const parts = moved.map(({ name, change, objects, error }) => {
    const title = `Application ${name}: ${change}${error ? `: ${error}` : ''}\n`;
    const shown = objects.map((object) =>
      summary ? `  ${object.change} ${object.kind} ${object.name}\n` : changeText(object),
    );
    return title + shown.join('');
  });
  return `${parts.join('\n')}${parts.length > 0 ? '\n' : ''}${moved.length} of ${total} applications change\n`;
}
