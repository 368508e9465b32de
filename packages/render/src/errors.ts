import { TerminalError } from '@fairlead/base';

/** The source cannot be turned into manifests; the message names the file, and the line where there is one. */
export class RenderError extends TerminalError {
  constructor(message: string, options: { cause?: unknown; code?: string } = {}) {
    super(options.code ?? 'render_failed', message, { cause: options.cause });
  }
}

/** The source asks for something this renderer does not do; never a silent difference. */
export class UnsupportedSourceError extends RenderError {
  constructor(message: string) {
    super(message, { code: 'render_unsupported' });
  }
}
