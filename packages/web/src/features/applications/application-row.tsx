// biome-ignore-all lint/a11y/useSemanticElements: rows are placed by hand, which table elements do not survive in all browsers
// biome-ignore-all lint/a11y/useFocusableInteractive: a plain table's rows and headers take no focus; their links do
import type { ApplicationId, ApplicationRow, RuntimeRow } from '@fairlead/contracts';
import { memo, type ReactNode } from 'react';
import { staleForMs } from '../../api/index.ts';
import { idKey } from '../../live/index.ts';
import { classNames, healthColor, StatusGlyph } from '../../ui/index.ts';
import { ageOf, authorName, firstLine, imageVersion, lastChange, shortAge, shortRevision } from '../../words/index.ts';
import { FavouriteButton } from './favourite-button.tsx';
import { RowLink } from './row-link.tsx';
import { useChangeMark } from './use-change-mark.ts';

interface ApplicationRowProps {
  readonly row: ApplicationRow;
  readonly runtime: RuntimeRow | undefined;
  readonly index: number;
  readonly nowMs: number;
  readonly isActive: boolean;
  readonly isChosen: boolean;
  readonly onChoose: (id: ApplicationId, isChosen: boolean) => void;
  readonly onOpen: (id: ApplicationId) => void;
}

export const ApplicationRowLine = memo(function ApplicationRowLine(props: ApplicationRowProps) {
  const { row, runtime, index, nowMs, isActive, isChosen, onChoose, onOpen } = props;
  const { id, health, sync, destination } = row;
  const commit = lastChange(row);
  const staleMs = staleForMs(row, runtime, nowMs);
  const shown = [row.note, health.status, sync.status, sync.revision, row.operation?.phase].join('|');
  const mark = useChangeMark(idKey(id), shown);
  const age = ageOf(commit?.date ?? row.changedAt, nowMs);
  const change = commit?.message ? firstLine(commit.message) : '';
  return (
    <div
      role="row"
      aria-rowindex={index + 2}
      className={classNames(
        'group/row application-columns relative isolate h-full border-b border-line text-sm hover:bg-surface-2',
        (isActive || isChosen) && 'bg-accent-weak hover:bg-accent-weak',
      )}
    >
      {mark > 0 ? (
        <span key={mark} aria-hidden className="pointer-events-none absolute inset-0 -z-10 mark-change" />
      ) : null}
      <Cell className="pr-0! pl-2.5">
        <input
          type="checkbox"
          aria-label={`Choose ${id.name}`}
          checked={isChosen}
          onChange={(event) => onChoose(id, event.target.checked)}
          className="relative z-10 block size-3.5 accent-accent"
        />
      </Cell>
      <Cell className={classNames('flex justify-center pr-0!', staleMs !== undefined && 'opacity-50')}>
        <StatusGlyph health={health.status} sync={sync.status} />
      </Cell>
      <Cell className="relative max-[699px]:pr-7">
        <RowLink id={id} index={index} onOpen={onOpen} />
        <FavouriteButton id={id} isOnRow />
        {/* A phone has one line for both, and what is going on is the more urgent. */}
        <span
          className={classNames(
            'block truncate text-xs min-[700px]:hidden',
            row.note && health.status !== 'Healthy' ? healthColor[health.status] : 'text-muted',
          )}
        >
          {row.note || `${destination.cluster} / ${destination.namespace}`}
        </span>
      </Cell>
      <Cell
        from={700}
        className="text-muted"
        title={`${destination.cluster} / ${destination.namespace}, runtime ${id.runtime}`}
      >
        {destination.cluster} <span className="text-faint">/ {destination.namespace}</span>
      </Cell>
      <Cell from={1024} title={commit?.message ?? ''}>
        {change}
      </Cell>
      <Cell from={1024} className="font-mono text-xs text-muted">
        {commit ? shortRevision(commit.revision) : ''}
      </Cell>
      <Cell from={1320} className="text-muted">
        {authorName(commit?.author)}
      </Cell>
      <Cell from={1320} className="text-muted">
        {age === undefined ? '' : shortAge(age)}
      </Cell>
      <Cell from={1320} title={row.images.join('\n')}>
        <Version images={row.images} />
      </Cell>
      <Cell
        from={700}
        className={health.status === 'Healthy' ? 'text-muted' : healthColor[health.status]}
        title={row.note}
      >
        {staleMs === undefined ? (
          row.note
        ) : (
          <span className="text-unknown">runtime silent for {shortAge(staleMs)}</span>
        )}
      </Cell>
    </div>
  );
});

interface CellProps {
  readonly children: ReactNode;
  /** From which width of the window (px) the column shows. */
  readonly from?: 700 | 1024 | 1320;
  readonly className?: string;
  readonly title?: string;
}

const fromClass = { 700: 'max-[699px]:hidden', 1024: 'max-[1023px]:hidden', 1320: 'max-[1319px]:hidden' };

export function Cell({ children, from, className, title }: CellProps) {
  return (
    <div
      role="cell"
      title={title || undefined}
      className={classNames('truncate pr-4', from && fromClass[from], className)}
    >
      {children}
    </div>
  );
}

function Version({ images }: { readonly images: readonly string[] }) {
  const [first, ...others] = images;
  if (!first) return null;
  return (
    <span className="inline-block max-w-full truncate rounded bg-surface-2 px-1.5 py-0.5 align-middle font-mono text-xs text-muted">
      {imageVersion(first).version}
      {others.length > 0 ? ` +${others.length}` : ''}
    </span>
  );
}
