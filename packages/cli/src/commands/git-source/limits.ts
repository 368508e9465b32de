// Limits of a restricted Git Source, as flags: repositories and destinations by pattern, kinds by group and name.
import { FairleadError } from '@fairlead/base';
import {
  destinationIn,
  type GitSourceLimits,
  type GitSourceSettings,
  kindIn,
  type RestrictedDestination,
} from '@fairlead/contracts';
import type { Command } from 'commander';

export interface LimitFlags {
  readonly restricted?: boolean;
  readonly allowRepo?: readonly string[];
  readonly allowDestination?: readonly string[];
  readonly allowClusterKind?: readonly string[];
  readonly denyClusterKind?: readonly string[];
  readonly allowKind?: readonly string[];
  readonly denyKind?: readonly string[];
}

const kindFlags = {
  allowClusterKind: 'clusterResourceWhitelist',
  denyClusterKind: 'clusterResourceBlacklist',
  allowKind: 'namespaceResourceWhitelist',
  denyKind: 'namespaceResourceBlacklist',
} as const;
type KindFlag = keyof typeof kindFlags;

export const withLimits = (command: Command): Command =>
  command
    .option('--allow-repo <globs...>', 'restricted: repositories; default: its own')
    .option('--allow-destination <cluster/namespace...>', 'restricted: where to, e.g. in-cluster/team-a-*')
    .option('--allow-cluster-kind <group/kind...>', 'restricted: kinds of the cluster; default: none')
    .option('--deny-cluster-kind <group/kind...>', 'restricted: kinds of the cluster that are not')
    .option('--allow-kind <group/kind...>', 'restricted: kinds in namespaces; default: all')
    .option('--deny-kind <group/kind...>', 'restricted: kinds in namespaces that are not');

/** Undefined for a Git Source without limits. */
export function newLimits(flags: LimitFlags, repoURL: string): GitSourceLimits | undefined {
  const given = limitsGiven(flags);
  if (!flags.restricted) {
    if (Object.keys(given).length === 0) return undefined;
    throw new FairleadError('bad_usage', 'limits are for a restricted Git Source; add --restricted');
  }
  if (!given.destinations) {
    throw new FairleadError(
      'bad_usage',
      'say where its applications may go, e.g. --allow-destination in-cluster/team-a-*',
    );
  }
  return { sourceRepos: [repoURL], ...given, destinations: given.destinations };
}

/** Undefined when no limit is to change; what no flag names stays. */
export function changedLimits(flags: LimitFlags): ((known: GitSourceSettings) => GitSourceLimits) | undefined {
  const given = limitsGiven(flags);
  if (Object.keys(given).length === 0) return undefined;
  return ({ name, restricted }) => {
    if (restricted) return { ...restricted, ...given };
    throw new FairleadError('bad_usage', `Git Source ${name} has no limits, and cannot get any later`);
  };
}

function limitsGiven(flags: LimitFlags): Partial<GitSourceLimits> {
  const kinds = Object.entries(kindFlags).flatMap(([flag, field]) => {
    const given = flags[flag as KindFlag]; // a key of the table
    return given ? [[field, given.map(kindIn)] as const] : [];
  });
  return {
    ...(flags.allowRepo ? { sourceRepos: [...flags.allowRepo] } : {}),
    ...(flags.allowDestination ? { destinations: flags.allowDestination.map(destinationOf) } : {}),
    ...Object.fromEntries(kinds),
  };
}

function destinationOf(text: string): RestrictedDestination {
  const destination = destinationIn(text);
  if (destination) return destination;
  throw new FairleadError(
    'bad_usage',
    `--allow-destination ${text}: write cluster/namespace, e.g. in-cluster/team-a-*`,
  );
}
