// biome-ignore-all lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard
import { useVirtualizer } from '@tanstack/react-virtual';
import { useEffect, useRef } from 'react';
import { classNames, Empty } from '../../ui/index.ts';
import type { NumberedLine } from './log-lines.ts';
import { LogRow } from './log-row.tsx';
import type { LogSource } from './log-source.ts';

interface LogViewProps {
  readonly lines: readonly NumberedLine[];
  readonly isWrapped: boolean;
  /** Stays at the end while lines come, unless somebody has scrolled up. */
  readonly isFollowed: boolean;
  readonly phase: 'reading' | 'ended' | 'failed';
  /** Some line tells how grave it is. */
  readonly hasLevels: boolean;
  readonly source: LogSource;
}

const lineHeight = 18;
/** Closer to the end than this counts as being there. */
const nearEnd = 60;

export function LogView({ lines, isWrapped, isFollowed, phase, hasLevels, source }: LogViewProps) {
  const scroll = useRef<HTMLDivElement>(null);
  const isAtEnd = useRef(true);
  const virtual = useVirtualizer({
    count: lines.length,
    getScrollElement: () => scroll.current,
    estimateSize: () => lineHeight,
    getItemKey: (index) => lines[index]?.number ?? index,
    overscan: 20,
  });
  // biome-ignore lint/correctness/useExhaustiveDependencies: heights change with the wrapping
  useEffect(() => virtual.measure(), [virtual, isWrapped]);
  const last = lines.at(-1)?.number;
  useEffect(() => {
    if (isFollowed && isAtEnd.current && last !== undefined) virtual.scrollToIndex(lines.length - 1, { align: 'end' });
  }, [isFollowed, last, lines.length, virtual]);
  if (lines.length === 0) {
    return phase === 'failed' ? null : (
      <Empty title={phase === 'reading' ? 'Reading…' : 'No lines'}>
        <p>
          {phase === 'reading' ? 'Lines show here as they are written.' : 'Nothing was written, or nothing matches.'}
        </p>
      </Empty>
    );
  }
  return (
    <section
      ref={scroll}
      aria-label="Log"
      tabIndex={0}
      onScroll={({ currentTarget: { scrollTop, scrollHeight, clientHeight } }) => {
        isAtEnd.current = scrollHeight - scrollTop - clientHeight < nearEnd;
      }}
      className="min-h-0 flex-1 overflow-auto bg-bg font-mono text-xs leading-[18px] -outline-offset-2"
    >
      <div className="relative min-w-full" style={{ height: virtual.getTotalSize() }}>
        {virtual.getVirtualItems().map(({ key, index, start }) => {
          const line = lines[index];
          return line ? (
            <div
              key={key}
              data-index={index}
              ref={isWrapped ? virtual.measureElement : null}
              className={classNames(
                'absolute top-0 left-0 px-3',
                isWrapped ? 'w-full [overflow-wrap:anywhere] whitespace-pre-wrap' : 'whitespace-pre',
              )}
              style={{ transform: `translateY(${start}px)` }}
            >
              <LogRow {...{ line, hasLevels, source }} />
            </div>
          ) : null;
        })}
      </div>
    </section>
  );
}
