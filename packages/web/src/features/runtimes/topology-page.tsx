import type { ClusterRow, RuntimeRow } from '@fairlead/contracts';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { clustersQuery, runtimesQuery } from '../../api/index.ts';
import { useApi } from '../../services/index.ts';
import { classNames, Empty, Failure, PageHead, SearchBox, Skeleton, StatusGlyph } from '../../ui/index.ts';
import { counted } from '../../words/index.ts';
import { clusterHealth } from '../clusters/index.ts';
import { DeliveryTabs } from '../delivery-tabs/index.ts';
import { pageSearchId } from '../frame/index.ts';

/** Runtimes on the left, what each deploys to on the right. */
export function TopologyPage() {
  const api = useApi();
  const runtimes = useQuery(runtimesQuery(api));
  const clusters = useQuery(clustersQuery(api));
  const [text, setText] = useState('');
  const error = runtimes.error ?? clusters.error;
  const wanted = text.trim().toLowerCase();
  const has = (name: string) => name.toLowerCase().includes(wanted);
  const shown = runtimes.data?.filter(
    ({ name }) => has(name) || clusters.data?.some((cluster) => cluster.runtime === name && has(cluster.name)),
  );
  return (
    <div className="flex flex-col gap-4 p-4 md:px-6 md:py-5">
      <title>Topology · Fairlead</title>
      <PageHead
        title="Topology"
        answer={
          runtimes.data && clusters.data
            ? `${counted(runtimes.data.length, 'runtime deploys', 'runtimes deploy')} to ${counted(clusters.data.length, 'cluster')}.`
            : ''
        }
      />
      <DeliveryTabs />
      <SearchBox
        id={pageSearchId}
        label="Find runtimes and clusters"
        placeholder="Find"
        value={text}
        onChange={setText}
        className="w-64 max-sm:w-full"
      />
      {error && !(runtimes.data && clusters.data) ? (
        <Failure
          what="the topology"
          error={error}
          onRetry={() => void Promise.all([runtimes.refetch(), clusters.refetch()])}
        />
      ) : null}
      {shown && clusters.data ? (
        shown.length === 0 ? (
          <Empty title={wanted ? 'Nothing matches' : 'No runtimes yet'} />
        ) : (
          <ul aria-label="Runtimes" className="flex flex-col gap-4 rounded-lg border border-line p-4 dotted">
            {shown.map((runtime) => (
              <RuntimeBranch
                key={runtime.name}
                runtime={runtime}
                clusters={(clusters.data ?? []).filter((cluster) => cluster.runtime === runtime.name)}
                isMatch={(name) => wanted !== '' && has(name)}
              />
            ))}
          </ul>
        )
      ) : error ? null : (
        <Skeleton className="h-64 rounded-lg" />
      )}
    </div>
  );
}

interface RuntimeBranchProps {
  readonly runtime: RuntimeRow;
  readonly clusters: readonly ClusterRow[];
  readonly isMatch: (name: string) => boolean;
}

const nodeClass = 'flex h-11 w-full items-center gap-2 rounded-lg border bg-surface px-3 text-sm sm:w-[240px]';
const runtimeHealth = { connected: 'Healthy', offline: 'Degraded', pending: 'Progressing' } as const;

function RuntimeBranch({ runtime, clusters, isMatch }: RuntimeBranchProps) {
  return (
    <li className="flex items-center max-sm:flex-col max-sm:items-stretch max-sm:gap-2">
      <Link
        to="/runtimes/$runtime"
        params={{ runtime: runtime.name }}
        className={classNames(
          nodeClass,
          runtime.status === 'offline' ? 'border-degraded' : 'border-line hover:border-line-strong',
          isMatch(runtime.name) && 'bg-accent-weak!',
        )}
      >
        <StatusGlyph health={runtimeHealth[runtime.status]} silent />
        <span className="min-w-0 flex-1 truncate font-semibold">{runtime.name}</span>
        <span className="text-xs text-muted">{runtime.status}</span>
      </Link>
      {clusters.length > 0 ? <span aria-hidden className="h-px w-10 shrink-0 bg-line-strong max-sm:hidden" /> : null}
      <ul
        aria-label={`Clusters of ${runtime.name}`}
        className={classNames(
          'flex flex-col gap-2 max-sm:pl-6',
          clusters.length > 1 && 'border-line-strong sm:border-l sm:pl-4',
        )}
      >
        {clusters.map(({ name, server, status, message, applications }) => (
          <li key={server}>
            <Link
              to="/applications"
              search={{ runtime: runtime.name, cluster: name }}
              title={message ?? server}
              className={classNames(
                nodeClass,
                status === 'Failed' ? 'border-degraded' : 'border-line hover:border-line-strong',
                isMatch(name) && 'bg-accent-weak!',
              )}
            >
              <StatusGlyph health={clusterHealth[status]} />
              <span className="min-w-0 flex-1 truncate">{name}</span>
              <span className="text-xs text-muted">{counted(applications, 'app')}</span>
            </Link>
          </li>
        ))}
      </ul>
    </li>
  );
}
