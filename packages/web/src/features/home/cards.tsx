import type { RuntimeRow } from '@fairlead/contracts';
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { Skeleton } from '../../ui/index.ts';
import { formatCount } from '../../words/index.ts';
import { changeWords, type Figures } from './figures.ts';

interface CardsProps {
  readonly runtimes: readonly RuntimeRow[] | undefined;
  readonly figures: Figures | undefined;
  readonly days: number;
  /** Older deployments were not counted: there are too many. */
  readonly isCut: boolean;
}

export function Cards({ runtimes, figures, days, isCut }: CardsProps) {
  const clusters = runtimes?.flatMap(({ report }) => report?.clusters ?? []);
  const offline = runtimes?.filter(({ status }) => status !== 'connected').map(({ name }) => name) ?? [];
  const failed = clusters?.filter(({ status }) => status === 'Failed').map(({ name }) => name) ?? [];
  const change = figures && changeWords(figures.now.total, figures.before.total);
  return (
    <dl className="grid grid-cols-2 gap-3 sm:gap-4 lg:grid-cols-4">
      <Card title="Runtimes" value={runtimes && <Link to="/runtimes">{formatCount(runtimes.length)}</Link>}>
        {offline.length === 0 ? 'all connected' : `not connected: ${offline.join(', ')}`}
      </Card>
      <Card title="Clusters" value={clusters && formatCount(clusters.length)}>
        {failed.length === 0 ? 'all reachable' : `not reachable: ${failed.join(', ')}`}
      </Card>
      <Card title="Deployments" value={figures && `${isCut ? 'over ' : ''}${formatCount(figures.now.total)}`}>
        {change ? `${change} the ${days} days before` : `in the last ${days} days`}
      </Card>
      <Card title="Change failure rate" value={figures && rateOf(figures.now)}>
        {figures && figures.now.total > 0
          ? `${figures.now.failed} of ${figures.now.total}${figures.before.total > 0 ? `, was ${rateOf(figures.before)}` : ''}`
          : 'nothing deployed'}
      </Card>
    </dl>
  );
}

const rateOf = ({ total, failed }: Figures['now']): string =>
  total === 0 ? '–' : `${((failed / total) * 100).toFixed(1)} %`;

interface CardProps {
  readonly title: string;
  readonly value: ReactNode;
  readonly children: ReactNode;
}

function Card({ title, value, children }: CardProps) {
  return (
    <div className="min-w-0 rounded-lg border border-line bg-surface px-4 py-3">
      <dt className="text-xs text-muted">{title}</dt>
      <dd className="mt-0.5 text-2xl leading-8 font-semibold">
        {value ?? <Skeleton className="my-2 h-5 w-12" />}
        {/* Nothing is said of what has not come yet, least of all that it is well; the line keeps its height. */}
        <span className="block min-h-5 truncate text-xs leading-5 font-normal text-muted">
          {value === undefined ? null : children}
        </span>
      </dd>
    </div>
  );
}
