import { type ClusterRow, inClusterServer } from '@fairlead/contracts';
import { useState } from 'react';
import { keys } from '../../api/index.ts';
import { useApi, useChange } from '../../services/index.ts';
import { Button, ConfirmDialog } from '../../ui/index.ts';
import { counted } from '../../words/index.ts';

/** The runtime's own cluster stays: it is where the runtime lives. */
export function RemoveCluster({ row }: { readonly row: ClusterRow }) {
  const api = useApi();
  const [isOpen, setOpen] = useState(false);
  const { runtime, name, applications, server } = row;
  const remove = useChange(
    () => api.call('removeCluster', { params: { runtime, cluster: name } }),
    [keys.clusters, keys.setup],
  );
  if (server === inClusterServer) return null;
  return (
    <>
      <Button className="h-7!" kind="danger" aria-label={`Remove cluster ${name}`} onPress={() => setOpen(true)}>
        Remove…
      </Button>
      {isOpen ? (
        <ConfirmDialog
          title={`Remove cluster ${name}`}
          verb="Remove"
          isPending={remove.isPending}
          error={remove.error}
          onClose={() => setOpen(false)}
          onConfirm={() => remove.mutate(undefined, { onSuccess: () => setOpen(false) })}
        >
          <p>
            {runtime} no longer deploys to it. {counted(applications, 'application')} there keep running as they are;
            nothing is deleted in the cluster.
          </p>
        </ConfirmDialog>
      ) : null}
    </>
  );
}
