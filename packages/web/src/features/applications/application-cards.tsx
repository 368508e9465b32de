import type { ApplicationId, ApplicationRow } from '@fairlead/contracts';
import { idKey } from '../../live/index.ts';
import { useNow } from '../../services/index.ts';
import { Button, classNames, healthColor, StatusGlyph } from '../../ui/index.ts';
import { ageOf, firstLine, imageVersion, lastChange, shortAgo, shortRevision, statusWords } from '../../words/index.ts';
import { FavouriteButton } from './favourite-button.tsx';
import { RowLink } from './row-link.tsx';

interface ApplicationCardsProps {
  readonly rows: readonly ApplicationRow[];
  readonly hasMore: boolean;
  readonly isLoadingMore: boolean;
  readonly onMore: () => void;
  readonly onOpen: (id: ApplicationId) => void;
}

/** Flat cards; those out of sight are not laid out. */
export function ApplicationCards({ rows, hasMore, isLoadingMore, onMore, onOpen }: ApplicationCardsProps) {
  const now = useNow(10_000);
  return (
    <>
      <ul aria-label="Applications" className="grid grid-cols-[repeat(auto-fill,minmax(260px,1fr))] gap-3">
        {rows.map((row, index) => (
          <Card key={idKey(row.id)} {...{ row, index, onOpen }} nowMs={now} />
        ))}
      </ul>
      {hasMore ? (
        <Button className="self-center" isPending={isLoadingMore} onPress={onMore}>
          More applications
        </Button>
      ) : null}
    </>
  );
}

interface CardProps {
  readonly row: ApplicationRow;
  readonly index: number;
  readonly nowMs: number;
  readonly onOpen: (id: ApplicationId) => void;
}

function Card({ row, index, nowMs, onOpen }: CardProps) {
  const { id, health, sync, destination, images } = row;
  const commit = lastChange(row);
  const age = ageOf(commit?.date ?? row.changedAt, nowMs);
  const [image] = images;
  return (
    <li className="relative flex flex-col gap-1.5 rounded-lg border border-line bg-surface p-3 text-sm [contain-intrinsic-size:auto_150px] [content-visibility:auto] hover:border-line-strong">
      <div className="flex items-center gap-2">
        <StatusGlyph health={health.status} sync={sync.status} silent />
        <span className="min-w-0 flex-1 truncate">
          <RowLink id={id} index={index} onOpen={onOpen} />
        </span>
        <FavouriteButton id={id} />
      </div>
      <p className={classNames('truncate font-medium', healthColor[health.status])}>
        {statusWords(health.status, sync.status)}
      </p>
      <p className="truncate text-muted" title={`runtime ${id.runtime}`}>
        {destination.cluster} / {destination.namespace}
      </p>
      <p className="truncate text-muted">
        {commit ? <span className="font-mono text-xs">{shortRevision(commit.revision)} </span> : null}
        {commit?.message ? firstLine(commit.message) : ''}
      </p>
      {row.note ? (
        <p title={row.note} className={classNames('truncate text-xs', healthColor[health.status])}>
          {row.note}
        </p>
      ) : null}
      <p className="mt-auto flex items-center gap-2 text-xs text-muted">
        {image ? (
          <span className="min-w-0 truncate rounded bg-surface-2 px-1.5 py-0.5 font-mono">
            {imageVersion(image).version}
          </span>
        ) : null}
        <span className="ml-auto whitespace-nowrap">{age === undefined ? '' : shortAgo(age)}</span>
      </p>
    </li>
  );
}
