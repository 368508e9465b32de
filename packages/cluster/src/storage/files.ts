// Names and order of the store's files: `log-<n>` are the changes in order, `snapshot-<n>` stands for all logs before
// `log-<n>`. A snapshot counts only once it has its final name; until then the older files stay.
import { mkdir, open, readdir, readFile, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { StorageCorruptError } from './errors.ts';
import { type DecodedRecord, decodeRecords, encodeRecord } from './record.ts';

const digits = 10;
export const logPath = (dir: string, sequence: number): string => join(dir, `log-${pad(sequence)}`);
const snapshotPath = (dir: string, sequence: number) => join(dir, `snapshot-${pad(sequence)}`);
const pad = (sequence: number) => String(sequence).padStart(digits, '0');

export interface Recovered {
  /** Revision of the snapshot; 0 when there is none. */
  readonly snapshotRevision: number;
  readonly snapshot: readonly DecodedRecord[];
  readonly changes: readonly DecodedRecord[];
  /** The log to go on with, and how much of it is whole. */
  readonly log: { readonly path: string; readonly sequence: number; readonly goodBytes: number };
  readonly tornBytes: number;
}

export async function recover(dir: string): Promise<Recovered> {
  await mkdir(dir, { recursive: true, mode: 0o700 });
  const names = (await readdir(dir)).sort();
  const base = await newestSnapshot(dir, names);
  const logs = names.filter((name) => name.startsWith('log-') && sequenceIn(name) >= base.sequence);
  const changes: DecodedRecord[] = [];
  let log = { path: logPath(dir, base.sequence), sequence: base.sequence, goodBytes: 0 };
  let tornBytes = 0;
  for (const [index, name] of logs.entries()) {
    const path = join(dir, name);
    const file = await readFile(path);
    const { records, goodBytes } = decodeRecords(file);
    // Only the last file can be torn: a new one is begun after the old one is wholly on disk.
    if (goodBytes < file.length && index < logs.length - 1) throw new StorageCorruptError(path, goodBytes);
    changes.push(...records);
    log = { path, sequence: sequenceIn(name), goodBytes };
    tornBytes = file.length - goodBytes;
  }
  return { snapshotRevision: base.revision, snapshot: base.records, changes, log, tornBytes };
}

const sequenceIn = (name: string) => Number(name.slice(name.indexOf('-') + 1));

async function newestSnapshot(dir: string, names: readonly string[]) {
  for (const name of names.filter((candidate) => /^snapshot-\d+$/.test(candidate)).toReversed()) {
    const file = await readFile(join(dir, name));
    const { records, goodBytes } = decodeRecords(file);
    const end = records.at(-1)?.header;
    if (end?.type !== 'end') throw new StorageCorruptError(join(dir, name), goodBytes);
    return { sequence: sequenceIn(name), revision: end.revision, records: records.slice(0, -1) };
  }
  return { sequence: 0, revision: 0, records: [] as readonly DecodedRecord[] };
}

/** Writes a whole snapshot beside the old files, makes it count by a rename, then drops what it replaces. */
export async function writeSnapshot(
  dir: string,
  { sequence, revision, records }: { sequence: number; revision: number; records: Iterable<Buffer> },
): Promise<void> {
  const path = snapshotPath(dir, sequence);
  const handle = await open(`${path}.tmp`, 'w', 0o600);
  try {
    let chunk: Buffer[] = [];
    let chunkBytes = 0;
    for (const record of records) {
      chunk.push(record);
      chunkBytes += record.length;
      if (chunkBytes < 1024 * 1024) continue;
      await handle.appendFile(Buffer.concat(chunk));
      chunk = [];
      chunkBytes = 0;
    }
    chunk.push(encodeRecord({ type: 'end', revision, resource: '', namespace: '', name: '' }, undefined));
    await handle.appendFile(Buffer.concat(chunk));
    await handle.sync();
  } finally {
    await handle.close();
  }
  await rename(`${path}.tmp`, path);
  await syncFolder(dir);
  for (const name of await readdir(dir)) {
    if (/^(log|snapshot)-\d+$/.test(name) && sequenceIn(name) < sequence) await rm(join(dir, name));
  }
}

/** A rename or a new file is durable only once its folder is. */
export async function syncFolder(dir: string): Promise<void> {
  const handle = await open(dir, 'r');
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}
