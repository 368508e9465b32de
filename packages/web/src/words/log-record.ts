// A line of a log read as what a structured logger wrote: when, how grave, what, and the fields. Lines of anything else are
// their own message. Programs are of anybody: nothing is believed that is not what it should be.
export type LogLevel = 'debug' | 'info' | 'warn' | 'error';

export interface LogRecord {
  /** RFC 3339 as written; '' when the line does not say. */
  readonly time: string;
  /** Undefined for lines that do not say. */
  readonly level: LogLevel | undefined;
  readonly message: string;
  /** In the order written; objects as JSON. */
  readonly fields: readonly (readonly [name: string, value: string])[];
}

const timeNames = ['time', 'ts', 'timestamp', '@timestamp'];
const levelNames = ['level', 'lvl', 'severity'];
const messageNames = ['msg', 'message'];
const stamp = /^(\d{4}-\d\d-\d\d[T ]\d\d:\d\d:\d\d(?:[.,]\d+)?(?:Z|[+-]\d\d:?\d\d)?)\s+/;

/** `time` is what the reader of the log knows already; a time within the line is the program's own and wins. */
export function logRecord(line: string, time = ''): LogRecord {
  const written = line.startsWith('{') ? parsed(line) : undefined;
  if (written) {
    const message = firstOf(written, messageNames);
    if (message !== undefined) return structured(written, message, time);
  }
  const [whole = '', own] = stamp.exec(line) ?? [];
  return { time: own ?? time, level: undefined, message: line.slice(whole.length), fields: [] };
}

type Written = Readonly<Record<string, unknown>>;

function parsed(line: string): Written | undefined {
  try {
    const value: unknown = JSON.parse(line);
    return typeof value === 'object' && value !== null ? (value as Written) : undefined;
  } catch {
    return undefined; // looks like JSON and is not: then it is text
  }
}

const firstOf = (written: Written, names: readonly string[]): string | undefined => {
  const value = names.map((name) => written[name]).find((found) => typeof found === 'string');
  return typeof value === 'string' ? value : undefined;
};

function structured(written: Written, message: string, time: string): LogRecord {
  const known = new Set([...timeNames, ...levelNames, ...messageNames]);
  const level = levelNames.map((name) => written[name]).find((value) => value !== undefined);
  return {
    time: firstOf(written, timeNames) ?? time,
    level: levelOf(level),
    message,
    fields: Object.entries(written)
      .filter(([name]) => !known.has(name))
      .map(([name, value]) => [name, typeof value === 'string' ? value : JSON.stringify(value)] as const),
  };
}

/** Words of the common loggers, and the numbers of pino and bunyan. */
function levelOf(value: unknown): LogLevel | undefined {
  if (typeof value === 'number') return value >= 50 ? 'error' : value >= 40 ? 'warn' : value >= 30 ? 'info' : 'debug';
  if (typeof value !== 'string') return undefined;
  const word = value.toLowerCase();
  if (/^(err|crit|fatal|panic|alert|emerg)/.test(word)) return 'error';
  if (word.startsWith('warn')) return 'warn';
  if (/^(info|notice)/.test(word)) return 'info';
  return /^(debug|trace)/.test(word) ? 'debug' : undefined;
}

/** `21:32:41.060` in the zone of the reader; the text itself when it is no time. */
export function clockTime(time: string): string {
  const date = new Date(time);
  if (time === '' || Number.isNaN(date.getTime())) return time;
  const two = (value: number, digits = 2) => String(value).padStart(digits, '0');
  return `${two(date.getHours())}:${two(date.getMinutes())}:${two(date.getSeconds())}.${two(date.getMilliseconds(), 3)}`;
}
