import { classNames } from '../../ui/index.ts';
import { clockTime, type LogLevel, plainLine } from '../../words/index.ts';
import type { NumberedLine } from './log-lines.ts';
import type { LogSource } from './log-source.ts';

const levelColor: Readonly<Record<LogLevel, string>> = {
  debug: 'text-faint',
  info: 'text-muted',
  warn: 'text-missing',
  error: 'text-degraded',
};

interface LogRowProps {
  readonly line: NumberedLine;
  readonly hasLevels: boolean;
  readonly source: LogSource;
}

/** One line: time, pod, level, message and fields, each in its place whatever the others hold. */
export function LogRow({ line: { pod, record }, hasLevels, source }: LogRowProps) {
  const { time, level, message, fields } = record;
  return (
    <span className="flex gap-2.5">
      {time ? (
        <time dateTime={time} title={time} className="shrink-0 text-faint">
          {plainLine(clockTime(time))}
        </time>
      ) : null}
      {source.hasPods && pod ? (
        <span title={pod} className="shrink-0 text-muted">
          {pod.slice(-12)}
        </span>
      ) : null}
      {hasLevels ? (
        <span className={classNames('w-[5ch] shrink-0', level && levelColor[level])}>{level ?? ''}</span>
      ) : null}
      <span className={classNames('min-w-0', level === 'error' && 'text-degraded')}>
        {plainLine(message)}
        {fields
          .filter(([name]) => !source.plainFields.includes(name))
          .map(([name, value]) => (
            <span key={name} className="text-muted">
              {'  '}
              {plainLine(name)}=<span className="text-text">{plainLine(value)}</span>
            </span>
          ))}
      </span>
    </span>
  );
}
