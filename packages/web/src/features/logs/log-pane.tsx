import { Download, Pause, Play, RotateCcw, WrapText } from 'lucide-react';
import { useDeferredValue, useMemo, useState } from 'react';
import { ToggleButton } from 'react-aria-components/ToggleButton';
import { Button, Choice, Failure, SearchBox } from '../../ui/index.ts';
import { counted, formatCount } from '../../words/index.ts';
import { downloadLines } from './download.ts';
import { type LeastLevel, leastLevels, matching } from './log-lines.ts';
import type { LogSource } from './log-source.ts';
import { LogView } from './log-view.tsx';
import { useLog } from './use-log.ts';

const tail = 1000;
const levelWords: Readonly<Record<LeastLevel, string>> = {
  all: 'All levels',
  info: 'Info and above',
  warn: 'Warnings and errors',
  error: 'Errors',
};
const toggleClass =
  'inline-flex h-7 items-center gap-1.5 rounded-md border border-line bg-surface px-2 text-xs text-muted hover:bg-surface-2 data-[selected]:border-accent data-[selected]:bg-accent-weak data-[selected]:text-accent';

/** A log, as it is written. */
export function LogPane({ source }: { readonly source: LogSource }) {
  const [follow, setFollow] = useState(true);
  const [previous, setPrevious] = useState(false);
  const [isWrapped, setWrapped] = useState(() => matchMedia('(width < 700px)').matches);
  const [text, setText] = useState('');
  const [least, setLeast] = useState<LeastLevel>('all');
  const [turn, setTurn] = useState(0);
  const { lines, dropped, phase, error } = useLog(source, { follow: follow && !previous, previous, tail }, turn);
  const wanted = useDeferredValue(text);
  const shown = useMemo(() => matching(lines, wanted, least), [lines, wanted, least]);
  const hasLevels = useMemo(() => lines.some(({ record }) => record.level !== undefined), [lines]);
  const isPart = wanted.trim() !== '' || least !== 'all';
  const said = isPart ? counted(shown.length, 'match', 'matches') : counted(lines.length, 'line');
  return (
    <div className="flex h-full min-h-0 flex-col">
      <div className="flex flex-wrap items-center gap-2 border-b border-line px-3 py-2">
        <SearchBox label="Search the log" placeholder="Search" value={text} onChange={setText} className="h-7! w-40" />
        {hasLevels || least !== 'all' ? (
          <Choice
            label="Level"
            isLabelHidden
            value={least}
            options={leastLevels.map((value) => ({ value, label: levelWords[value] }))}
            onChange={setLeast}
            className="[&_select]:h-7! [&_select]:text-xs!"
          />
        ) : null}
        <ToggleButton
          isSelected={follow && !previous}
          isDisabled={previous}
          onChange={setFollow}
          className={toggleClass}
        >
          {follow ? <Pause size={12} aria-hidden /> : <Play size={12} aria-hidden />} Follow
        </ToggleButton>
        <ToggleButton isSelected={isWrapped} onChange={setWrapped} className={toggleClass}>
          <WrapText size={12} aria-hidden /> Wrap
        </ToggleButton>
        {source.hasPrevious ? (
          <ToggleButton isSelected={previous} onChange={setPrevious} className={toggleClass}>
            <RotateCcw size={12} aria-hidden /> Before restart
          </ToggleButton>
        ) : null}
        <Button
          className="h-7! w-7! px-0!"
          aria-label="Download"
          isDisabled={lines.length === 0}
          onPress={() => downloadLines(`${source.name}.log`, lines)}
        >
          <Download size={13} aria-hidden />
        </Button>
        <span role="status" className="ml-auto text-xs text-muted">
          {said}
          {dropped > 0 ? `; ${formatCount(dropped)} older let go` : ''}
          {phase === 'ended' && lines.length > 0 ? ', ended' : ''}
        </span>
      </div>
      {error ? (
        <div className="p-3">
          <Failure what="the log" error={error} onRetry={() => setTurn(turn + 1)} />
        </div>
      ) : null}
      <LogView lines={shown} isFollowed={follow} {...{ isWrapped, phase, hasLevels, source }} />
    </div>
  );
}
