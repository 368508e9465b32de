import { type DestinationStream, pino } from 'pino';
import { LogFile } from './log-file.ts';

interface LogMethod {
  (fields: Readonly<Record<string, unknown>>, message: string): void;
  (message: string): void;
}

/** Structured log: a constant message, variable fields. Levels: error = a person should look, warn = degraded and
 * healing, info = state changed, debug = the rest. */
export interface Logger {
  readonly debug: LogMethod;
  readonly info: LogMethod;
  readonly warn: LogMethod;
  readonly error: LogMethod;
  child(fields: Readonly<Record<string, unknown>>): Logger;
}

interface LoggerOptions {
  readonly role: string;
  readonly level?: string;
  /** Appends to this file, which is bounded; default: standard output. */
  readonly file?: string;
  readonly destination?: DestinationStream;
}

export function createLogger({ role, level = 'info', file, destination }: LoggerOptions): Logger {
  const options = {
    level,
    base: { role },
    timestamp: pino.stdTimeFunctions.isoTime,
    formatters: { level: (label: string) => ({ level: label }) },
  };
  const stream = destination ?? (file ? new LogFile(file) : undefined);
  return stream ? pino(options, stream) : pino(options);
}

/** For tests and for parts that were given no logger. */
export const silentLogger: Logger = {
  debug: () => undefined,
  info: () => undefined,
  warn: () => undefined,
  error: () => undefined,
  child: () => silentLogger,
};
