import type { ApplicationPreview } from '@fairlead/contracts';
import { CircleAlert, CircleCheck, TriangleAlert } from 'lucide-react';
import { counted } from '../../words/index.ts';

interface ProblemsProps {
  readonly preview: ApplicationPreview | undefined;
  readonly isPending: boolean;
}

/** What is wrong, by field, and what would be deployed. */
export function Problems({ preview, isPending }: ProblemsProps) {
  if (!preview) return <p className="text-sm text-muted">{isPending ? 'Checking…' : ''}</p>;
  const { problems, manifests } = preview;
  return (
    <div aria-live="polite" className="flex flex-col gap-2 text-sm">
      {problems.length === 0 ? (
        <p className="flex items-center gap-2 text-healthy">
          <CircleCheck size={14} aria-hidden /> Nothing is wrong with it.
        </p>
      ) : (
        <ul aria-label="Problems" className="flex flex-col gap-1.5">
          {problems.map(({ field, reason, remedy, severity, line }) => {
            const Icon = severity === 'error' ? CircleAlert : TriangleAlert;
            return (
              <li key={`${field} ${reason}`} className="flex gap-2">
                <Icon
                  size={14}
                  aria-hidden
                  className={severity === 'error' ? 'mt-0.5 shrink-0 text-degraded' : 'mt-0.5 shrink-0 text-missing'}
                />
                <span className="min-w-0 break-words">
                  {field ? <b className="font-mono text-xs">{field}</b> : null}
                  {line ? <span className="text-muted"> (line {line})</span> : null} {reason}
                  {remedy ? <span className="block text-muted">{remedy}</span> : null}
                </span>
              </li>
            );
          })}
        </ul>
      )}
      {manifests ? (
        <details className="rounded-md border border-line px-3 py-2">
          <summary className="cursor-pointer font-medium">
            {counted(manifests.length, 'resource')} would be deployed
          </summary>
          <ul className="mt-1 max-h-48 overflow-y-auto text-muted">
            {manifests.map((manifest) => (
              <li key={JSON.stringify([manifest['kind'], manifest['metadata']])}>{titleOf(manifest)}</li>
            ))}
          </ul>
        </details>
      ) : null}
    </div>
  );
}

function titleOf(manifest: Readonly<Record<string, unknown>>): string {
  const { name } = (manifest['metadata'] ?? {}) as { name?: unknown };
  return `${String(manifest['kind'])} ${String(name ?? '')}`;
}
