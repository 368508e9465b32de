import type { ApplicationId } from '@fairlead/contracts';
import { RefreshCw, X } from 'lucide-react';
import { useState } from 'react';
import { Button, ModalDialog, Notice } from '../../ui/index.ts';
import { counted } from '../../words/index.ts';
import { type BulkOutcome, useBulk } from './use-bulk.ts';

interface BulkBarProps {
  readonly chosen: readonly ApplicationId[];
  readonly onClear: () => void;
}

/** Acts on the chosen applications. */
export function BulkBar({ chosen, onClear }: BulkBarProps) {
  const [isAsking, setAsking] = useState(false);
  const refresh = useBulk('refresh');
  const sync = useBulk('sync');
  return (
    <section
      aria-label="Chosen applications"
      className="sticky top-0 z-20 flex flex-wrap items-center gap-2 rounded-lg border border-accent bg-accent-weak px-3 py-1.5 text-sm"
    >
      <span role="status" className="font-semibold">
        {counted(chosen.length, 'application')} chosen
      </span>
      <Button className="h-7!" isPending={refresh.isPending} onPress={() => refresh.mutate(chosen)}>
        <RefreshCw size={13} aria-hidden className={refresh.isPending ? 'turn' : ''} /> Refresh
      </Button>
      <Button className="h-7!" kind="primary" onPress={() => setAsking(true)}>
        Synchronize…
      </Button>
      <Outcome verb="refreshed" outcome={refresh.data} />
      <Button kind="quiet" square className="ml-auto h-7!" aria-label="Choose none" onPress={onClear}>
        <X size={14} aria-hidden />
      </Button>
      {isAsking ? (
        <ModalDialog
          title={`Synchronize ${counted(chosen.length, 'application')}`}
          isOpen
          onClose={() => setAsking(false)}
        >
          <div className="flex flex-col gap-4 text-sm">
            <p>Each is brought to what Git says at its target revision. Nothing is pruned.</p>
            <ul className="max-h-60 overflow-y-auto rounded-md border border-line px-3 py-2">
              {chosen.map(({ runtime, namespace, name }) => (
                <li key={`${runtime}/${namespace}/${name}`} className="truncate">
                  {name} <span className="text-muted">in {runtime}</span>
                </li>
              ))}
            </ul>
            <Outcome verb="started" outcome={sync.data} />
            <div className="flex justify-end gap-2">
              <Button onPress={() => setAsking(false)}>{sync.data ? 'Close' : 'Cancel'}</Button>
              {sync.data ? null : (
                <Button kind="primary" isPending={sync.isPending} onPress={() => sync.mutate(chosen)}>
                  Synchronize
                </Button>
              )}
            </div>
          </div>
        </ModalDialog>
      ) : null}
    </section>
  );
}

function Outcome({ verb, outcome }: { readonly verb: string; readonly outcome: BulkOutcome | undefined }) {
  if (!outcome) return null;
  const { done, refused } = outcome;
  if (refused.length === 0) {
    return (
      <span role="status" className="text-healthy">
        {done} {verb}
      </span>
    );
  }
  return (
    <Notice kind="error" title={`${done} ${verb}, ${refused.length} refused.`}>
      {refused.slice(0, 5).map(({ id, reason }) => (
        <span key={`${id.runtime}/${id.name}`} className="block">
          {id.name}: {reason}
        </span>
      ))}
    </Notice>
  );
}
