import type { ApplicationDetail } from '@fairlead/contracts';
import { LoaderCircle } from 'lucide-react';
import { Notice } from '../../ui/index.ts';
import { ageOf, counted, shortAge } from '../../words/index.ts';
import { isRunning } from './sync-preview.ts';

interface OperationStripProps {
  readonly detail: ApplicationDetail;
  readonly nowMs: number;
}

/** The operation that runs, or the failure of the last one in the words of who refused. */
export function OperationStrip({ detail: { row, report }, nowMs }: OperationStripProps) {
  const operation = row.operation;
  if (!operation) return null;
  if (operation.phase === 'Failed' || operation.phase === 'Error') {
    return (
      <Notice kind="error" title="The last synchronization failed.">
        <span className="font-mono text-xs whitespace-pre-wrap">{operation.message ?? 'No reason was given.'}</span>
      </Notice>
    );
  }
  if (!isRunning(operation)) return null;
  const age = ageOf(operation.startedAt, nowMs) ?? 0;
  const done = report.operation?.startedAt === operation.startedAt ? report.operation.results.length : 0;
  return (
    <p role="status" className="flex items-center gap-2 rounded-lg bg-progressing-weak px-3 py-2 text-sm">
      <LoaderCircle size={16} aria-hidden className="shrink-0 text-progressing turn" />
      <span className="min-w-0">
        <b className="font-semibold">
          {operation.phase === 'Terminating' ? 'Terminating' : 'Synchronizing'} for {shortAge(age)}
        </b>
        {done > 0 ? `, ${counted(done, 'resource')} so far` : ''}
        {operation.message ? `: ${operation.message}` : ''}
      </span>
    </p>
  );
}
