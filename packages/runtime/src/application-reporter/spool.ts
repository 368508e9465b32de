// Reports that must be seen, on disk until the platform has taken them: one file, only appended to. A record is
// `crc32 ticket + json` or, when its report was taken, `crc32 ticket -`. Survives kill -9 at any point: a torn or damaged
// record is skipped and counted, never guessed. It is not synced to the disk with each record: a power cut may cost the
// last moments, which a comparison with the platform mends for all but overtaken operations. When nothing waits the file
// is emptied; when it is mostly waste it is written anew.
import {
  closeSync,
  ftruncateSync,
  mkdirSync,
  openSync,
  readSync,
  renameSync,
  rmSync,
  statSync,
  writeSync,
} from 'node:fs';
import { join } from 'node:path';
import { crc32 } from 'node:zlib';
import { FairleadError, type Logger } from '@fairlead/base';
import type { ReportedObject } from '@fairlead/contracts';
import type { OutgoingReport } from './outbox.ts';

interface SpoolOptions {
  readonly dir: string;
  /** Of reports that wait; at the bound `put` takes no more. */
  readonly maxBytes: number;
  readonly log: Logger;
}

interface Place {
  readonly offset: number;
  readonly length: number;
}

const newline = 0x0a;
const chunkBytes = 1024 * 1024;

export class Spool {
  readonly #options: SpoolOptions;
  readonly #file: string;
  readonly #places = new Map<number, Place>();
  #descriptor: number;
  #endBytes = 0;
  #liveBytes = 0;
  #lastTicket = 0;
  /** Records that could not be read back. */
  damaged = 0;

  /** Finds again what was not taken before. One process per folder. */
  static open(options: SpoolOptions): Spool {
    mkdirSync(options.dir, { recursive: true, mode: 0o700 });
    const spool = new Spool(options);
    spool.#recover();
    return spool;
  }

  private constructor(options: SpoolOptions) {
    this.#options = options;
    this.#file = join(options.dir, 'spool.log');
    rmSync(`${this.#file}.new`, { force: true });
    this.#descriptor = openSync(this.#file, 'a+', 0o600);
  }

  /** In the order they were put. */
  tickets(): number[] {
    return [...this.#places.keys()];
  }

  get sizeBytes(): number {
    return this.#liveBytes;
  }

  /** Undefined at the bound. */
  put(report: OutgoingReport): number | undefined {
    const { object, contents } = report;
    const ticket = this.#lastTicket + 1;
    const record = encode(`${ticket} + ${JSON.stringify({ object, contents: Object.fromEntries(contents) })}`);
    if (this.#liveBytes + record.length > this.#options.maxBytes) return undefined;
    this.#lastTicket = ticket;
    this.#places.set(ticket, this.#append(record));
    this.#liveBytes += record.length;
    return ticket;
  }

  /** Undefined when it was dropped or cannot be read back. */
  read(ticket: number): OutgoingReport | undefined {
    const place = this.#places.get(ticket);
    if (!place) return undefined;
    const bytes = Buffer.alloc(place.length);
    readSync(this.#descriptor, bytes, 0, place.length, place.offset);
    const found = decode(bytes.subarray(0, -1));
    if (found?.json === undefined) {
      this.damaged++;
      return undefined;
    }
    const { object, contents } = JSON.parse(found.json) as {
      object: ReportedObject;
      contents: Record<string, unknown>;
    }; // our own record, and its checksum holds
    return { object, contents: new Map(Object.entries(contents)) };
  }

  /** Taken, or not needed any more. */
  drop(ticket: number): void {
    const place = this.#places.get(ticket);
    if (!place) return;
    this.#places.delete(ticket);
    this.#liveBytes -= place.length;
    if (this.#places.size === 0) this.#clear();
    else if (this.#endBytes > this.#options.maxBytes && this.#liveBytes < this.#endBytes / 2) this.#rewrite();
    else this.#append(encode(`${ticket} -`));
  }

  close(): void {
    closeSync(this.#descriptor);
  }

  #append(record: Buffer): Place {
    for (let written = 0; written < record.length; ) written += writeSync(this.#descriptor, record, written);
    const place = { offset: this.#endBytes, length: record.length };
    this.#endBytes += record.length;
    return place;
  }

  #clear(): void {
    ftruncateSync(this.#descriptor, 0);
    this.#endBytes = 0;
    this.#liveBytes = 0;
  }

  /** Beside and renamed: killed in between, the old file counts. */
  #rewrite(): void {
    const { log } = this.#options;
    const before = this.#descriptor;
    const kept = [...this.#places];
    const next = openSync(`${this.#file}.new`, 'a+', 0o600);
    this.#descriptor = next;
    this.#endBytes = 0;
    for (const [ticket, { offset, length }] of kept) {
      const bytes = Buffer.alloc(length);
      readSync(before, bytes, 0, length, offset);
      this.#places.set(ticket, this.#append(bytes));
    }
    renameSync(`${this.#file}.new`, this.#file);
    closeSync(before);
    log.debug({ reports: kept.length, sizeBytes: this.#endBytes }, 'spool written anew');
  }

  #recover(): void {
    const sizeBytes = statSync(this.#file).size;
    let rest: Buffer = Buffer.alloc(0);
    let offset = 0;
    for (let at = 0; at < sizeBytes; ) {
      const chunk = Buffer.alloc(Math.min(chunkBytes, sizeBytes - at));
      const read = readSync(this.#descriptor, chunk, 0, chunk.length, at);
      if (read === 0) break;
      at += read;
      rest = Buffer.concat([rest, chunk.subarray(0, read)]);
      for (let end = rest.indexOf(newline); end >= 0; end = rest.indexOf(newline)) {
        this.#recall(rest.subarray(0, end), { offset, length: end + 1 });
        offset += end + 1;
        rest = rest.subarray(end + 1);
      }
    }
    // A record that was being written when the process died.
    if (rest.length > 0) ftruncateSync(this.#descriptor, offset);
    this.#endBytes = offset;
    if (this.#places.size === 0) this.#clear();
    else this.#options.log.info({ reports: this.#places.size, damaged: this.damaged }, 'reports found in the spool');
  }

  #recall(line: Buffer, place: Place): void {
    const found = decode(line);
    if (!found) {
      this.damaged++;
      return;
    }
    this.#lastTicket = Math.max(this.#lastTicket, found.ticket);
    if (found.json !== undefined) {
      this.#places.set(found.ticket, place);
      this.#liveBytes += place.length;
      return;
    }
    this.#liveBytes -= this.#places.get(found.ticket)?.length ?? 0;
    this.#places.delete(found.ticket);
  }
}

/** Eight hex digits of the checksum, a blank, the text, a line end; JSON has no line end of its own. */
function encode(text: string): Buffer {
  if (text.includes('\n')) throw new FairleadError('bad_record', 'a record of the spool must be one line');
  return Buffer.from(`${checksum(text)} ${text}\n`);
}

const checksum = (text: string | Buffer) => crc32(text).toString(16).padStart(8, '0');

function decode(line: Buffer): { readonly ticket: number; readonly json: string | undefined } | undefined {
  const text = line.subarray(9);
  if (line.subarray(0, 8).toString('latin1') !== checksum(text)) return undefined;
  const [, ticket, sign, json] = /^(\d+) ([+-]) ?(.*)$/s.exec(text.toString('utf8')) ?? [];
  if (ticket === undefined) return undefined;
  return { ticket: Number(ticket), json: sign === '+' ? json : undefined };
}
