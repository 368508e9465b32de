import { classNames } from './class-names.ts';

export interface DayCount {
  /** `2026-11-15`, UTC. */
  readonly day: string;
  readonly succeeded: number;
  readonly failed: number;
  readonly other: number;
}

const parts = [
  { of: 'other', color: 'bg-unknown', word: 'other' },
  { of: 'failed', color: 'bg-degraded', word: 'failed' },
  { of: 'succeeded', color: 'bg-healthy', word: 'succeeded' },
] as const;

interface DayBarsProps {
  readonly label: string;
  readonly days: readonly DayCount[];
  readonly className?: string;
}

/** Deployments per day as stacked bars; each day tells its numbers to pointer and to screen reader. */
export function DayBars({ label, days, className }: DayBarsProps) {
  const most = Math.max(1, ...days.map(totalOf));
  const every = Math.max(1, Math.ceil(days.length / 7));
  const numbered = days.length <= 14;
  return (
    <ol aria-label={label} className={classNames('flex items-stretch gap-1', className)}>
      {days.map((day, at) => (
        <li key={day.day} title={dayWords(day)} className="flex min-w-0 flex-1 flex-col gap-1">
          <span className="sr-only">{dayWords(day)}</span>
          <span aria-hidden className="flex flex-1 flex-col justify-end gap-0.5 border-b border-line">
            {numbered && totalOf(day) > 0 ? (
              <span className="text-center text-2xs leading-3 text-muted">{totalOf(day)}</span>
            ) : null}
            {parts.map(({ of, color }) =>
              day[of] > 0 ? (
                <span
                  key={of}
                  className={classNames('mx-auto block w-full max-w-9 rounded-sm', color)}
                  style={{ height: `max(3px, ${(day[of] / most) * (numbered ? 88 : 100)}%)` }}
                />
              ) : null,
            )}
          </span>
          <span
            aria-hidden
            className={classNames(
              'flex h-4 text-2xs whitespace-nowrap text-faint',
              at === days.length - 1 ? 'justify-end' : 'justify-center',
              (days.length - 1 - at) % (2 * every) !== 0 && 'max-sm:invisible',
            )}
          >
            {(days.length - 1 - at) % every === 0 ? shortDay(day.day) : ''}
          </span>
        </li>
      ))}
    </ol>
  );
}

const totalOf = ({ succeeded, failed, other }: DayCount): number => succeeded + failed + other;

const months = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec'];
const shortDay = (day: string): string => `${Number(day.slice(8))} ${months[Number(day.slice(5, 7)) - 1] ?? ''}`;

function dayWords(day: DayCount): string {
  const said = parts.filter(({ of }) => day[of] > 0).map(({ of, word }) => `${day[of]} ${word}`);
  return `${day.day}: ${said.length > 0 ? said.reverse().join(', ') : 'none'}`;
}

/** Every day from the first to the last, also those without any. */
export function fillDays(days: readonly DayCount[], lastMs: number, count: number): readonly DayCount[] {
  const known = new Map(days.map((day) => [day.day, day]));
  return Array.from({ length: count }, (_, i) => {
    const day = new Date(lastMs - (count - 1 - i) * 86_400_000).toISOString().slice(0, 10);
    return known.get(day) ?? { day, succeeded: 0, failed: 0, other: 0 };
  });
}
