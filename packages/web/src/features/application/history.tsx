import type { ApplicationDetail, RevisionHistory } from '@fairlead/contracts';
import { useNow } from '../../services/index.ts';
import { Empty } from '../../ui/index.ts';
import { ageOf, firstLine, shortAge, shortRevision } from '../../words/index.ts';

/** Deployments, the newest first. */
export function History({ detail }: { readonly detail: ApplicationDetail }) {
  const now = useNow(10_000);
  const deployments = detail.report.history.toSorted((a, b) => b.id - a.id);
  if (deployments.length === 0) {
    return (
      <div className="rounded-lg border border-line bg-surface">
        <Empty title="Nothing was deployed yet">
          <p>The first synchronization that succeeds stands here.</p>
        </Empty>
      </div>
    );
  }
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard
    <section aria-label="Deployments" tabIndex={0} className="overflow-x-auto rounded-lg border border-line bg-surface">
      <table className="w-full text-sm">
        <caption className="sr-only">Deployments, the newest first</caption>
        <thead>
          <tr className="border-b border-line text-left text-xs text-faint">
            {['Revision', 'Commit', 'When', 'Took', 'By', 'Source'].map((title) => (
              <th key={title} scope="col" className="h-9 px-3 font-normal whitespace-nowrap">
                {title}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {deployments.map((deployment, i) => (
            <Deployment key={deployment.id} {...{ deployment, detail }} nowMs={now} isCurrent={i === 0} />
          ))}
        </tbody>
      </table>
    </section>
  );
}

interface DeploymentProps {
  readonly deployment: RevisionHistory;
  readonly detail: ApplicationDetail;
  readonly nowMs: number;
  readonly isCurrent: boolean;
}

function Deployment({ deployment, detail, nowMs, isCurrent }: DeploymentProps) {
  const { revision, deployedAt, deployStartedAt, initiatedBy, source } = deployment;
  const commit = detail.row.commit?.revision === revision ? detail.row.commit : undefined;
  const age = ageOf(deployedAt, nowMs);
  const took = deployStartedAt ? Date.parse(deployedAt) - Date.parse(deployStartedAt) : undefined;
  return (
    <tr className="border-b border-line whitespace-nowrap last:border-b-0">
      <td className="h-9 px-3 font-mono text-xs" title={revision}>
        {shortRevision(revision)}
        {isCurrent ? (
          <span className="ml-2 rounded bg-accent-weak px-1.5 py-0.5 font-sans text-accent">current</span>
        ) : null}
      </td>
      <td className="max-w-96 truncate px-3">{commit?.message ? firstLine(commit.message) : ''}</td>
      <td className="px-3" title={deployedAt}>
        {age === undefined ? deployedAt : `${shortAge(age)} ago`}
      </td>
      <td className="px-3 text-muted">
        {took === undefined || Number.isNaN(took) ? '' : took < 1000 ? 'under 1 s' : shortAge(took)}
      </td>
      <td className="px-3 text-muted">{initiatedBy?.automated ? 'auto-sync' : (initiatedBy?.username ?? '')}</td>
      <td className="px-3 text-muted">{[source?.path, source?.targetRevision].filter(Boolean).join(' at ')}</td>
    </tr>
  );
}
