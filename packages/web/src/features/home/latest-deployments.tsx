import type { DeploymentRow } from '@fairlead/contracts';
import { Link } from '@tanstack/react-router';
import { Panel, Skeleton, StatusGlyph } from '../../ui/index.ts';
import { ageOf, authorName, firstLine, shortAge, shortRevision, visibleText } from '../../words/index.ts';

interface LatestDeploymentsProps {
  /** Newest first. */
  readonly deployments: readonly DeploymentRow[] | undefined;
  readonly nowMs: number;
}

const shown = 8;
const healths = {
  Succeeded: 'Healthy',
  Failed: 'Degraded',
  Error: 'Degraded',
  Running: 'Progressing',
  Terminating: 'Progressing',
  Unknown: 'Unknown',
} as const;
const words = {
  Succeeded: 'succeeded',
  Failed: 'failed',
  Error: 'failed',
  Running: 'running',
  Terminating: 'being stopped',
  Unknown: 'end not seen',
} as const;

/** What went out last, whoever did it: the question that most people come with. */
export function LatestDeployments({ deployments, nowMs }: LatestDeploymentsProps) {
  if (deployments?.length === 0) return null;
  return (
    <Panel title="Latest deployments">
      {deployments ? (
        <ul className="-mx-2 -my-1 flex flex-col text-sm">
          {deployments.slice(0, shown).map((deployment) => (
            <Line key={deployment.id} deployment={deployment} nowMs={nowMs} />
          ))}
        </ul>
      ) : (
        <Skeleton className="h-32" />
      )}
    </Panel>
  );
}

function Line({ deployment, nowMs }: { readonly deployment: DeploymentRow; readonly nowMs: number }) {
  const { application, commit, revision, phase, startedAt, finishedAt } = deployment;
  const age = ageOf(finishedAt ?? startedAt, nowMs);
  return (
    <li>
      <Link
        to="/applications/$runtime/$namespace/$name"
        params={application}
        search={{ tab: 'timeline' }}
        className="grid grid-cols-[16px_minmax(0,1fr)_auto] items-center gap-x-3 rounded-md px-2 py-1.5 hover:bg-surface-2 sm:grid-cols-[16px_minmax(0,1fr)_minmax(0,2fr)_70px_minmax(0,8rem)_3rem]"
      >
        <StatusGlyph health={healths[phase]} silent />
        <span className="truncate font-medium">
          {visibleText(application.name)} <span className="sr-only">{words[phase]}</span>
        </span>
        <span className="truncate text-muted max-sm:order-last max-sm:col-span-2 max-sm:col-start-2">
          {commit?.message ? firstLine(commit.message) : ''}
        </span>
        <span className="font-mono text-xs text-muted max-sm:hidden">
          {shortRevision(commit?.revision ?? revision)}
        </span>
        <span className="truncate text-muted max-sm:hidden">{authorName(commit?.author)}</span>
        <span className="text-right text-xs text-muted">{age === undefined ? '' : shortAge(age)}</span>
      </Link>
    </li>
  );
}
