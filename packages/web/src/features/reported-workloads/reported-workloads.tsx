import type { ApplicationId, WorkloadRow } from '@fairlead/contracts';
import { useQuery } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import { applicationWorkloadsQuery, runtimeWorkloadsQuery } from '../../api/index.ts';
import { useApi, useNow } from '../../services/index.ts';
import { CheckField, Failure, Panel, Skeleton, Table } from '../../ui/index.ts';
import { counted } from '../../words/index.ts';
import { isKept } from './phase.ts';
import { WorkloadLine, workloadColumns } from './workload-line.tsx';

/** What delivers an application step by step, as the cluster has it; nothing when it has nothing of the kind. */
export function ReportedWorkloads({ id }: { readonly id: ApplicationId }) {
  const { data, error, refetch } = useQuery(applicationWorkloadsQuery(useApi(), id));
  if (error && !data)
    return <Failure what="its ReplicaSets and Rollouts" error={error} onRetry={() => void refetch()} />;
  if (!data || data.length === 0) return null;
  return (
    <WorkloadsPanel rows={data} hint="Rollouts, ReplicaSets, AnalysisRuns and Workflows, as the cluster has them." />
  );
}

/** Of a whole runtime, also those of no application. */
export function RuntimeWorkloads({ runtime }: { readonly runtime: string }) {
  const { data, error, refetch } = useQuery(runtimeWorkloadsQuery(useApi(), runtime));
  if (error && !data) return <Failure what="the workloads" error={error} onRetry={() => void refetch()} />;
  if (!data) return <Skeleton className="h-40 rounded-lg" />;
  return (
    <WorkloadsPanel
      rows={data}
      hint="Rollouts, ReplicaSets, AnalysisRuns and Workflows of its clusters, the latest change first; at most 200."
      hasApplication
    />
  );
}

interface WorkloadsPanelProps {
  readonly rows: readonly WorkloadRow[];
  readonly hint: string;
  readonly hasApplication?: boolean;
}

function WorkloadsPanel({ rows, hint, hasApplication = false }: WorkloadsPanelProps) {
  const now = useNow(10_000);
  const [withKept, setWithKept] = useState(false);
  const kept = rows.filter(isKept).length;
  const shown = withKept ? rows : rows.filter((row) => !isKept(row));
  const choice: ReactNode =
    kept > 0 ? (
      <CheckField
        label={`With ${counted(kept, 'ReplicaSet')} of earlier versions`}
        isSelected={withKept}
        onChange={setWithKept}
      />
    ) : null;
  return (
    <Panel title="Workloads" hint={hint} actions={choice}>
      {shown.length === 0 ? (
        <p className="text-sm text-muted">{rows.length === 0 ? 'None reported.' : 'Nothing runs now.'}</p>
      ) : (
        <Table label="Workloads" columns={workloadColumns(hasApplication)}>
          {shown.map((row) => (
            <WorkloadLine key={`${row.cluster}/${row.uid}`} {...{ row, hasApplication }} nowMs={now} />
          ))}
        </Table>
      )}
    </Panel>
  );
}
