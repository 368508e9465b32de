// biome-ignore-all lint/a11y/useSemanticElements: rows are placed by hand, which table elements do not survive in all browsers
// biome-ignore-all lint/a11y/useFocusableInteractive: a plain table's rows and headers take no focus; their links do
// The rows on screen and a few beyond; the rest is only a height. Columns and row height follow the width of the window.
import type { ApplicationId, ApplicationRow, RuntimeRow } from '@fairlead/contracts';
import { useVirtualizer } from '@tanstack/react-virtual';
import { startTransition, useEffect, useRef, useState } from 'react';
import { idKey } from '../../live/index.ts';
import { useNow } from '../../services/index.ts';
import { classNames, Skeleton } from '../../ui/index.ts';
import { pageScrollId } from '../frame/index.ts';
import { ApplicationRowLine } from './application-row.tsx';
import { TableHead } from './table-head.tsx';
import { useOffsetTop } from './use-offset-top.ts';
import { useRowHeight } from './use-row-height.ts';
import { useRowKeys } from './use-row-keys.ts';
import { slotAttribute, useSlots } from './use-slots.ts';

interface ApplicationsTableProps {
  readonly rows: readonly ApplicationRow[];
  readonly runtimes: readonly RuntimeRow[];
  readonly matched: number;
  readonly hasMore: boolean;
  readonly onMore: () => void;
  readonly onOpen: (id: ApplicationId) => void;
  /** By `idKey`. */
  readonly chosen: ReadonlyMap<string, ApplicationId>;
  readonly onChoose: (id: ApplicationId, isChosen: boolean) => void;
  /** The rows are of the filters before; the new ones are on their way. */
  readonly isOutdated: boolean;
}

const aheadRows = 20;
/** About what stands above the rows, px. */
const aboveRows = 280;
/** Grey rows at the end while more are on their way. */
const tailRows = 8;

export function ApplicationsTable(props: ApplicationsTableProps) {
  const { rows, runtimes, matched, hasMore, onMore, onOpen, chosen, onChoose, isOutdated } = props;
  const body = useRef<HTMLDivElement>(null);
  const nowMs = useNow(10_000);
  const rowHeight = useRowHeight();
  const [scrollMargin, setScrollMargin] = useState(0);
  const virtual = useVirtualizer({
    count: rows.length + (hasMore ? tailRows : 0),
    getScrollElement: () => document.getElementById(pageScrollId),
    estimateSize: () => rowHeight,
    getItemKey: (index) => (rows[index] ? idKey(rows[index].id) : index),
    overscan: useAfterPaint() ? 6 : 0,
    // A guess, so that the first rows are drawn with the page and not after it was measured.
    initialRect: { width: window.innerWidth, height: window.innerHeight - aboveRows },
    scrollMargin,
    scrollPaddingStart: 44,
  });
  useOffsetTop(body, setScrollMargin);
  // biome-ignore lint/correctness/useExhaustiveDependencies: another height of rows is what makes it measure again
  useEffect(() => virtual.measure(), [virtual, rowHeight]);
  const items = virtual.getVirtualItems();
  const slots = useSlots(items.map(({ key }) => String(key)));
  const lastIndex = items.at(-1)?.index ?? 0;
  useEffect(() => {
    if (hasMore && lastIndex >= rows.length - aheadRows) onMore();
  }, [hasMore, lastIndex, rows.length, onMore]);
  const active = useRowKeys({ count: rows.length, scrollTo: (index) => virtual.scrollToIndex(index) });
  const runtimeByName = new Map(runtimes.map((runtime) => [runtime.name, runtime]));
  return (
    <div
      role="table"
      aria-label="Applications"
      aria-rowcount={matched + 1}
      aria-busy={isOutdated}
      className={classNames(
        'rounded-lg border border-line bg-surface transition-opacity',
        isOutdated && 'opacity-60 delay-100',
      )}
    >
      <TableHead />
      <div role="rowgroup" ref={body} className="relative -mb-px" style={{ height: virtual.getTotalSize() }}>
        {items.map(({ key, index, start, size }) => {
          const row = rows[index];
          return (
            <div
              key={slots.get(String(key))}
              {...{ [slotAttribute]: slots.get(String(key)) }}
              role="presentation"
              className="absolute inset-x-0 top-0"
              style={{ height: size, transform: `translateY(${start - scrollMargin}px)` }}
            >
              {row ? (
                <ApplicationRowLine
                  {...{ row, index, nowMs, onOpen, onChoose }}
                  isChosen={chosen.has(idKey(row.id))}
                  runtime={runtimeByName.get(row.id.runtime)}
                  isActive={active === index}
                />
              ) : (
                <SkeletonRow />
              )}
            </div>
          );
        })}
      </div>
    </div>
  );
}

/** False at first: rows beyond the screen can wait until those on it are painted. */
function useAfterPaint(): boolean {
  const [isPainted, setPainted] = useState(false);
  useEffect(() => startTransition(() => setPainted(true)), []);
  return isPainted;
}

function SkeletonRow() {
  return (
    <div aria-hidden className="application-columns h-full border-b border-line">
      <span />
      <Skeleton className="mx-auto size-4 rounded-full" />
      <Skeleton className="mr-8" />
      <Skeleton className="mr-12 max-[699px]:hidden" />
      <Skeleton className="mr-10 max-[699px]:hidden" />
      <Skeleton className="mr-4 max-[1023px]:hidden" />
      <Skeleton className="mr-10 max-[1023px]:hidden" />
    </div>
  );
}

export function SkeletonTable() {
  return (
    <div className="rounded-lg border border-line bg-surface">
      <span role="status" className="sr-only">
        Loading applications
      </span>
      <div className="h-9 border-b border-line" />
      {Array.from({ length: 12 }, (_, i) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: twelve equal rows that never move
        <div key={i} className="h-9">
          <SkeletonRow />
        </div>
      ))}
    </div>
  );
}
