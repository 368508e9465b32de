// What an AppProject allows, judged before a commit; the engine judges again when it deploys. Deny rules (`!`) win. Pure.
import { type Application, type ApplicationProblem, entityOf } from '@fairlead/contracts';
import { listAt, stringAt } from '@fairlead/kube';
import type { GitSource } from '../configuration/index.ts';
import { matchesGlob, permitsRepository } from '../source-server/index.ts';
import { problem } from './read-application.ts';

export interface TargetCluster {
  readonly server: string;
  readonly name: string;
}

export function projectProblems(
  project: unknown,
  { application, target }: { application: Application; target: TargetCluster },
): ApplicationProblem[] {
  const { spec } = application;
  const remedy = `Choose another, or let an administrator of project ${spec.project} allow it`;
  const sources = spec.source ? [{ ...spec.source, field: 'spec.source' }] : [];
  const several = (spec.sources ?? []).map((source, index) => ({ ...source, field: `spec.sources.${index}` }));
  const rules = repositoryRules(project);
  const repositories = [...sources, ...several]
    .filter(({ repoURL }) => !permitsRepository(rules, repoURL))
    .map(({ repoURL, field }) =>
      problem(`${field}.repoURL`, `project ${spec.project} does not allow repository ${repoURL}`, remedy),
    );
  const namespace = spec.destination.namespace ?? '';
  if (permitsDestination(project, { ...target, namespace })) return repositories;
  const where = `namespace ${namespace || '(none)'} of cluster ${target.name || target.server}`;
  return [...repositories, problem('spec.destination', `project ${spec.project} does not allow ${where}`, remedy)];
}

/** What a restricted Git Source would not bring; the engine refuses it too. */
export function gitSourceProblems(
  { name, applicationsProject }: Pick<GitSource, 'name' | 'applicationsProject'>,
  { metadata, spec }: Application,
): ApplicationProblem[] {
  if (applicationsProject === undefined) return [];
  const found: ApplicationProblem[] = [];
  if (spec.project !== applicationsProject) {
    const reason = `Git Source ${name} is restricted to applications of project ${applicationsProject}`;
    found.push(problem('spec.project', reason, `Set project: ${applicationsProject}, or choose another Git Source`));
  }
  if (entityOf(metadata.labels)) {
    const reason = `Git Source ${name} is restricted and may bring neither Git Sources nor configuration`;
    found.push(problem('metadata.labels', reason, 'Leave out the label of the entity'));
  }
  return found;
}

export const repositoryRules = (project: unknown): string[] =>
  listAt(project, 'spec', 'sourceRepos').filter((rule) => typeof rule === 'string');

function permitsDestination(project: unknown, wanted: TargetCluster & { namespace: string }): boolean {
  const judged = listAt(project, 'spec', 'destinations').map((rule) => {
    const field = stringAt(rule, 'server') ? 'server' : 'name';
    const cluster = stringAt(rule, field) ?? '*';
    const namespace = stringAt(rule, 'namespace') ?? '';
    const bare = (text: string) => text.replace(/^!/, '');
    const isHit = matchesGlob(bare(cluster), wanted[field]) && matchesGlob(bare(namespace), wanted.namespace);
    if (!isHit) return 'silent';
    return cluster.startsWith('!') || namespace.startsWith('!') ? 'deny' : 'allow';
  });
  return judged.includes('allow') && !judged.includes('deny');
}
