import type { GitSourceRow } from '@fairlead/contracts';
import { Link } from '@tanstack/react-router';
import { SafeLink, StatusGlyph } from '../../ui/index.ts';
import { shortRevision, syncWord, visibleText } from '../../words/index.ts';
import { GitSourceActions } from './git-source-actions.tsx';

export const gitSourceColumns = [
  'Name',
  'Sync',
  'Repository',
  'Branch',
  'Path',
  'Files',
  'Runtime',
  'Applications',
  '(Actions)',
];

interface GitSourceLineProps {
  readonly row: GitSourceRow;
  readonly isAdmin?: boolean;
  /** On the page of its runtime, which need not be told again. */
  readonly isOfOneRuntime?: boolean;
}

export function GitSourceLine({ row, isAdmin = false, isOfOneRuntime = false }: GitSourceLineProps) {
  const { name, namespace, runtime, repoUrl, branch, path, include, exclude, revision, sync, health, message } = row;
  return (
    <tr>
      <th scope="row">
        <Link
          to="/applications/$runtime/$namespace/$name"
          params={{ runtime, namespace, name }}
          className="hover:text-accent hover:underline"
        >
          {visibleText(name)}
        </Link>{' '}
        {row.applicationsProject ? (
          <span
            title={`Its applications are kept within the limits of project ${row.applicationsProject}.`}
            className="ml-1 rounded bg-surface-2 px-1.5 text-xs font-medium text-muted"
          >
            restricted
          </span>
        ) : null}
      </th>
      <td>
        <span className="glyph-line whitespace-nowrap">
          <StatusGlyph health={health} sync={sync} size={14} silent /> {syncWord(sync)}
          {revision ? <span className="font-mono text-xs text-muted">{shortRevision(revision)}</span> : null}
        </span>
        {message ? <span className="block text-xs text-missing">{message}</span> : null}
      </td>
      <td className="min-w-48 break-all">
        <SafeLink url={repoUrl}>{visibleText(repoUrl)}</SafeLink>
      </td>
      <td className="text-muted">{branch}</td>
      <td className="font-mono text-xs text-muted">{path || '/'}</td>
      <td className="font-mono text-xs text-muted">
        {include || '*'}
        {exclude ? ` without ${exclude}` : ''}
      </td>
      {isOfOneRuntime ? null : (
        <td>
          <Link to="/runtimes/$runtime" params={{ runtime }} className="text-accent hover:underline">
            {runtime}
          </Link>
        </td>
      )}
      <td className="text-muted">{row.applications}</td>
      <td>{isAdmin ? <GitSourceActions row={row} /> : null}</td>
    </tr>
  );
}
