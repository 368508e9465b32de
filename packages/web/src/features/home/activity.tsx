import { Link } from '@tanstack/react-router';
import { DayBars, fillDays, Panel, Skeleton } from '../../ui/index.ts';
import { counted, visibleText } from '../../words/index.ts';
import type { ActiveApplication, Figures } from './figures.ts';

interface ActivityProps {
  readonly figures: Figures | undefined;
  readonly days: number;
  readonly nowMs: number;
}

export function Activity({ figures, days, nowMs }: ActivityProps) {
  return (
    <div className="grid gap-4 lg:grid-cols-[2fr_1fr]">
      <Panel title="Deployments per day">
        {figures ? (
          <DayBars
            label={`Deployments of the last ${days} days`}
            days={fillDays(figures.days, nowMs, days)}
            className="h-44"
          />
        ) : (
          <Skeleton className="h-44" />
        )}
      </Panel>
      <Panel title="Most active applications">
        {figures ? <MostActive applications={figures.mostActive} /> : <Skeleton className="h-32" />}
      </Panel>
    </div>
  );
}

function MostActive({ applications }: { readonly applications: readonly ActiveApplication[] }) {
  const most = applications[0]?.total ?? 1;
  if (applications.length === 0) return <p className="text-sm text-muted">Nothing was deployed in this time.</p>;
  return (
    <ol className="flex flex-col gap-2 text-sm">
      {applications.map(({ id, total, failed }) => (
        <li
          key={`${id.runtime}/${id.name}`}
          className="grid grid-cols-[minmax(0,1fr)_minmax(0,1fr)_auto] items-center gap-3"
        >
          <Link
            to="/applications/$runtime/$namespace/$name"
            params={id}
            title={`in runtime ${id.runtime}`}
            className="truncate hover:text-accent hover:underline"
          >
            {visibleText(id.name)}
          </Link>
          <span aria-hidden className="flex h-2 gap-0.5">
            <span className="rounded-sm bg-healthy" style={{ width: `${((total - failed) / most) * 100}%` }} />
            <span className="rounded-sm bg-degraded" style={{ width: `${(failed / most) * 100}%` }} />
          </span>
          <span className="text-right text-muted" title={`${counted(total, 'deployment')}, ${failed} failed`}>
            {total}
          </span>
        </li>
      ))}
    </ol>
  );
}
