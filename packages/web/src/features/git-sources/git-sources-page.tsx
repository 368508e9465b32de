import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { gitSourcesQuery, meQuery } from '../../api/index.ts';
import { useApi } from '../../services/index.ts';
import { Button, Empty, Failure, PageHead, Skeleton, Table } from '../../ui/index.ts';
import { counted } from '../../words/index.ts';
import { DeliveryTabs } from '../delivery-tabs/index.ts';
import { GitSourceDialog } from './git-source-dialog.tsx';
import { GitSourceLine, gitSourceColumns } from './git-source-line.tsx';

export function GitSourcesPage() {
  const api = useApi();
  const { data, error, refetch } = useQuery(gitSourcesQuery(api));
  const { data: me } = useQuery(meQuery(api));
  const isAdmin = me?.user.role === 'admin';
  const [isAdding, setAdding] = useState(false);
  const behind = data?.filter(({ sync }) => sync !== 'Synced').map(({ name }) => name) ?? [];
  return (
    <div className="flex flex-col gap-4 p-4 md:px-6 md:py-5">
      <title>Git Sources · Fairlead</title>
      <PageHead
        title="Git Sources"
        answer={
          data ? (
            behind.length > 0 ? (
              <b>{`${behind.length} of ${counted(data.length, 'Git Source')} not in sync: ${behind.join(', ')}.`}</b>
            ) : (
              `${counted(data.length, 'folder')} in Git that applications come from${data.length > 0 ? ', all in sync' : ''}.`
            )
          ) : (
            <Skeleton className="mt-2 w-64" />
          )
        }
        actions={
          isAdmin ? (
            <Button kind="primary" onPress={() => setAdding(true)}>
              New Git Source…
            </Button>
          ) : null
        }
      />
      <DeliveryTabs />
      {error && !data ? <Failure what="the Git Sources" error={error} onRetry={() => void refetch()} /> : null}
      {data ? (
        data.length === 0 ? (
          <div className="rounded-lg border border-line bg-surface">
            <Empty title="No Git Sources yet">
              <p>A Git Source links a folder of a repository to a runtime: the applications in it are deployed.</p>
            </Empty>
          </div>
        ) : (
          <Table label="Git Sources" columns={gitSourceColumns}>
            {data.map((row) => (
              <GitSourceLine key={`${row.runtime} ${row.name}`} {...{ row, isAdmin }} />
            ))}
          </Table>
        )
      ) : error ? null : (
        <Skeleton className="h-36 rounded-lg" />
      )}
      {isAdding ? <GitSourceDialog onClose={() => setAdding(false)} /> : null}
    </div>
  );
}
