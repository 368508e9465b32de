import { FairleadError } from './errors.ts';

export class TooLargeError extends FairleadError {
  constructor(maxBytes: number) {
    super('too_large', `the body is larger than ${maxBytes} bytes`, { details: { maxBytes } });
  }
}

/** All bytes of a stream (Node's or the web's), refused as soon as there are more than `maxBytes`. */
export async function readAll(
  stream: AsyncIterable<Uint8Array> | null | undefined,
  { maxBytes }: { maxBytes: number },
): Promise<Buffer> {
  const chunks: Uint8Array[] = [];
  let sizeBytes = 0;
  for await (const chunk of stream ?? []) {
    sizeBytes += chunk.length;
    if (sizeBytes > maxBytes) throw new TooLargeError(maxBytes);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}
