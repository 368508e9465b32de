// The words an error can say about what happens next. Callers branch on class or code, never on message text.

interface FairleadErrorOptions extends ErrorOptions {
  /** Facts for programs: field names, limits, ids. Never secrets. */
  readonly details?: Readonly<Record<string, unknown>>;
}

/** The base of every typed error: a stable `code`, a message with names in it, the cause kept. */
export class FairleadError extends Error {
  readonly code: string;
  readonly details: Readonly<Record<string, unknown>> | undefined;

  constructor(code: string, message: string, options: FairleadErrorOptions = {}) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause });
    this.name = new.target.name;
    this.code = code;
    this.details = options.details;
  }
}

/** Stop: trying again without a person's act gives the same answer. */
export class TerminalError extends FairleadError {}

/** Try again with back-off: the other side may recover. */
export class RetryableError extends FairleadError {}

/** Not an error of anybody: look again after `retryAfterMs`. */
export class WaitingError extends FairleadError {
  readonly retryAfterMs: number;

  constructor(code: string, message: string, retryAfterMs: number, options: FairleadErrorOptions = {}) {
    super(code, message, options);
    this.retryAfterMs = retryAfterMs;
  }
}

/** The message of anything that was thrown, causes included, on one line. */
export function errorMessage(thrown: unknown): string {
  if (!(thrown instanceof Error)) return String(thrown);
  const own = thrown.message || thrown.name;
  if (thrown.cause === undefined) return own;
  const cause = errorMessage(thrown.cause);
  return own.includes(cause) ? own : `${own}: ${cause}`;
}

/** True for what `AbortSignal` makes calls throw; a stop is not a failure. */
export function isAbortError(thrown: unknown): boolean {
  return thrown instanceof Error && (thrown.name === 'AbortError' || thrown.name === 'TimeoutError');
}

export function assertNever(value: never): never {
  throw new Error(`unreachable: ${JSON.stringify(value)}`);
}
