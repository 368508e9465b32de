// From a report to what the list shows. Pure.
import { type ApplicationReport, type ApplicationSource, destinationCluster, entityOf } from '@fairlead/contracts';
import { noteOf } from './note.ts';

type Row = {
  readonly project: string;
  readonly health: string;
  readonly sync: string;
  readonly cluster: string;
  readonly destination_namespace: string;
  readonly attention: number;
  readonly search: string;
  readonly row: ReturnType<typeof listRow>;
  readonly labels: Readonly<Record<string, string>>;
  readonly product: string;
  readonly repo: string;
  readonly entity: string;
};

export function projectApplication(report: ApplicationReport): Row {
  const row = listRow(report);
  return {
    project: row.project,
    health: row.health.status,
    sync: row.sync.status,
    cluster: row.destination.cluster,
    destination_namespace: row.destination.namespace,
    attention: attentionOf(report),
    search: searchText(report, row),
    row,
    labels: report.labels,
    product: report.annotations['fairlead.io/product'] ?? report.annotations['codefresh.io/product'] ?? '',
    repo: row.repoUrl,
    entity: entityOf(report.labels) ?? '',
  };
}

function listRow(report: ApplicationReport) {
  const { spec, operation, commit, changeCommit } = report;
  const source = mainSource(report);
  return {
    project: spec.project || 'default',
    health: report.health,
    sync: report.sync,
    ...(commit ? { commit } : {}),
    ...(changeCommit ? { changeCommit } : {}),
    destination: { cluster: destinationCluster(spec.destination), namespace: spec.destination.namespace ?? '' },
    repoUrl: source?.repoURL ?? '',
    path: source?.path ?? source?.chart ?? '',
    images: report.images,
    autoSync: isAutoSynced(report),
    ...(operation ? { operation: briefOperation(operation) } : {}),
    note: noteOf(report),
  };
}

function briefOperation({ phase, message, startedAt, finishedAt }: NonNullable<ApplicationReport['operation']>) {
  return { phase, startedAt, ...(message ? { message } : {}), ...(finishedAt ? { finishedAt } : {}) };
}

/** Of several sources, the first that has manifests of its own and is not only referred to. */
function mainSource({ spec }: ApplicationReport): ApplicationSource | undefined {
  return spec.source ?? spec.sources?.find(({ ref, path, chart }) => !ref || path || chart) ?? spec.sources?.[0];
}

function isAutoSynced({ spec }: ApplicationReport): boolean {
  const automated = spec.syncPolicy?.automated;
  return automated !== undefined && automated.enabled !== false;
}

/** 0 needs a person most. The order of the list's default sort. */
export function attentionOf({ health, sync, operation, conditions }: ApplicationReport): number {
  const isRunning = operation?.phase === 'Running' || operation?.phase === 'Terminating';
  if (health.status === 'Degraded') return 0;
  if (operation?.phase === 'Failed' || operation?.phase === 'Error') return 1;
  if (conditions.some(({ type }) => type.endsWith('Error'))) return 1;
  if (health.status === 'Missing' && !isRunning) return 2;
  if (health.status === 'Unknown' || sync.status === 'Unknown') return 3;
  if (isRunning || health.status === 'Progressing') return 5;
  if (sync.status === 'OutOfSync') return 4;
  return health.status === 'Suspended' ? 6 : 7;
}

function searchText(report: ApplicationReport, row: ReturnType<typeof listRow>): string {
  const parts = [
    report.name,
    report.namespace,
    row.destination.namespace,
    row.destination.cluster,
    row.project,
    row.repoUrl,
    row.path,
    report.sync.revision,
    report.changeCommit?.revision,
    ...row.images,
  ];
  return parts.filter(Boolean).join('\n').toLowerCase();
}
