// A watch on the wire is JSON documents separated by newlines, cut anywhere by TCP.
import { RetryableError } from '@fairlead/base';

/** A line longer than this is no event of a sane server (bodies are limited to 3 MiB). */
const maxLineBytes = 16 * 1024 * 1024;

export async function* jsonLines(chunks: AsyncIterable<Buffer>): AsyncGenerator<unknown> {
  let pending: Buffer[] = [];
  let pendingBytes = 0;
  for await (const chunk of chunks) {
    let start = 0;
    for (let end = chunk.indexOf(10); end >= 0; end = chunk.indexOf(10, start)) {
      pending.push(chunk.subarray(start, end));
      start = end + 1;
      const line = pending.length === 1 ? (pending[0] as Buffer) : Buffer.concat(pending); // length was just checked
      pending = [];
      pendingBytes = 0;
      if (line.length > 0) yield JSON.parse(line.toString('utf8'));
    }
    if (start < chunk.length) pending.push(chunk.subarray(start));
    pendingBytes += chunk.length - start;
    if (pendingBytes > maxLineBytes) {
      throw new RetryableError('watch_line_too_long', `a watch event is longer than ${maxLineBytes} bytes`);
    }
  }
}
