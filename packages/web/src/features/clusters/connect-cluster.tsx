import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { runtimesQuery } from '../../api/index.ts';
import { useApi } from '../../services/index.ts';
import { Choice, CopyLine, ModalDialog } from '../../ui/index.ts';

/**
 * The command that connects a cluster. It runs where the kubeconfig is: this browser has no way to the cluster, and its
 * credentials must not pass through it.
 */
export function ConnectCluster({ onClose }: { readonly onClose: () => void }) {
  const { data: runtimes = [] } = useQuery(runtimesQuery(useApi()));
  const [chosen, setChosen] = useState<string>();
  const runtime = chosen ?? runtimes.find(({ status }) => status === 'connected')?.name ?? '';
  return (
    <ModalDialog title="Connect a cluster" isOpen onClose={onClose}>
      <div className="flex flex-col gap-4 text-sm">
        {runtimes.length > 1 ? (
          <Choice
            label="Runtime that deploys to it"
            value={runtime}
            options={runtimes.map(({ name }) => ({ value: name, label: name }))}
            onChange={setChosen}
          />
        ) : null}
        <ConnectCommand runtime={runtime} />
        <p className="text-muted">
          It shows up here as soon as the runtime has reached it. With <code>--dry-run</code> the command only says what
          it would do, with <code>--least-rights</code> the runtime may not do everything in the cluster.
        </p>
      </div>
    </ModalDialog>
  );
}

export function ConnectCommand({ runtime }: { readonly runtime: string }) {
  return (
    <div className="flex flex-col gap-2">
      <p>
        Run this where your kubeconfig is; it asks which context you mean, makes a service account there, and gives its
        token, sealed, to the runtime:
      </p>
      <CopyLine value={`npx fairlead cluster add${runtime ? ` ${runtime}` : ''}`} />
    </div>
  );
}
