// What an AppProject allows its applications: repositories, destinations, kinds. Deny rules (`!`) win. Pure.
// Roles, sync windows, source namespaces and signature keys are not judged here.

import { normalizeRepositoryUrl } from '@fairlead/git';
import { type KubeObject, listAt, recordAt, stringAt } from '@fairlead/kube';
import { matchesGlob } from './glob.ts';

const textsAt = (value: unknown, ...path: string[]) =>
  listAt(value, ...path).filter((item) => typeof item === 'string');

export function permitsRepository(project: KubeObject, url: string): boolean {
  const rules = textsAt(project, 'spec', 'sourceRepos');
  const matches = (rule: string) =>
    rule === '*' || matchesGlob(normalizeRepositoryUrl(rule), normalizeRepositoryUrl(url), '/');
  if (rules.some((rule) => rule.startsWith('!') && matches(rule.slice(1)))) return false;
  return rules.some((rule) => !rule.startsWith('!') && matches(rule));
}

interface Destination {
  readonly server: string;
  readonly name: string;
  readonly namespace: string;
}

export function permitsDestination(project: KubeObject, destination: Destination): boolean {
  const judged = listAt(project, 'spec', 'destinations').map((rule) => judge(rule, destination));
  return judged.includes('allow') && !judged.includes('deny');
}

/** A rule names server or name, and a namespace; a `!` on either makes it a deny rule. */
function judge(rule: unknown, destination: Destination): 'allow' | 'deny' | 'silent' {
  const field = stringAt(rule, 'server') ? 'server' : 'name';
  const cluster = stringAt(rule, field) ?? '*';
  const namespace = stringAt(rule, 'namespace') ?? '';
  const isDeny = cluster.startsWith('!') || namespace.startsWith('!');
  const bare = (text: string) => text.replace(/^!/, '');
  const isHit = matchesGlob(bare(cluster), destination[field]) && matchesGlob(bare(namespace), destination.namespace);
  if (!isHit) return 'silent';
  return isDeny ? 'deny' : 'allow';
}

interface Kind {
  readonly group: string;
  readonly kind: string;
  readonly namespaced: boolean;
}

/** Cluster-wide kinds must be allowed by name; kinds in namespaces are allowed unless a list says otherwise. */
export function permitsKind(project: KubeObject, { group, kind, namespaced }: Kind): boolean {
  const spec = recordAt(project, 'spec');
  const isListed = (list: string) =>
    listAt(spec, list).some(
      (rule) => matchesGlob(stringAt(rule, 'group') ?? '', group) && matchesGlob(stringAt(rule, 'kind') ?? '', kind),
    );
  if (!namespaced) return isListed('clusterResourceWhitelist') && !isListed('clusterResourceBlacklist');
  const hasAllowList = Array.isArray(spec['namespaceResourceWhitelist']);
  return (!hasAllowList || isListed('namespaceResourceWhitelist')) && !isListed('namespaceResourceBlacklist');
}
