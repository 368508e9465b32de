import type { RuntimeRow } from '@fairlead/contracts';
import { useQuery } from '@tanstack/react-query';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { meQuery, runtimesQuery } from '../../api/index.ts';
import { useApi, useNow } from '../../services/index.ts';
import { Button, Empty, Failure, PageHead, Skeleton, Table } from '../../ui/index.ts';
import { AddRuntime } from '../add-runtime/index.ts';
import { DeliveryTabs } from '../delivery-tabs/index.ts';
import { answerOf } from './answer.ts';
import { RuntimeLine } from './runtime-line.tsx';

const columns = ['Name', 'Status', 'Kind', 'Version', 'Engine', 'Components', 'Clusters', 'Applications', 'Last heard'];

export function RuntimesPage() {
  const api = useApi();
  const { data, error, refetch } = useQuery(runtimesQuery(api));
  const { data: me } = useQuery(meQuery(api));
  const { act } = useSearch({ from: '/frame/runtimes' });
  const navigate = useNavigate({ from: '/runtimes' });
  const isAdmin = me?.user.role === 'admin';
  return (
    <div className="flex flex-col gap-4 p-4 md:px-6 md:py-5">
      <title>Runtimes · Fairlead</title>
      <PageHead
        title="Runtimes"
        answer={data ? answerOf(data) : <Skeleton className="mt-2 w-64" />}
        actions={
          isAdmin ? (
            <Button kind="primary" onPress={() => void navigate({ search: { act: 'add' } })}>
              Add runtime…
            </Button>
          ) : null
        }
      />
      <DeliveryTabs />
      {error && !data ? <Failure what="the runtimes" error={error} onRetry={() => void refetch()} /> : null}
      {data ? <RuntimesTable runtimes={data} /> : error ? null : <Skeleton className="h-36 rounded-lg" />}
      {act === 'add' && isAdmin ? <AddRuntime onClose={() => void navigate({ search: {} })} /> : null}
    </div>
  );
}

function RuntimesTable({ runtimes }: { readonly runtimes: readonly RuntimeRow[] }) {
  const now = useNow(1000);
  if (runtimes.length === 0) {
    return (
      <div className="rounded-lg border border-line bg-surface">
        <Empty title="No runtimes yet">
          <p>A runtime is what deploys: it watches Git and your clusters, and reports here.</p>
        </Empty>
      </div>
    );
  }
  return (
    <Table label="Runtimes" columns={columns}>
      {runtimes.map((runtime) => (
        <RuntimeLine key={runtime.name} runtime={runtime} nowMs={now} />
      ))}
    </Table>
  );
}
