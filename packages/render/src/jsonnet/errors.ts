import { RenderError } from '../errors.ts';

/** A program that cannot be read or evaluated; the message names file, line and column where they are known. */
export class JsonnetError extends RenderError {
  /** Whether the message says where already: outer expressions add nothing. */
  readonly isPlaced: boolean;

  constructor(message: string, { isPlaced = false }: { isPlaced?: boolean } = {}) {
    super(message, { code: 'render_failed' });
    this.isPlaced = isPlaced;
  }
}
