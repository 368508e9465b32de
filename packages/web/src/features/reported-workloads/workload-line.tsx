import type { WorkloadRow } from '@fairlead/contracts';
import { Link } from '@tanstack/react-router';
import { classNames, healthColor, StatusGlyph } from '../../ui/index.ts';
import { ageOf, imageVersion, shortAgo, visibleText } from '../../words/index.ts';
import { healthOfPhase } from './phase.ts';

export const workloadColumns = (hasApplication: boolean): readonly string[] => [
  'Name',
  'Kind',
  'State',
  'Ready',
  'Images',
  ...(hasApplication ? ['Application'] : []),
  'Made by',
  'Changed',
];

interface WorkloadLineProps {
  readonly row: WorkloadRow;
  readonly hasApplication: boolean;
  readonly nowMs: number;
}

export function WorkloadLine({ row, hasApplication, nowMs }: WorkloadLineProps) {
  const { name, namespace, kind, phase, message, replicas, images, owner } = row;
  const health = healthOfPhase(phase);
  const age = ageOf(row.changedAt, nowMs);
  return (
    <tr>
      <th scope="row" title={`${namespace}/${name} in ${row.cluster}`}>
        {visibleText(name)}
      </th>
      <td className="text-muted">{kind}</td>
      <td className={healthColor[health]}>
        <span className="glyph-line whitespace-nowrap">
          <StatusGlyph health={health} size={14} silent /> {visibleText(phase).toLowerCase() || 'not told'}
        </span>
        {message ? <span className="block max-w-80 text-xs break-words">{visibleText(message)}</span> : null}
      </td>
      <td
        className={classNames('whitespace-nowrap', replicas && replicas.ready < replicas.desired && 'text-progressing')}
      >
        {replicas ? `${replicas.ready} of ${replicas.desired}` : ''}
      </td>
      <td className="font-mono text-xs text-muted">
        {images.map((image) => (
          <span key={image} title={image} className="block whitespace-nowrap">
            {visibleText(imageVersion(image).name)}:{visibleText(imageVersion(image).version)}
          </span>
        ))}
      </td>
      {hasApplication ? (
        <td>
          <ApplicationOf row={row} />
        </td>
      ) : null}
      <td className="text-muted">{owner ? `${owner.kind} ${visibleText(owner.name)}` : ''}</td>
      <td className="whitespace-nowrap text-muted">{age === undefined ? '' : shortAgo(age)}</td>
    </tr>
  );
}

function ApplicationOf({ row: { runtime, application } }: { readonly row: WorkloadRow }) {
  if (!application) return null;
  const { namespace, name } = application;
  return (
    <Link
      to="/applications/$runtime/$namespace/$name"
      params={{ runtime, namespace, name }}
      search={{ tab: 'services' }}
      className="text-accent hover:underline"
    >
      {visibleText(name)}
    </Link>
  );
}
