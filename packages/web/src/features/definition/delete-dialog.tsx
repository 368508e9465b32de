import type { ApplicationId, DeletionImpact } from '@fairlead/contracts';
import { useMutation, useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { deletionQuery } from '../../api/index.ts';
import { useApi } from '../../services/index.ts';
import { ConfirmDialog, Notice, Skeleton } from '../../ui/index.ts';
import { counted } from '../../words/index.ts';
import { GitFailure } from '../git-failure/index.ts';

/** What goes with the application, then the commit that removes it. */
export function DeleteDialog({ id, onClose }: { readonly id: ApplicationId; readonly onClose: () => void }) {
  const api = useApi();
  const navigate = useNavigate();
  const { data: impact, error } = useQuery(deletionQuery(api, id));
  const remove = useMutation({
    mutationFn: () =>
      api.call('deleteApplication', { params: id, query: impact ? { base: impact.definition.commit } : {} }),
    onSuccess: () => navigate({ to: '/applications' }),
  });
  // One dialog from the first moment: a second one in its place would not know where the focus was before.
  return (
    <ConfirmDialog
      title={`Delete ${id.name}`}
      verb="Commit and delete"
      isPending={remove.isPending}
      error={remove.error}
      onConfirm={() => remove.mutate()}
      onClose={onClose}
      isDisabled={!impact}
      {...(impact ? { typed: id.name } : {})}
    >
      {impact ? (
        <Impact impact={impact} />
      ) : error ? (
        <GitFailure what="what a deletion would do" error={error} />
      ) : (
        <Skeleton className="h-24" />
      )}
    </ConfirmDialog>
  );
}

function Impact({ impact }: { readonly impact: DeletionImpact }) {
  return (
    <>
      <Notice kind="warning" title={impact.summary}>
        A commit removes <span className="font-mono text-xs">{impact.definition.path}</span> from{' '}
        <span className="font-mono text-xs break-all">{impact.definition.repoURL}</span>.
      </Notice>
      {impact.resourcesGo ? (
        <details className="rounded-md border border-line px-3 py-2">
          <summary className="cursor-pointer">{counted(impact.resources.length, 'resource')} in the cluster</summary>
          <ul className="mt-1 max-h-40 overflow-y-auto text-muted">
            {impact.resources.map(({ kind, namespace, name }) => (
              <li key={`${kind}/${namespace}/${name}`}>
                {kind} {name}
              </li>
            ))}
          </ul>
        </details>
      ) : null}
    </>
  );
}
