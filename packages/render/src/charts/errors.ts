import { RetryableError } from '@fairlead/base';
import { RenderError } from '../errors.ts';

/** The repository answered, and the answer will not change by asking again: no such chart, refused, not what was promised. */
export class ChartError extends RenderError {
  constructor(code: 'chart_not_found' | 'chart_refused' | 'chart_invalid', message: string, cause?: unknown) {
    super(message, { code, cause });
  }
}

/** The repository could not be asked, or asks to be left alone for a while. */
export class ChartRepositoryUnavailableError extends RetryableError {
  readonly retryAfterMs: number | undefined;

  constructor(message: string, { cause, retryAfterMs }: { cause?: unknown; retryAfterMs?: number | undefined } = {}) {
    super('chart_repository_unavailable', message, { cause });
    this.retryAfterMs = retryAfterMs;
  }
}
