import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { clustersQuery, meQuery } from '../../api/index.ts';
import { useApi } from '../../services/index.ts';
import { Button, Empty, Failure, PageHead, Skeleton, Table } from '../../ui/index.ts';
import { counted } from '../../words/index.ts';
import { DeliveryTabs } from '../delivery-tabs/index.ts';
import { ClusterLine, clusterColumns } from './cluster-line.tsx';
import { ConnectCluster } from './connect-cluster.tsx';

export function ClustersPage() {
  const api = useApi();
  const { data, error, refetch } = useQuery(clustersQuery(api));
  const { data: me } = useQuery(meQuery(api));
  const isAdmin = me?.user.role === 'admin';
  const [isConnecting, setConnecting] = useState(false);
  const away = data?.filter(({ status }) => status === 'Failed').map(({ name }) => name) ?? [];
  return (
    <div className="flex flex-col gap-4 p-4 md:px-6 md:py-5">
      <title>Clusters · Fairlead</title>
      <PageHead
        title="Clusters"
        answer={
          data ? (
            away.length > 0 ? (
              <b>{`${away.length} of ${counted(data.length, 'cluster')} cannot be reached: ${away.join(', ')}.`}</b>
            ) : (
              `${counted(data.length, 'cluster')} to deploy to${data.length > 1 ? ', all of them within reach' : data.length > 0 ? ', within reach' : ''}.`
            )
          ) : (
            <Skeleton className="mt-2 w-64" />
          )
        }
        actions={
          isAdmin ? (
            <Button kind="primary" onPress={() => setConnecting(true)}>
              Connect a cluster…
            </Button>
          ) : null
        }
      />
      <DeliveryTabs />
      {error && !data ? <Failure what="the clusters" error={error} onRetry={() => void refetch()} /> : null}
      {data ? (
        data.length === 0 ? (
          <div className="rounded-lg border border-line bg-surface">
            <Empty title="No clusters yet">
              <p>A runtime brings its own; further ones are added to it.</p>
            </Empty>
          </div>
        ) : (
          <Table label="Clusters" columns={clusterColumns}>
            {data.map((row) => (
              <ClusterLine key={`${row.runtime} ${row.server}`} {...{ row, isAdmin }} />
            ))}
          </Table>
        )
      ) : error ? null : (
        <Skeleton className="h-36 rounded-lg" />
      )}
      {isConnecting ? <ConnectCluster onClose={() => setConnecting(false)} /> : null}
    </div>
  );
}
