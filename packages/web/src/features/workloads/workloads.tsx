import type { ApplicationDetail } from '@fairlead/contracts';
import { useQueries } from '@tanstack/react-query';
import { useMemo, useState } from 'react';
import { manifestsQuery, type ResourceRef } from '../../api/index.ts';
import { useApi } from '../../services/index.ts';
import { Button, Empty } from '../../ui/index.ts';
import { formatCount } from '../../words/index.ts';
import { ReportedWorkloads } from '../reported-workloads/index.ts';
import { WorkloadCard } from './workload-card.tsx';
import { workloadsOf } from './workload-model.ts';

interface WorkloadsProps {
  readonly detail: ApplicationDetail;
  readonly onOpen: (resource: ResourceRef) => void;
}

/** Each card asks for a manifest, so that they come a few at a time. */
const step = 24;
const maxServices = 50;

/** What runs for the application: each workload with its replicas, images, labels and where it is reached. */
export function Workloads({ detail, onOpen }: WorkloadsProps) {
  const api = useApi();
  const { workloads, services } = useMemo(() => workloadsOf(detail), [detail]);
  const [shown, setShown] = useState(step);
  const { id } = detail.row;
  const manifests = useQueries({
    queries: services
      .slice(0, maxServices)
      .map(({ group, kind, namespace, name }) => manifestsQuery(api, id, { group, kind, namespace, name })),
    combine: (answers) => ({
      live: answers.flatMap(({ data }) => (data ? [data.live ?? data.desired] : [])),
      isPending: answers.some(({ isPending }) => isPending),
    }),
  });
  if (workloads.length === 0) {
    return (
      <div className="flex flex-col gap-3 pb-4">
        <div className="rounded-lg border border-line bg-surface">
          <Empty title="Nothing runs here">
            <p>
              The application has no Deployment, StatefulSet, DaemonSet or Job, so that there are no services to show.
            </p>
          </Empty>
        </div>
        <ReportedWorkloads id={id} />
      </div>
    );
  }
  return (
    <div className="flex flex-col gap-3 pb-4">
      <ul
        aria-label="Services"
        className="grid gap-3 sm:grid-cols-[repeat(auto-fill,minmax(20rem,1fr))] 2xl:grid-cols-[repeat(auto-fill,minmax(24rem,1fr))]"
      >
        {workloads.slice(0, shown).map((workload) => (
          <WorkloadCard key={workload.node.key} {...{ id, workload, onOpen, services: manifests }} />
        ))}
      </ul>
      {workloads.length > shown ? (
        <Button className="self-center" onPress={() => setShown(shown + step)}>
          {formatCount(workloads.length - shown)} more
        </Button>
      ) : null}
      <ReportedWorkloads id={id} />
    </div>
  );
}
