import type { GitSourceRow } from '@fairlead/contracts';
import { useState } from 'react';
import { keys } from '../../api/index.ts';
import { useApi, useChange } from '../../services/index.ts';
import { Button, ConfirmDialog } from '../../ui/index.ts';
import { counted } from '../../words/index.ts';
import { GitSourceDialog } from './git-source-dialog.tsx';

/** For administrators: a Git Source decides what is deployed. */
export function GitSourceActions({ row }: { readonly row: GitSourceRow }) {
  const api = useApi();
  const [open, setOpen] = useState<'edit' | 'remove'>();
  const { runtime, name, applications } = row;
  const remove = useChange(
    () => api.call('deleteGitSource', { params: { runtime, gitSource: name } }),
    [keys.gitSources, keys.setup],
  );
  const close = () => setOpen(undefined);
  return (
    <span className="flex justify-end gap-2">
      <Button className="h-7!" aria-label={`Edit Git Source ${name}`} onPress={() => setOpen('edit')}>
        Edit…
      </Button>
      <Button className="h-7!" kind="danger" aria-label={`Remove Git Source ${name}`} onPress={() => setOpen('remove')}>
        Remove…
      </Button>
      {open === 'edit' ? <GitSourceDialog row={row} onClose={close} /> : null}
      {open === 'remove' ? (
        <ConfirmDialog
          title={`Remove Git Source ${name}`}
          verb="Commit and remove"
          isPending={remove.isPending}
          error={remove.error}
          onClose={close}
          onConfirm={() => remove.mutate(undefined, { onSuccess: close })}
        >
          <p>
            Its file leaves the Shared Configuration Repository of {runtime}. {counted(applications, 'application')}{' '}
            from it go on as they are, and no longer follow its repository.
          </p>
        </ConfirmDialog>
      ) : null}
    </span>
  );
}
