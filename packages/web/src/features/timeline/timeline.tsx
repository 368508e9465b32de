// The deployments of an application, newest first; each leads to the state it left behind, and to what changed since.
import type { ApplicationId, DeploymentRow } from '@fairlead/contracts';
import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { deploymentsQuery, timelineQuery } from '../../api/index.ts';
import { useApi, useNow } from '../../services/index.ts';
import { Button, DayBars, Empty, Failure, fillDays, Skeleton } from '../../ui/index.ts';
import { counted } from '../../words/index.ts';
import { Compare } from './compare.tsx';
import { DeploymentItem } from './deployment-item.tsx';
import { momentOf } from './moments.ts';

interface TimelineProps {
  readonly id: ApplicationId;
  readonly from: string | undefined;
  readonly to: string | undefined;
  readonly onTravel: (at: string) => void;
  readonly onCompare: (from: string | undefined, to?: string) => void;
  readonly onRollback?: ((deployment: DeploymentRow) => void) | undefined;
}

const chartDays = 30;

export function Timeline({ id, from, to, onTravel, onCompare, onRollback }: TimelineProps) {
  const api = useApi();
  const now = useNow(10_000);
  const list = useInfiniteQuery(deploymentsQuery(api, id));
  const { data: timeline } = useQuery(timelineQuery(api, id));
  const deployments = list.data?.pages.flatMap(({ items }) => items);
  const moments = timeline?.items ?? [];
  if (list.error && !deployments) {
    return <Failure what="the timeline" error={list.error} onRetry={() => void list.refetch()} />;
  }
  if (!deployments) return <Skeleton className="h-72 rounded-lg" />;
  if (deployments.length === 0) {
    return (
      <div className="rounded-lg border border-line bg-surface">
        <Empty title="Nothing was deployed yet">
          <p>The first synchronization stands here, with what it changed.</p>
        </Empty>
      </div>
    );
  }
  const current = deployments.find(({ phase }) => phase === 'Succeeded')?.id;
  return (
    <div className="flex flex-col gap-4">
      {from ? <Compare {...{ id, from, to, deployments, moments, onCompare }} /> : null}
      {timeline ? (
        <section aria-label="Deployments per day" className="rounded-lg border border-line bg-surface px-4 pt-3 pb-2">
          <p className="mb-2 text-sm text-muted">{chartWords(timeline.days)}</p>
          <DayBars
            label="Deployments of the last 30 days"
            days={fillDays(timeline.days, now, chartDays)}
            className="h-20"
          />
        </section>
      ) : null}
      <ol aria-label="Deployments, the newest first" className="rounded-lg border border-line bg-surface">
        {deployments.map((deployment) => (
          <DeploymentItem
            key={deployment.id}
            {...{ deployment, onRollback }}
            nowMs={now}
            isCurrent={deployment.id === current}
            onTravel={() => onTravel(momentOf(deployment, moments))}
            onCompare={() => onCompare(momentOf(deployment, moments))}
          />
        ))}
      </ol>
      {list.hasNextPage ? (
        <Button className="self-center" isPending={list.isFetchingNextPage} onPress={() => void list.fetchNextPage()}>
          Older deployments
        </Button>
      ) : null}
    </div>
  );
}

function chartWords(days: readonly { readonly succeeded: number; readonly failed: number; readonly other: number }[]) {
  const sum = (of: 'succeeded' | 'failed' | 'other') => days.reduce((total, day) => total + day[of], 0);
  const all = sum('succeeded') + sum('failed') + sum('other');
  const failed = sum('failed');
  return `${counted(all, 'deployment')} in 30 days${failed > 0 ? `, ${failed} of them failed` : ', none failed'}.`;
}
