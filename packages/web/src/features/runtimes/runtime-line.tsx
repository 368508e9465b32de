import type { RuntimeReport, RuntimeRow } from '@fairlead/contracts';
import { Link } from '@tanstack/react-router';
import { CircleCheck, CircleX, Clock, type LucideIcon } from 'lucide-react';
import { classNames, healthColor, StatusGlyph } from '../../ui/index.ts';
import { ageOf, formatCount, shortAgo } from '../../words/index.ts';

const statuses: Record<RuntimeRow['status'], { icon: LucideIcon; color: string }> = {
  connected: { icon: CircleCheck, color: 'text-healthy' },
  offline: { icon: CircleX, color: 'text-degraded' },
  pending: { icon: Clock, color: 'text-missing' },
};

const engineNames = { fairlead: 'Fairlead', 'argo-cd': 'Argo CD' } as const;

export function RuntimeLine({ runtime, nowMs }: { readonly runtime: RuntimeRow; readonly nowMs: number }) {
  const { name, kind, status, applications, lastHeardAt, report } = runtime;
  const { icon: Icon, color } = statuses[status];
  const age = ageOf(lastHeardAt, nowMs);
  return (
    <tr className="whitespace-nowrap">
      <th scope="row">
        <Link to="/runtimes/$runtime" params={{ runtime: name }} className="hover:text-accent hover:underline">
          {name}
        </Link>
      </th>
      <td>
        <span className={classNames('glyph-line font-medium', color)}>
          <Icon size={15} aria-hidden /> {status}
        </span>
      </td>
      <td className="text-muted">{kind}</td>
      <td className="font-mono text-xs leading-[20px] text-muted">{report?.version}</td>
      <td className="text-muted">{report ? `${engineNames[report.engine.kind]} ${report.engine.version}` : ''}</td>
      <td>
        <Components components={report?.components ?? []} />
      </td>
      <td>
        <Clusters clusters={report?.clusters ?? []} />
      </td>
      <td>
        <Link to="/applications" search={{ runtime: name }} className="text-accent underline-offset-2 hover:underline">
          {formatCount(applications)}
        </Link>
      </td>
      <td className="text-muted">{age === undefined ? 'never' : shortAgo(age)}</td>
    </tr>
  );
}

/** How many are well in a word; those that are not by name. */
function Components({ components }: { readonly components: RuntimeReport['components'] }) {
  const unwell = components.filter(({ health }) => health !== 'Healthy');
  if (components.length === 0) return null;
  if (unwell.length === 0) {
    return (
      <span className="glyph-line" title={components.map(({ name }) => name).join(', ')}>
        <StatusGlyph health="Healthy" size={14} silent /> all {components.length} well
      </span>
    );
  }
  return (
    <ul className="flex flex-col gap-1">
      {unwell.map(({ name, health, version, message }) => (
        <li key={name} className="glyph-line" title={`${version}${message ? `: ${message}` : ''}`}>
          <StatusGlyph health={health} size={14} />
          {name}
          {message && health !== 'Healthy' ? (
            <span className={classNames('max-w-60 truncate text-xs', healthColor[health])}>{message}</span>
          ) : null}
        </li>
      ))}
    </ul>
  );
}

const clusterHealth = { Successful: 'Healthy', Failed: 'Degraded', Unknown: 'Unknown' } as const;
const clusterWords = { Successful: 'reachable', Failed: 'not reachable', Unknown: 'not known' } as const;

function Clusters({ clusters }: { readonly clusters: RuntimeReport['clusters'] }) {
  return (
    <ul className="flex flex-col gap-1">
      {clusters.map(({ name, server, status, version, message }) => (
        <li key={name} className="glyph-line" title={message ?? server}>
          <StatusGlyph health={clusterHealth[status]} size={14} silent />
          {name} <span className="text-xs text-muted">{status === 'Successful' ? version : clusterWords[status]}</span>
        </li>
      ))}
    </ul>
  );
}
