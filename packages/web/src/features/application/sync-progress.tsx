import type { ResourceResult } from '@fairlead/contracts';
import { CircleCheck, LoaderCircle } from 'lucide-react';
import { Button, Notice } from '../../ui/index.ts';
import { counted } from '../../words/index.ts';
import type { Followed } from './sync-preview.ts';

interface SyncProgressProps {
  readonly followed: Followed;
  readonly onClose: () => void;
}

/** What the engine reports while it works, and how it ended. Closing the dialog stops nothing. */
export function SyncProgress({ followed, onClose }: SyncProgressProps) {
  const results = followed.stage === 'waiting' ? [] : followed.operation.results;
  return (
    <div className="flex flex-col gap-4">
      <Outcome followed={followed} />
      {results.length > 0 ? (
        <ul aria-label="Results" className="max-h-64 overflow-y-auto rounded-md border border-line text-sm">
          {results.map((result) => (
            <Result key={`${result.group}/${result.kind}/${result.namespace}/${result.name}`} result={result} />
          ))}
        </ul>
      ) : null}
      <div className="flex items-center justify-end gap-3">
        {followed.stage === 'finished' ? null : (
          <span className="text-xs text-muted">You can close this; the page shows how it goes on.</span>
        )}
        <Button kind={followed.stage === 'finished' ? 'primary' : 'plain'} onPress={onClose}>
          {followed.stage === 'finished' ? 'Done' : 'Close'}
        </Button>
      </div>
    </div>
  );
}

function Outcome({ followed }: { readonly followed: Followed }) {
  if (followed.stage === 'waiting') return <Working words="Accepted. Waiting for the runtime to begin…" />;
  const { phase, message, results } = followed.operation;
  if (followed.stage === 'running') {
    return (
      <Working words={`${phase}, ${counted(results.length, 'resource')} so far${message ? `: ${message}` : '…'}`} />
    );
  }
  if (phase === 'Succeeded') {
    return (
      <p role="status" className="flex items-center gap-2">
        <CircleCheck size={18} aria-hidden className="shrink-0 text-healthy" />
        <span>
          <b className="font-semibold">Succeeded.</b> {message}
        </span>
      </p>
    );
  }
  return (
    <Notice kind="error" title={`The synchronization ended as ${phase}.`}>
      <span className="font-mono text-xs whitespace-pre-wrap">{message ?? 'No reason was given.'}</span>
    </Notice>
  );
}

function Working({ words }: { readonly words: string }) {
  return (
    <p role="status" className="flex items-center gap-2">
      <LoaderCircle size={18} aria-hidden className="shrink-0 text-progressing turn" />
      <span>{words}</span>
    </p>
  );
}

function Result({ result: { kind, name, status, message, hookPhase } }: { readonly result: ResourceResult }) {
  const isBad = status === 'SyncFailed' || hookPhase === 'Failed' || hookPhase === 'Error';
  return (
    <li className="flex min-h-8 flex-wrap items-center gap-x-2 border-b border-line px-3 py-1 last:border-b-0">
      <span className="font-medium">
        {kind} {name}
      </span>
      <span className={isBad ? 'font-semibold text-degraded' : 'text-muted'}>{status ?? hookPhase}</span>
      {message ? <span className="min-w-0 basis-full text-xs break-words text-muted">{message}</span> : null}
    </li>
  );
}
