import { CallError } from '../errors.ts';
import { type GoFunction, GoInt, GoStruct, int, int64, type Value } from '../value.ts';
import type { SprigContext } from './context.ts';
import { define, type Functions, text } from './define.ts';
import { durationText, parseDuration } from './duration.ts';
import { formatTime, isZone, parseComplaint, parseTime } from './time-layout.ts';

const billion = 1_000_000_000n;

/** A time.Time in a zone; the instant is kept beside what templates see of it. */
export class GoTime extends GoStruct {
  readonly unixNanoseconds: bigint;
  readonly zone: string;

  constructor(unixNanoseconds: bigint, zone: string) {
    super({ type: 'time.Time', methods: timeMethods(unixNanoseconds, zone), ...shown(unixNanoseconds, zone) });
    this.unixNanoseconds = unixNanoseconds;
    this.zone = zone;
  }
}

function shown(nanoseconds: bigint, zone: string): { text: string; json: string } {
  return {
    text: formatTime('2006-01-02 15:04:05.999999999 -0700 MST', nanoseconds, zone),
    json: formatTime('2006-01-02T15:04:05.999999999Z07:00', nanoseconds, zone),
  };
}

const floorDivide = (a: bigint, b: bigint): bigint => (a >= 0n || a % b === 0n ? a / b : a / b - 1n);

function timeMethods(nanoseconds: bigint, zone: string): Readonly<Record<string, GoFunction>> {
  const part = (layout: string) => define('', () => int(Number(formatTime(layout, nanoseconds, zone))));
  return {
    Format: define('string', ([layout]) => formatTime(text(layout), nanoseconds, zone)),
    String: define('', () => shown(nanoseconds, zone).text),
    Unix: define('', () => int64(floorDivide(nanoseconds, billion))),
    UnixMilli: define('', () => int64(floorDivide(nanoseconds, 1_000_000n))),
    UnixNano: define('', () => int64(nanoseconds)),
    UTC: define('', () => new GoTime(nanoseconds, 'UTC')),
    Local: define('', () => new GoTime(nanoseconds, 'UTC')),
    Year: part('2006'),
    Day: part('2'),
    Hour: part('15'),
    Minute: part('4'),
    Second: part('5'),
    YearDay: define('', () => int(Number(formatTime('002', nanoseconds, zone)))),
    Nanosecond: define('', () => int(((nanoseconds % billion) + billion) % billion)),
    Month: define('', () => new GoStruct({ type: 'time.Month', text: formatTime('January', nanoseconds, zone) })),
    Weekday: define('', () => new GoStruct({ type: 'time.Weekday', text: formatTime('Monday', nanoseconds, zone) })),
    IsZero: define('', () => nanoseconds === zeroTime),
    AddDate: define('int int int', ([years, months, days]) => addDate(nanoseconds, zone, [years, months, days])),
  };
}

function addDate(nanoseconds: bigint, zone: string, amounts: readonly Value[]): GoTime {
  const [years = 0, months = 0, days = 0] = amounts.map((amount) =>
    amount instanceof GoInt ? Number(amount.value) : 0,
  );
  const date = new Date(Number(floorDivide(nanoseconds, 1_000_000n)));
  date.setUTCFullYear(date.getUTCFullYear() + years, date.getUTCMonth() + months, date.getUTCDate() + days);
  const rest = ((nanoseconds % 1_000_000n) + 1_000_000n) % 1_000_000n;
  return new GoTime(BigInt(date.getTime()) * 1_000_000n + rest, zone);
}

/** Go's zero time: the first of January of the year 1. */
const zeroTime = -62135596800n * billion;

function durationRound(nanoseconds: bigint): string {
  const size = nanoseconds < 0n ? -nanoseconds : nanoseconds;
  const hour = 3600n * billion;
  const units: readonly [bigint, string][] = [
    [hour * 24n * 365n, 'y'],
    [hour * 24n * 30n, 'mo'],
    [hour * 24n, 'd'],
    [hour, 'h'],
    [60n * billion, 'm'],
    [billion, 's'],
  ];
  const fitting = units.find(([unit]) => size > unit);
  return fitting ? `${size / fitting[0]}${fitting[1]}` : '0s';
}

function durationOf(seconds: Value): string {
  if (typeof seconds === 'string')
    return durationText(/^[+-]?\d+$/.test(seconds) ? BigInt(seconds.replace('+', '')) * billion : 0n);
  return durationText(seconds instanceof GoInt && seconds.type === 'int64' ? seconds.value * billion : 0n);
}

export function dateFunctions({ clock, onUnreproducible }: SprigContext): Functions {
  const now = (name: string): GoTime => {
    onUnreproducible(name);
    return new GoTime(BigInt(clock.now()) * 1_000_000n, 'UTC');
  };
  const instant = (name: string, value: Value): bigint => {
    if (value instanceof GoTime) return value.unixNanoseconds;
    if (value instanceof GoInt && ['int', 'int64', 'int32'].includes(value.type)) return value.value * billion;
    return now(name).unixNanoseconds;
  };
  const inZone = (name: string, layout: string, [value, zone]: readonly [Value, string]) =>
    formatTime(layout, instant(name, value), isZone(zone) ? zone : 'UTC');
  const modify = (strict: boolean) =>
    define('string time.Time', ([amount, time]) => {
      const duration = parseDuration(text(amount));
      if (duration === undefined && strict)
        throw new CallError(`time: invalid duration ${JSON.stringify(text(amount))}`);
      return time instanceof GoTime ? new GoTime(time.unixNanoseconds + (duration ?? 0n), time.zone) : time;
    });
  const dateInZone = define('string any string', ([layout, value, zone]) =>
    inZone('dateInZone', text(layout), [value, text(zone)]),
  );
  return {
    now: define('', () => now('now')),
    ago: define('any', ([value]) => {
      const since = now('ago').unixNanoseconds - instant('ago', value);
      return durationText(floorDivide(since + billion / 2n, billion) * billion);
    }),
    date: define('string any', ([layout, value]) => inZone('date', text(layout), [value, 'UTC'])),
    date_in_zone: dateInZone,
    dateInZone,
    htmlDate: define('any', ([value]) => inZone('htmlDate', '2006-01-02', [value, 'UTC'])),
    htmlDateInZone: define('any string', ([value, zone]) =>
      inZone('htmlDateInZone', '2006-01-02', [value, text(zone)]),
    ),
    date_modify: modify(false),
    dateModify: modify(false),
    must_date_modify: modify(true),
    mustDateModify: modify(true),
    duration: define('any', ([seconds]) => durationOf(seconds)),
    durationRound: define('any', ([value]) => {
      if (typeof value === 'string') return durationRound(parseDuration(value) ?? 0n);
      if (value instanceof GoTime) return durationRound(now('durationRound').unixNanoseconds - value.unixNanoseconds);
      return durationRound(value instanceof GoInt && value.type === 'int64' ? value.value : 0n);
    }),
    toDate: define(
      'string string',
      ([layout, value]) => new GoTime(parseTime(text(layout), text(value)) ?? zeroTime, 'UTC'),
    ),
    mustToDate: define('string string', ([layout, value]) => {
      const parsed = parseTime(text(layout), text(value));
      if (parsed === undefined) {
        throw new CallError(parseComplaint(text(layout), text(value)));
      }
      return new GoTime(parsed, 'UTC');
    }),
    unixEpoch: define('time.Time', ([time]) =>
      String(time instanceof GoTime ? floorDivide(time.unixNanoseconds, billion) : 0n),
    ),
  };
}
