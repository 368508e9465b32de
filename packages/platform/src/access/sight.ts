// What a row that may be seen tells of things that may not.
import { isSeen, isUnrestricted, namedObject, type RuntimeRow, type SetupState } from '@fairlead/contracts';
import type { Sight } from '../store/index.ts';

/** A runtime reports its clusters too: only those that may be seen stay. */
export function withinSight(row: RuntimeRow, { cluster }: Sight): RuntimeRow {
  if (!row.report || isUnrestricted(cluster)) return row;
  const isShown = ({ name }: { readonly name: string }) =>
    isSeen(cluster, namedObject({ entity: 'cluster', runtime: row.name, name }));
  return { ...row, report: { ...row.report, clusters: row.report.clusters.filter(isShown) } };
}

export function shownSetup({ complete, runtime, git, cluster }: SetupState, sight: Sight): SetupState {
  const isShown = (name: string | undefined) =>
    name !== undefined && isSeen(sight.runtime, namedObject({ entity: 'runtime', runtime: name, name }));
  const clusters = cluster.clusters.filter(
    ({ runtime: of, name }) =>
      isShown(of) && isSeen(sight.cluster, namedObject({ entity: 'cluster', runtime: of, name })),
  );
  return {
    complete,
    runtime: isShown(runtime.name) ? runtime : { status: runtime.status },
    git: isShown(git.runtime) ? git : { status: git.status, gitSources: git.gitSources },
    cluster: { ...cluster, clusters },
  };
}
