// time.Time's Format and Parse: layouts are written as the reference time Mon Jan 2 15:04:05 MST 2006.

import { quoteGo } from '../quote.ts';

const months = 'January February March April May June July August September October November December'.split(' ');
const days = 'Sunday Monday Tuesday Wednesday Thursday Friday Saturday'.split(' ');

const element =
  /January|Jan|Monday|Mon|MST|2006|-07:00:00|-070000|-07:00|-0700|-07|Z07:00:00|Z070000|Z07:00|Z0700|Z07|002|01|02|03|04|05|06|15|_2006|__2|_2|PM|pm|[.,]0+(?!\d)|[.,]9+(?!\d)|1|2|3|4|5/g;

interface Fields {
  readonly year: number;
  readonly month: number;
  readonly day: number;
  readonly hour: number;
  readonly minute: number;
  readonly second: number;
  readonly weekday: number;
  readonly offsetMinutes: number;
  readonly zoneName: string;
  readonly nanosecond: number;
  readonly dayOfYear: number;
}

export function isZone(zone: string): boolean {
  if (zone === '' || zone === 'UTC' || zone === 'Local') return true;
  try {
    new Intl.DateTimeFormat('en-US', { timeZone: zone });
    return true;
  } catch {
    // An unknown zone is an answer here, not a failure.
    return false;
  }
}

function fieldsOf(nanoseconds: bigint, zone: string): Fields {
  const sub = ((nanoseconds % 1_000_000_000n) + 1_000_000_000n) % 1_000_000_000n;
  const unixMs = Number((nanoseconds - sub) / 1_000_000n);
  const { offsetMinutes, zoneName } = offsetAt(unixMs, zone);
  const local = new Date(unixMs + offsetMinutes * 60_000);
  const year = local.getUTCFullYear();
  return {
    year,
    month: local.getUTCMonth(),
    day: local.getUTCDate(),
    hour: local.getUTCHours(),
    minute: local.getUTCMinutes(),
    second: local.getUTCSeconds(),
    weekday: local.getUTCDay(),
    dayOfYear: Math.floor((local.getTime() - Date.UTC(year, 0, 1)) / 86_400_000) + 1,
    offsetMinutes,
    zoneName,
    nanosecond: Number(sub),
  };
}

function offsetAt(unixMs: number, zone: string): { offsetMinutes: number; zoneName: string } {
  if (zone === 'UTC' || zone === 'Local' || zone === '') return { offsetMinutes: 0, zoneName: 'UTC' };
  const part = (style: 'longOffset' | 'short') =>
    new Intl.DateTimeFormat('en-US', { timeZone: zone, timeZoneName: style })
      .formatToParts(unixMs)
      .find(({ type }) => type === 'timeZoneName')?.value ?? '';
  const [, sign, hours = '0', minutes = '0'] = /GMT([+-])(\d+):?(\d+)?/.exec(part('longOffset')) ?? [];
  const size = Number(hours) * 60 + Number(minutes);
  const offsetMinutes = sign === '-' ? -size : size;
  const name = part('short');
  return {
    offsetMinutes,
    zoneName: /^[A-Z]{3,4}$/.test(name) ? name : offsetText(offsetMinutes, '').replace(/00$/, ''),
  };
}

function offsetText(minutes: number, colon: string): string {
  const size = Math.abs(minutes);
  return `${minutes < 0 ? '-' : '+'}${two(Math.floor(size / 60))}${colon}${two(size % 60)}`;
}

const two = (value: number): string => String(value).padStart(2, '0');

export function formatTime(layout: string, nanoseconds: bigint, zone: string): string {
  const at = fieldsOf(nanoseconds, zone);
  return layout.replace(element, (token) => formatElement(token, at));
}

function formatElement(token: string, at: Fields): string {
  const twelve = at.hour % 12 === 0 ? 12 : at.hour % 12;
  const simple: Readonly<Record<string, string>> = {
    January: months[at.month] ?? '',
    Jan: (months[at.month] ?? '').slice(0, 3),
    '01': two(at.month + 1),
    '1': String(at.month + 1),
    Monday: days[at.weekday] ?? '',
    Mon: (days[at.weekday] ?? '').slice(0, 3),
    '02': two(at.day),
    _2: String(at.day).padStart(2, ' '),
    '2': String(at.day),
    '002': String(at.dayOfYear).padStart(3, '0'),
    __2: String(at.dayOfYear).padStart(3, ' '),
    '15': two(at.hour),
    '03': two(twelve),
    '3': String(twelve),
    '04': two(at.minute),
    '4': String(at.minute),
    '05': two(at.second),
    '5': String(at.second),
    '2006': String(at.year).padStart(4, '0'),
    _2006: `_${String(at.year).padStart(4, '0')}`,
    '06': two(((at.year % 100) + 100) % 100),
    PM: at.hour >= 12 ? 'PM' : 'AM',
    pm: at.hour >= 12 ? 'pm' : 'am',
    MST: at.zoneName,
  };
  return (
    simple[token] ?? (/^[.,]/.test(token) ? fractionText(token, at.nanosecond) : zoneText(token, at.offsetMinutes))
  );
}

function fractionText(token: string, nanosecond: number): string {
  const digits = String(nanosecond)
    .padStart(9, '0')
    .slice(0, token.length - 1);
  if (token[1] === '0') return `${token[0]}${digits}`;
  const trimmed = digits.replace(/0+$/, '');
  return trimmed === '' ? '' : `${token[0]}${trimmed}`;
}

function zoneText(token: string, offsetMinutes: number): string {
  if (token.startsWith('Z') && offsetMinutes === 0) return 'Z';
  const colon = token.includes(':') ? ':' : '';
  const full = offsetText(offsetMinutes, colon);
  if (/^[Z-]07$/.test(token)) return full.slice(0, 3);
  return /00$/.test(token) && /07:?00:?00$/.test(token) && token.length > 6 ? `${full}${colon}00` : full;
}

const parsers: Readonly<Record<string, string>> = {
  January: `(?<month_name>${months.join('|')})`,
  Jan: `(?<month_short>${months.map((month) => month.slice(0, 3)).join('|')})`,
  '01': '(?<month>\\d\\d)',
  '1': '(?<month>\\d\\d?)',
  Monday: `(?:${days.join('|')})`,
  Mon: `(?:${days.map((day) => day.slice(0, 3)).join('|')})`,
  '02': '(?<day>\\d\\d)',
  _2: ' ?(?<day>\\d\\d?)',
  '2': '(?<day>\\d\\d?)',
  '15': '(?<hour>\\d\\d)',
  '03': '(?<hour>\\d\\d)',
  '3': '(?<hour>\\d\\d?)',
  '04': '(?<minute>\\d\\d)',
  '4': '(?<minute>\\d\\d?)',
  '05': '(?<second>\\d\\d)(?<fraction>[.,]\\d+)?',
  '5': '(?<second>\\d\\d?)(?<fraction>[.,]\\d+)?',
  '2006': '(?<year>\\d{4})',
  '06': '(?<year_short>\\d\\d)',
  PM: '(?<half>AM|PM)',
  pm: '(?<half>am|pm)',
  MST: '(?<zone_name>[A-Z]{3,4})',
  'Z07:00': '(?<zone>Z|[+-]\\d\\d:\\d\\d)',
  Z0700: '(?<zone>Z|[+-]\\d{4})',
  '-07:00': '(?<zone>[+-]\\d\\d:\\d\\d)',
  '-0700': '(?<zone>[+-]\\d{4})',
  '-07': '(?<zone>[+-]\\d\\d)',
};

/** Unix nanoseconds; undefined when the text does not follow the layout. Without a zone the time is UTC. */
export function parseTime(layout: string, value: string): bigint | undefined {
  let pattern = '^';
  let from = 0;
  for (const match of layout.matchAll(element)) {
    const part = parsers[match[0]] ?? (/^[.,]/.test(match[0]) ? '' : undefined);
    if (part === undefined) return undefined;
    pattern += escapeRegex(layout.slice(from, match.index)) + part;
    from = match.index + match[0].length;
  }
  const found = new RegExp(`${pattern}${escapeRegex(layout.slice(from))}$`).exec(value)?.groups;
  return found && instantOf(found);
}

/** Go names the element of the layout at which reading stopped, and what was left of the text. */
export function parseComplaint(layout: string, value: string): string {
  let pattern = '^';
  let from = 0;
  let rest = value;
  let stopped = '';
  for (const match of layout.matchAll(element)) {
    stopped = match[0];
    pattern += escapeRegex(layout.slice(from, match.index));
    const before = new RegExp(pattern).exec(value);
    if (before) rest = value.slice(before[0].length);
    pattern += parsers[match[0]] ?? '';
    if (!before || !new RegExp(pattern).test(value)) break;
    from = match.index + match[0].length;
  }
  return `parsing time ${quoteGo(value)} as ${quoteGo(layout)}: cannot parse ${quoteGo(rest)} as ${quoteGo(stopped)}`;
}

const escapeRegex = (text: string): string => text.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&');

function instantOf(found: Readonly<Record<string, string | undefined>>): bigint | undefined {
  const number = (name: string, fallback: number) => (found[name] === undefined ? fallback : Number(found[name]));
  const shortYear = found['year_short'];
  const year =
    shortYear === undefined ? number('year', 0) : Number(shortYear) + (Number(shortYear) >= 69 ? 1900 : 2000);
  const name = found['month_name'] ?? found['month_short'];
  const month = name === undefined ? number('month', 1) - 1 : months.findIndex((known) => known.startsWith(name));
  let hour = number('hour', 0);
  const half = found['half']?.toUpperCase();
  if (half === 'PM' && hour < 12) hour += 12;
  if (half === 'AM' && hour === 12) hour = 0;
  const date = new Date(0);
  date.setUTCFullYear(year, month, number('day', 1));
  date.setUTCHours(hour, number('minute', 0), number('second', 0));
  const valid = date.getUTCMonth() === month && hour < 24 && number('minute', 0) < 60 && number('second', 0) < 60;
  if (!valid) return undefined;
  const fraction = BigInt((found['fraction'] ?? '.0').slice(1).padEnd(9, '0').slice(0, 9));
  const zone = /^([+-])(\d\d):?(\d\d)?$/.exec(found['zone'] ?? '');
  const offset = zone ? (Number(zone[2]) * 60 + Number(zone[3] ?? 0)) * (zone[1] === '-' ? -1 : 1) : 0;
  return (BigInt(date.getTime()) - BigInt(offset) * 60_000n) * 1_000_000n + fraction;
}
