import type { ClusterRow } from '@fairlead/contracts';
import { Link } from '@tanstack/react-router';
import { StatusGlyph } from '../../ui/index.ts';
import { formatCount, visibleText } from '../../words/index.ts';
import { RemoveCluster } from './remove-cluster.tsx';

export const clusterHealth = { Successful: 'Healthy', Failed: 'Degraded', Unknown: 'Unknown' } as const;
const words = { Successful: 'reachable', Failed: 'not reachable', Unknown: 'not known yet' } as const;
const colors = { Successful: 'text-healthy', Failed: 'text-degraded', Unknown: 'text-unknown' } as const;

export const clusterColumns = ['Name', 'Status', 'Server', 'Version', 'Labels', 'Runtime', 'Applications', '(Actions)'];

interface ClusterLineProps {
  readonly row: ClusterRow;
  readonly isAdmin?: boolean;
  /** On the page of its runtime, which need not be told again. */
  readonly isOfOneRuntime?: boolean;
}

export function ClusterLine({ row, isAdmin = false, isOfOneRuntime = false }: ClusterLineProps) {
  const { name, status, server, version, labels, runtime, applications, message } = row;
  return (
    <tr>
      <th scope="row">{visibleText(name)}</th>
      <td className={colors[status]}>
        <span className="glyph-line whitespace-nowrap">
          <StatusGlyph health={clusterHealth[status]} size={14} silent /> {words[status]}
        </span>
        {message ? <span className="block text-xs">{message}</span> : null}
      </td>
      <td className="font-mono text-xs text-muted">{server}</td>
      <td className="text-muted">{version}</td>
      <td className="text-xs text-muted">
        {Object.entries(labels)
          .map(([key, value]) => `${key}=${value}`)
          .join(', ')}
      </td>
      {isOfOneRuntime ? null : (
        <td>
          <Link to="/runtimes/$runtime" params={{ runtime }} className="text-accent hover:underline">
            {runtime}
          </Link>
        </td>
      )}
      <td>
        <Link to="/applications" search={{ runtime, cluster: name }} className="text-accent hover:underline">
          {formatCount(applications)}
        </Link>
      </td>
      <td className="text-right">{isAdmin ? <RemoveCluster row={row} /> : null}</td>
    </tr>
  );
}
