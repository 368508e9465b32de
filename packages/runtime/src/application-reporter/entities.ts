// What is said of clusters and Git Sources. Pure.
import {
  type Application,
  type ClusterReport,
  type EngineCluster,
  entityOf,
  type GitSourceReport,
} from '@fairlead/contracts';
import { gitSourceOf } from '../configuration/index.ts';
import type { Entity } from './entity-reporter.ts';
import type { Redactor } from './redact.ts';

/** By the address of the server: names may be given twice. */
export function clustersOf(clusters: readonly EngineCluster[]): Map<string, Entity<ClusterReport>> {
  return new Map(
    clusters.map((cluster) => {
      const { name, server, labels = {}, annotations = {}, serverVersion, connectionState, info } = cluster;
      const state = connectionState ?? info?.connectionState;
      const version = serverVersion || info?.serverVersion;
      const status = state?.status === 'Successful' || state?.status === 'Failed' ? state.status : 'Unknown';
      const payload: ClusterReport = {
        name,
        server,
        labels,
        annotations: withoutApplied(annotations),
        ...(version ? { version } : {}),
        status,
        ...(status !== 'Successful' && state?.message ? { message: state.message } : {}),
        applications: info?.applicationsCount ?? 0,
      };
      return [server, { uid: server, payload }];
    }),
  );
}

/** kubectl keeps whole manifests in an annotation; of a cluster's Secret that would be its credentials. Argo's own mark and ours tell nothing. */
function withoutApplied(annotations: Readonly<Record<string, string>>): Record<string, string> {
  return Object.fromEntries(
    Object.entries(annotations).filter(([key]) => !/^(kubectl\.kubernetes\.io|fairlead\.io)\/|^managed-by$/.test(key)),
  );
}

export function gitSourcesOf(
  applications: readonly Application[],
  redactor: Redactor,
): Map<string, Entity<GitSourceReport>> {
  const sources = new Map<string, Entity<GitSourceReport>>();
  for (const application of applications) {
    const source = gitSourceOf(application);
    if (!source || entityOf(application.metadata.labels) !== 'git-source') continue;
    const { namespace = '', name, uid = '' } = application.metadata;
    const { repoURL, branch, path, include, exclude, applicationsProject } = source;
    const { status } = application;
    const message = troubleOf(application);
    const payload: GitSourceReport = {
      name,
      namespace,
      repoUrl: redactor.text(repoURL),
      branch,
      path,
      include,
      exclude,
      ...(applicationsProject ? { applicationsProject } : {}),
      ...(status?.sync?.revision ? { revision: status.sync.revision } : {}),
      sync: status?.sync?.status ?? 'Unknown',
      health: status?.health?.status ?? 'Unknown',
      ...(message ? { message: redactor.text(message) } : {}),
      applications: (status?.resources ?? []).filter(({ kind }) => kind === 'Application').length,
    };
    sources.set(`${namespace}/${name}`, { uid, payload });
  }
  return sources;
}

function troubleOf({ status }: Application): string | undefined {
  const condition = status?.conditions?.find(({ type }) => type.endsWith('Error'));
  if (condition) return condition.message;
  const operation = status?.operationState;
  const isFailed = operation?.phase === 'Failed' || operation?.phase === 'Error';
  return isFailed && status?.sync?.status !== 'Synced' ? operation.message : undefined;
}
