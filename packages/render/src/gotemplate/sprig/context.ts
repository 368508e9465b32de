/** What functions need of the world. Whoever asks for time, chance or keys makes the render not reproducible. */
export interface SprigContext {
  /** Wall time in milliseconds since 1970. */
  readonly clock: { now(): number };
  readonly randomBytes: (size: number) => Buffer;
  /** Called with the name of each function whose answer differs from render to render. */
  readonly onUnreproducible: (name: string) => void;
}
