// One record on disk: length (u32), checksum (u32, CRC-32 of the body), body. The body is a header line of JSON and,
// for puts, the object's own bytes, so that an object is encoded once for disk and wire.
import { crc32 } from 'node:zlib';

export interface RecordHeader {
  readonly type: 'put' | 'delete' | 'end';
  readonly revision: number;
  readonly resource: string;
  readonly namespace: string;
  readonly name: string;
}

export interface DecodedRecord {
  readonly header: RecordHeader;
  readonly json: Buffer;
}

const prefixBytes = 8;
const newline = 10;
/** Bodies of requests are at most 3 MiB; a longer record can only be damage. */
const maxRecordBytes = 64 * 1024 * 1024;

export function encodeRecord(header: RecordHeader, json: Buffer | undefined): Buffer {
  const head = Buffer.from(`${JSON.stringify(header)}\n`);
  const bodyBytes = head.length + (json?.length ?? 0);
  const record = Buffer.allocUnsafe(prefixBytes + bodyBytes);
  head.copy(record, prefixBytes);
  json?.copy(record, prefixBytes + head.length);
  record.writeUInt32LE(bodyBytes, 0);
  record.writeUInt32LE(crc32(record.subarray(prefixBytes)), 4);
  return record;
}

export interface Decoded {
  readonly records: readonly DecodedRecord[];
  /** Where the last whole record ends; less than the file's length when the tail is torn. */
  readonly goodBytes: number;
}

/** Every record up to the first that is not whole. */
export function decodeRecords(file: Buffer): Decoded {
  const records: DecodedRecord[] = [];
  let at = 0;
  while (at + prefixBytes <= file.length) {
    const bodyBytes = file.readUInt32LE(at);
    const end = at + prefixBytes + bodyBytes;
    if (bodyBytes === 0 || bodyBytes > maxRecordBytes || end > file.length) break;
    const body = file.subarray(at + prefixBytes, end);
    if (crc32(body) !== file.readUInt32LE(at + 4)) break;
    const split = body.indexOf(newline);
    const header = JSON.parse(body.toString('utf8', 0, split)) as RecordHeader; // the checksum vouches for our own writing
    records.push({ header, json: Buffer.from(body.subarray(split + 1)) });
    at = end;
  }
  return { records, goodBytes: at };
}
