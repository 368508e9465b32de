import type { RuntimeRow } from '@fairlead/contracts';
import { Link } from '@tanstack/react-router';
import { useEffect, useState } from 'react';
import { keys } from '../../api/index.ts';
import { useApi, useChange, useClock } from '../../services/index.ts';
import { Button, CopyLine, Notice, StepList } from '../../ui/index.ts';
import { momentWords } from '../../words/index.ts';
import { installCommand, installSteps, type Place, whatToDo } from './install-command.ts';

interface InstallingProps {
  readonly name: string;
  readonly place: Place;
  readonly besideArgoCd: boolean;
  /** None for an embedded runtime: the command has the rights of the machine's own key. */
  readonly token: string | undefined;
  readonly expiresAt: string | undefined;
  readonly runtime: RuntimeRow | undefined;
  readonly onClose: () => void;
  /** It has come. */
  readonly onDone: () => void;
}

/** Then it is said what usually stands in the way. */
const patienceMs = 60_000;

export function Installing({ name, place, besideArgoCd, token, expiresAt, runtime, onClose, onDone }: InstallingProps) {
  const api = useApi();
  const isLate = useLate(patienceMs);
  const platformUrl = location.origin;
  const revoke = useChange(() => api.call('revokeRuntime', { params: { runtime: name } }), [keys.runtimes]);
  const isThere = runtime?.status === 'connected' && runtime.report !== undefined;
  if (revoke.isSuccess) {
    return (
      <div className="flex flex-col gap-4 text-sm">
        <Notice kind="info" title="The install token was revoked.">
          The command does not work any more. A new one can be made from the page of the runtime.
        </Notice>
        <CloseLine onClose={onClose} />
      </div>
    );
  }
  return (
    <div className="flex flex-col gap-4 text-sm">
      {isThere ? null : (
        <div className="flex flex-col gap-2">
          <p>
            {place === 'embedded'
              ? 'Run this on the machine of this platform:'
              : 'Run this where the kubeconfig of the cluster is; it asks which context you mean:'}
          </p>
          <CopyLine value={installCommand({ name, place, besideArgoCd, platformUrl, token })} />
          {expiresAt ? (
            <p className="text-xs text-muted">
              The token in it is shown only now, works once and ends on {momentWords(expiresAt)}. The components run on
              the machine where the command is run, also when it has ended; the applications run in the cluster.
            </p>
          ) : null}
        </div>
      )}
      <div aria-live="polite" className="rounded-md border border-line bg-bg px-3 py-2">
        <StepList steps={installSteps(runtime)} />
        <p className="mt-1.5 text-muted">{isThere ? `Runtime ${name} is connected.` : 'Waiting for the runtime…'}</p>
      </div>
      {isLate && !isThere ? (
        <Notice kind="warning" title={`${name} did not come within a minute.`}>
          <ul className="list-disc pl-4">
            {whatToDo(runtime, { place, platformUrl }).map((line) => (
              <li key={line}>{line}</li>
            ))}
          </ul>
        </Notice>
      ) : null}
      {revoke.error ? (
        <Notice kind="error" title="The token was not revoked.">
          {revoke.error.message}
        </Notice>
      ) : null}
      {isThere ? (
        <Connected name={name} onDone={onDone} />
      ) : (
        <div className="flex flex-wrap justify-end gap-2">
          {token && runtime?.status === 'pending' ? (
            <Button kind="danger" isPending={revoke.isPending} onPress={() => revoke.mutate(undefined)}>
              Revoke the token
            </Button>
          ) : null}
          <Button onPress={onClose}>Close</Button>
        </div>
      )}
    </div>
  );
}

function Connected({ name, onDone }: { readonly name: string; readonly onDone: () => void }) {
  return (
    <div className="flex flex-wrap items-center justify-end gap-3">
      <Link to="/settings/$section" params={{ section: 'git-tokens' }} className="text-accent underline">
        Give it your Git token
      </Link>
      <Button kind="primary" onPress={onDone}>
        View runtime {name}
      </Button>
    </div>
  );
}

const CloseLine = ({ onClose }: { readonly onClose: () => void }) => (
  <div className="flex justify-end">
    <Button onPress={onClose}>Close</Button>
  </div>
);

/** True from then on; a clock that the server sets right does not take it back. */
function useLate(afterMs: number): boolean {
  const clock = useClock();
  const [isLate, setLate] = useState(false);
  useEffect(() => clock.after(afterMs, () => setLate(true)), [clock, afterMs]);
  return isLate;
}
