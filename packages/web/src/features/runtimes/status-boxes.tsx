import type { ClusterRow, GitSourceRow, RuntimeRow } from '@fairlead/contracts';
import { CircleAlert, CircleCheck, TriangleAlert } from 'lucide-react';
import { classNames } from '../../ui/index.ts';

interface StatusBoxesProps {
  readonly runtime: RuntimeRow;
  readonly clusters: readonly ClusterRow[];
  readonly gitSources: readonly GitSourceRow[];
}

const looks = {
  good: { icon: CircleCheck, color: 'text-healthy' },
  warning: { icon: TriangleAlert, color: 'text-missing' },
  bad: { icon: CircleAlert, color: 'text-degraded' },
} as const;

/** The runtime at a glance; each box leads to what is behind it. */
export function StatusBoxes({ runtime, clusters, gitSources }: StatusBoxesProps) {
  const components = runtime.report?.components ?? [];
  const badComponents = components.filter(({ health }) => health !== 'Healthy').length;
  const badSources = gitSources.filter(({ sync, health }) => sync !== 'Synced' || health === 'Degraded').length;
  const badClusters = clusters.filter(({ status }) => status === 'Failed').length;
  const boxes = [
    {
      ...{ to: 'connectivity', title: 'Connectivity', words: runtime.status },
      look:
        runtime.status === 'connected'
          ? ('good' as const)
          : runtime.status === 'pending'
            ? ('warning' as const)
            : ('bad' as const),
    },
    {
      to: 'components',
      title: 'Components',
      words: share(badComponents, components.length),
      look: lookOf(badComponents),
    },
    { to: 'git-sources', title: 'Git Sources', words: share(badSources, gitSources.length), look: lookOf(badSources) },
    { to: 'clusters', title: 'Clusters', words: share(badClusters, clusters.length), look: lookOf(badClusters) },
  ];
  return (
    <ul className="grid grid-cols-2 gap-3 lg:grid-cols-4">
      {boxes.map(({ to, title, words, look }) => {
        const { icon: Icon, color } = looks[look];
        return (
          <li key={to}>
            <a
              href={`#${to}`}
              className="block rounded-lg border border-line bg-surface px-4 py-3 hover:border-line-strong"
            >
              <span className="text-xs text-muted">{title}</span>
              <span className={classNames('mt-0.5 flex items-center gap-2 text-lg font-semibold', color)}>
                <Icon size={16} aria-hidden /> {words}
              </span>
            </a>
          </li>
        );
      })}
    </ul>
  );
}

const lookOf = (bad: number) => (bad > 0 ? ('bad' as const) : ('good' as const));
const share = (bad: number, all: number): string =>
  bad > 0 ? `${bad} of ${all} not well` : all === 0 ? 'none' : all === 1 ? '1, well' : `all ${all} well`;
