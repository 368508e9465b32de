import type { RuntimeRow } from '@fairlead/contracts';
import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { keys } from '../../api/index.ts';
import { useApi, useChange, useNow } from '../../services/index.ts';
import { Button, ConfirmDialog, Notice } from '../../ui/index.ts';
import { momentWords } from '../../words/index.ts';

interface PendingRuntimeProps {
  readonly runtime: RuntimeRow;
  /** The wizard is the page's: it stays when the runtime has come. */
  readonly onInstall: () => void;
}

/** A runtime that was made known and did not come yet: its token, and the ways on and back. */
export function PendingRuntime({ runtime, onInstall }: PendingRuntimeProps) {
  const api = useApi();
  const now = useNow(1000);
  const revoke = useChange(() => api.call('revokeRuntime', { params: { runtime: runtime.name } }), [keys.runtimes]);
  const endsAt = runtime.installTokenExpiresAt;
  const isOver = endsAt !== undefined && Date.parse(endsAt) <= now;
  const words =
    endsAt === undefined ? 'It has no install token.' : isOver ? 'Its install token has expired.' : undefined;
  return (
    <Notice
      kind="warning"
      title={`${runtime.name} did not register yet.`}
      actions={
        <>
          <Button kind="primary" onPress={onInstall}>
            New install token…
          </Button>
          {endsAt && !isOver ? (
            <Button isPending={revoke.isPending} onPress={() => revoke.mutate(undefined)}>
              Revoke the token
            </Button>
          ) : null}
          <ForgetRuntime runtime={runtime} />
        </>
      }
    >
      {words ?? `Its install token works until ${momentWords(endsAt ?? '')}.`} The command that takes it was shown once;
      a new token makes a new command, and the older one stops working.
    </Notice>
  );
}

/** Of one that is away for good: what the platform knows of it goes, its cluster is not touched. */
export function ForgetRuntime({ runtime }: { readonly runtime: RuntimeRow }) {
  const api = useApi();
  const navigate = useNavigate();
  const [isAsked, setAsked] = useState(false);
  const { name, applications } = runtime;
  const forget = useChange(() => api.call('deleteRuntime', { params: { runtime: name } }), [keys.runtimes]);
  return (
    <>
      <Button kind="danger" onPress={() => setAsked(true)}>
        Forget it…
      </Button>
      {isAsked ? (
        <ConfirmDialog
          title={`Forget runtime ${name}`}
          verb="Forget"
          typed={name}
          isPending={forget.isPending}
          error={forget.error}
          onClose={() => setAsked(false)}
          onConfirm={() => forget.mutate(undefined, { onSuccess: () => void navigate({ to: '/runtimes' }) })}
        >
          <p>
            The platform forgets it and what it reported of {applications}{' '}
            {applications === 1 ? 'application' : 'applications'}, with their past. What runs in its cluster stays; if
            the runtime comes back, it is refused.
          </p>
        </ConfirmDialog>
      ) : null}
    </>
  );
}
