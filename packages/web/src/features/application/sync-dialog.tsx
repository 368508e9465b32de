import type { ApplicationDetail } from '@fairlead/contracts';
import { useState } from 'react';
import { ModalDialog } from '../../ui/index.ts';
import { SyncForm, type SyncOptions } from './sync-form.tsx';
import { type Asked, followOperation, rememberLast } from './sync-preview.ts';
import { SyncProgress } from './sync-progress.tsx';
import { useActs } from './use-acts.ts';

interface SyncDialogProps {
  readonly detail: ApplicationDetail;
  readonly onClose: () => void;
}

/** First what will happen, then that it happens, until it is over. */
export function SyncDialog({ detail, onClose }: SyncDialogProps) {
  const { id } = detail.row;
  const { synchronize } = useActs(id);
  const [asked, setAsked] = useState<Asked>();
  const submit = ({ revision, prune, dryRun, force }: SyncOptions) => {
    const last = rememberLast(detail);
    synchronize.mutate(
      {
        ...(revision.trim() && { revision: revision.trim() }),
        ...(prune && { prune }),
        ...(dryRun && { dryRun }),
        ...(force && { force }),
      },
      { onSuccess: () => setAsked(last) },
    );
  };
  return (
    <ModalDialog title={`Synchronize ${id.name}`} isOpen onClose={onClose}>
      {asked ? (
        <SyncProgress followed={followOperation(asked, detail.report.operation)} onClose={onClose} />
      ) : (
        <SyncForm
          detail={detail}
          onSubmit={submit}
          onClose={onClose}
          isPending={synchronize.isPending}
          error={synchronize.error}
        />
      )}
    </ModalDialog>
  );
}
