// Cron schedules: five fields, `@hourly` and its kin, in a time zone. Pure. Times of day that the zone skips in spring do not
// come; those it repeats in autumn come twice, as the wall clock does.
export interface Schedule {
  readonly minutes: ReadonlySet<number>;
  readonly hours: ReadonlySet<number>;
  readonly days: ReadonlySet<number>;
  readonly months: ReadonlySet<number>;
  readonly weekdays: ReadonlySet<number>;
  /** Of two restricted day fields either suffices; an open one leaves the choice to the other. */
  readonly isEitherDay: boolean;
  /** `@every`: this long after the last time, whatever the clock says. */
  readonly everyMs?: number;
}

export const shorthands: Readonly<Record<string, string>> = {
  '@yearly': '0 0 1 1 *',
  '@annually': '0 0 1 1 *',
  '@monthly': '0 0 1 * *',
  '@weekly': '0 0 * * 0',
  '@daily': '0 0 * * *',
  '@midnight': '0 0 * * *',
  '@hourly': '0 * * * *',
};
export const monthNames = ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec'];
export const dayNames = ['sun', 'mon', 'tue', 'wed', 'thu', 'fri', 'sat'];

interface Field {
  readonly min: number;
  readonly max: number;
  readonly names?: readonly string[];
}

const fields = {
  minutes: { min: 0, max: 59 },
  hours: { min: 0, max: 23 },
  days: { min: 1, max: 31 },
  months: { min: 1, max: 12, names: ['', ...monthNames] },
  weekdays: { min: 0, max: 7, names: dayNames },
} as const;

/** undefined when the text is no schedule. */
export function parseSchedule(text: string): Schedule | undefined {
  const trimmed = text.trim();
  const everyMs = trimmed.startsWith('@every ') ? parseDuration(trimmed.slice('@every '.length)) : undefined;
  if (everyMs !== undefined) return { ...never, everyMs };
  const parts = (shorthands[trimmed.toLowerCase()] ?? trimmed).split(/\s+/);
  const [minute = '', hour = '', day = '', month = '', weekday = ''] = parts;
  const minutes = parseField(minute, fields.minutes);
  const hours = parseField(hour, fields.hours);
  const days = parseField(day, fields.days);
  const months = parseField(month, fields.months);
  const weekdays = parseField(weekday, fields.weekdays);
  if (parts.length !== 5 || !minutes || !hours || !days || !months || !weekdays) return undefined;
  if (weekdays.has(7)) weekdays.add(0);
  const isOpen = (field: string) => field.startsWith('*') || field.startsWith('?');
  return { minutes, hours, days, months, weekdays, isEitherDay: !isOpen(day) && !isOpen(weekday) };
}

const none: ReadonlySet<number> = new Set();
const never: Schedule = { minutes: none, hours: none, days: none, months: none, weekdays: none, isEitherDay: false };

const unitMs: Readonly<Record<string, number>> = { ms: 1, s: 1000, m: 60_000, h: 3_600_000 };

/** Go's way to write a duration, at least a second long; undefined when the text is none. */
export function parseDuration(text: string): number | undefined {
  if (!/^(\d+(\.\d+)?(ms|s|m|h))+$/.test(text)) return undefined;
  const parts = [...text.matchAll(/(\d+(?:\.\d+)?)(ms|s|m|h)/g)];
  const sumMs = parts.reduce((sum, [, number, unit]) => sum + Number(number) * (unitMs[unit ?? ''] ?? 0), 0);
  return Math.max(1000, Math.floor(sumMs / 1000) * 1000);
}

function parseField(text: string, field: Field): Set<number> | undefined {
  const values = new Set<number>();
  for (const part of text.split(',')) {
    const match = /^(?:([*?])|(\w+)(?:-(\w+))?)(?:\/(\d+))?$/.exec(part);
    if (!match) return undefined;
    const [, star, first, last, stepText] = match;
    const from = star ? field.min : numberOf(first ?? '', field);
    // `5/15` means from five on.
    const to = star || (stepText && !last) ? field.max : numberOf(last ?? first ?? '', field);
    const step = Number(stepText ?? 1);
    if (from === undefined || to === undefined || from > to || step < 1) return undefined;
    for (let value = from; value <= to; value += step) values.add(value);
  }
  return values;
}

function numberOf(text: string, { min, max, names = [] }: Field): number | undefined {
  const value = /^\d+$/.test(text) ? Number(text) : names.indexOf(text.toLowerCase());
  return text !== '' && value >= min && value <= max ? value : undefined;
}

/** Undefined also for zones that are not known. */
export function zoneOffset(timeZone: string): ((atMs: number) => number) | undefined {
  try {
    const format = new Intl.DateTimeFormat('en-US', { timeZone, timeZoneName: 'longOffset' });
    return (atMs) => offsetMs(format.formatToParts(atMs).find(({ type }) => type === 'timeZoneName')?.value ?? 'GMT');
  } catch (error) {
    if (error instanceof RangeError) return undefined;
    throw error;
  }
}

function offsetMs(text: string): number {
  const [, sign, hours, minutes] = /^GMT([+-])(\d\d):(\d\d)/.exec(text) ?? [];
  return sign === undefined ? 0 : (sign === '-' ? -1 : 1) * (Number(hours) * 60 + Number(minutes)) * 60_000;
}

const minuteMs = 60_000;
const hourMs = 3_600_000;
/** Longer than any leap-day schedule waits. */
const horizonMs = 9 * 366 * 24 * hourMs;

/** The first time after `afterMs`; undefined when there is none (a 30th of February). */
export function nextTime(schedule: Schedule, afterMs: number, offsetAt: (atMs: number) => number): number | undefined {
  if (schedule.everyMs !== undefined) return Math.floor(afterMs / 1000) * 1000 + schedule.everyMs;
  // Days that do not fit are left in one stride that ends two hours before midnight, so that no change of the clock hides it.
  let atMs = Math.floor(afterMs / minuteMs) * minuteMs + minuteMs;
  while (atMs < afterMs + horizonMs) {
    const local = new Date(atMs + offsetAt(atMs));
    const untilNextHourMs = hourMs - (local.getTime() % hourMs);
    if (!isDay(schedule, local)) atMs += untilNextHourMs + Math.max(0, 21 - local.getUTCHours()) * hourMs;
    else if (!schedule.hours.has(local.getUTCHours())) atMs += untilNextHourMs;
    else if (!schedule.minutes.has(local.getUTCMinutes())) atMs += minuteMs;
    else return atMs;
  }
  return undefined;
}

function isDay({ days, months, weekdays, isEitherDay }: Schedule, local: Date): boolean {
  const isMonthDay = days.has(local.getUTCDate());
  const isWeekday = weekdays.has(local.getUTCDay());
  return months.has(local.getUTCMonth() + 1) && (isEitherDay ? isMonthDay || isWeekday : isMonthDay && isWeekday);
}
