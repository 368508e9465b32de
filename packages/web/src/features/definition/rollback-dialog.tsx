import type { ApplicationId, DeploymentRow } from '@fairlead/contracts';
import { useMutation, useQuery } from '@tanstack/react-query';
import { useApi } from '../../services/index.ts';
import { Button, ModalDialog, Notice, Skeleton } from '../../ui/index.ts';
import { firstLine, shortRevision } from '../../words/index.ts';
import { GitFailure } from '../git-failure/index.ts';

interface RollbackDialogProps {
  readonly id: ApplicationId;
  readonly deployment: DeploymentRow;
  readonly historyId: number;
  readonly onClose: () => void;
}

export function RollbackDialog(props: RollbackDialogProps) {
  return (
    <ModalDialog title={`Roll back ${props.id.name}`} isOpen onClose={props.onClose}>
      <RollbackPlan {...props} />
    </ModalDialog>
  );
}

/** First what would go back, asked of the runtime; then it goes back. */
export function RollbackPlan({ id, deployment, historyId, onClose }: RollbackDialogProps) {
  const api = useApi();
  const plan = useQuery({
    queryKey: ['rollback', id, historyId],
    queryFn: ({ signal }) =>
      api.call('rollbackApplication', { params: id, body: { historyId, dryRun: true } }, { signal }),
    ...{ staleTime: 0, retry: false },
  });
  const roll = useMutation({ mutationFn: () => api.call('rollbackApplication', { params: id, body: { historyId } }) });
  const title = deployment.commit?.message ? firstLine(deployment.commit.message) : shortRevision(deployment.revision);
  const isNothing = plan.data?.how === 'commit' && plan.data.files.length === 0;
  return (
    <div className="flex flex-col gap-4 text-sm">
      <p>
        Back to <b className="font-semibold">{title}</b>{' '}
        <span className="font-mono text-xs">{shortRevision(deployment.revision)}</span>.
      </p>
      {roll.data ? (
        <Notice kind="info" title={roll.data.message}>
          {roll.data.commit ? `Committed as ${shortRevision(roll.data.commit.sha)}.` : ''}
        </Notice>
      ) : plan.data ? (
        <>
          <p className="text-muted">{plan.data.message}</p>
          {plan.data.files.length > 0 ? (
            <ul
              aria-label="Files that go back"
              className="max-h-48 overflow-y-auto rounded-md border border-line px-3 py-2 font-mono text-xs"
            >
              {plan.data.files.map(({ path, change }) => (
                <li key={path}>
                  <span className="text-muted">{change}</span> {path}
                </li>
              ))}
            </ul>
          ) : null}
        </>
      ) : plan.error ? (
        <GitFailure what="what a rollback would do" error={plan.error} />
      ) : (
        <Skeleton className="h-16" />
      )}
      {roll.error ? <GitFailure what="the rollback" undone="Nothing was rolled back." error={roll.error} /> : null}
      <div className="flex justify-end gap-2">
        <Button onPress={onClose}>{roll.data ? 'Close' : 'Cancel'}</Button>
        {roll.data ? null : (
          <Button
            kind="primary"
            isDisabled={!plan.data || isNothing}
            isPending={roll.isPending}
            onPress={() => roll.mutate()}
          >
            {plan.data?.how === 'engine' ? 'Roll back' : 'Commit and roll back'}
          </Button>
        )}
      </div>
    </div>
  );
}
