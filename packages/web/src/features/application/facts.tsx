import type { ApplicationDetail } from '@fairlead/contracts';
import type { ReactNode } from 'react';
import { classNames, SafeLink } from '../../ui/index.ts';
import { ageOf, authorName, firstLine, lastChange, shortAgo, shortRevision } from '../../words/index.ts';

interface FactsProps {
  readonly detail: ApplicationDetail;
  readonly nowMs: number;
}

export function Facts({ detail, nowMs }: FactsProps) {
  const { row, report } = detail;
  const { sync, destination } = row;
  const commit = lastChange(row);
  const isAhead = commit !== undefined && sync.revision !== undefined && commit.revision !== sync.revision;
  const commitAge = ageOf(commit?.date, nowMs);
  const author = authorName(commit?.author);
  return (
    <dl className="flex flex-wrap gap-x-9 gap-y-2 text-sm max-sm:grid max-sm:grid-cols-2 max-sm:gap-x-4">
      <Fact title="Sync">
        <SyncFact sync={sync.status} />
      </Fact>
      <Fact title={isAhead ? 'Last change' : 'Revision'} isWide>
        {commit ? <span className="font-mono text-xs">{shortRevision(commit.revision)}</span> : 'none yet'}{' '}
        {commit?.message ? <span title={commit.message}>{firstLine(commit.message)}</span> : null}
        {commit?.url ? <SafeLink url={commit.url} label="Open the commit" /> : null}
      </Fact>
      {author ? (
        <Fact title="By">
          {author}
          {commitAge === undefined ? '' : `, ${shortAgo(commitAge)}`}
        </Fact>
      ) : null}
      {isAhead && sync.revision ? (
        <Fact title="Branch is at">
          <span className="font-mono text-xs" title="Later commits did not change this application.">
            {shortRevision(sync.revision)}
          </span>
        </Fact>
      ) : null}
      <Fact title="Target">
        {destination.cluster} / {destination.namespace}
      </Fact>
      <Fact title="Source" isWide className="max-2xl:hidden">
        {sourceWords(row.repoUrl)} {row.path ? <span className="text-muted">{row.path}</span> : null}
      </Fact>
      <Fact title="Auto-sync">{autoSyncWords(report.spec.syncPolicy?.automated)}</Fact>
      <Fact title="Last operation">
        <LastOperation operation={row.operation} nowMs={nowMs} />
      </Fact>
    </dl>
  );
}

interface FactProps {
  readonly title: string;
  readonly isWide?: boolean;
  readonly className?: string;
  readonly children: ReactNode;
}

function Fact({ title, isWide = false, className, children }: FactProps) {
  return (
    <div className={classNames('min-w-0', isWide ? 'max-w-[340px]' : 'max-w-[240px]', className)}>
      <dt className="text-xs text-faint">{title}</dt>
      <dd className="mt-0.5 truncate">{children}</dd>
    </div>
  );
}

function SyncFact({ sync }: { readonly sync: ApplicationDetail['row']['sync']['status'] }) {
  const [words, color] =
    sync === 'Synced'
      ? ['Synced', 'text-healthy']
      : sync === 'OutOfSync'
        ? ['Out of sync', 'text-missing']
        : ['Unknown', 'text-unknown'];
  return <span className={classNames('font-semibold', color)}>{words}</span>;
}

function LastOperation({
  operation,
  nowMs,
}: {
  readonly operation: ApplicationDetail['row']['operation'];
  readonly nowMs: number;
}) {
  if (!operation) return <span className="text-muted">none yet</span>;
  const age = ageOf(operation.finishedAt ?? operation.startedAt, nowMs);
  const isBad = operation.phase === 'Failed' || operation.phase === 'Error';
  return (
    <span title={operation.message}>
      <span className={isBad ? 'font-semibold text-degraded' : ''}>{operation.phase}</span>
      {age === undefined ? '' : `, ${shortAgo(age)}`}
    </span>
  );
}

/** `http://127.0.0.1:3000/git/demo/guestbook.git` → `demo/guestbook`. */
export const sourceWords = (repoUrl: string): string =>
  repoUrl
    .replace(/\.git$/, '')
    .split(/[/:]/)
    .filter(Boolean)
    .slice(-2)
    .join('/');

export function autoSyncWords(
  automated: { readonly enabled?: boolean; readonly prune?: boolean; readonly selfHeal?: boolean } | undefined,
): string {
  if (!automated || automated.enabled === false) return 'off';
  return ['on', automated.prune && 'prune', automated.selfHeal && 'self-heal'].filter(Boolean).join(', ');
}
