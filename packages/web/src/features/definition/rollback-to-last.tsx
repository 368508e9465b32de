import type { ApplicationId, DeploymentRow } from '@fairlead/contracts';
import { useInfiniteQuery } from '@tanstack/react-query';
import { deploymentsQuery } from '../../api/index.ts';
import { useApi } from '../../services/index.ts';
import { Button, Failure, ModalDialog, Skeleton } from '../../ui/index.ts';
import { RollbackPlan } from './rollback-dialog.tsx';

interface RollbackToLastProps {
  readonly id: ApplicationId;
  /** What is deployed now. */
  readonly revision: string | undefined;
  readonly onClose: () => void;
}

/** The newest deployment that went well with another revision than the one in trouble. */
export const lastGood = (deployments: readonly DeploymentRow[], revision: string | undefined) =>
  deployments.find((row) => row.phase === 'Succeeded' && row.historyId !== undefined && row.revision !== revision);

/** Back to what was deployed before; which that is, the history knows. */
export function RollbackToLast({ id, revision, onClose }: RollbackToLastProps) {
  const { data, error, refetch } = useInfiniteQuery(deploymentsQuery(useApi(), id));
  const deployment =
    data &&
    lastGood(
      data.pages.flatMap(({ items }) => items),
      revision,
    );
  return (
    <ModalDialog title={`Roll back ${id.name}`} isOpen onClose={onClose}>
      {deployment?.historyId === undefined ? (
        <div className="flex flex-col gap-4 text-sm">
          {data ? (
            <p>
              There is nothing to go back to: no deployment of another revision is known to have gone well. Revert the
              commit in Git, or mend it with another one.
            </p>
          ) : error ? (
            <Failure what="the deployments" error={error} onRetry={() => void refetch()} />
          ) : (
            <Skeleton className="h-16" />
          )}
          <Button className="self-end" onPress={onClose}>
            Close
          </Button>
        </div>
      ) : (
        <RollbackPlan {...{ id, deployment, onClose }} historyId={deployment.historyId} />
      )}
    </ModalDialog>
  );
}
