// The name under which an engine holds the lease. It is kept in the engine's folder together with the process that uses it:
// an engine that was killed and started again is the same holder, and need not wait until its own lease runs out. Whoever
// cannot be sure that the former process is gone takes a new name and waits.
import { readFile, rename, writeFile } from 'node:fs/promises';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { isAlive, newId } from '@fairlead/base';
import { numberAt, stringAt } from '@fairlead/kube';

interface Holder {
  readonly identity: string;
  readonly host: string;
  /** Of the machine's start; a process id means nothing after another one. */
  readonly boot: string;
  readonly pid: number;
}

export async function engineIdentity(dir: string): Promise<string> {
  const file = join(dir, 'identity.json');
  const here = { host: hostname(), boot: await bootId(), pid: process.pid };
  const former = await readHolder(file);
  const isSame = former !== undefined && former.host === here.host && isGone(former, here);
  const identity = isSame ? former.identity : newId(`${here.host}_engine`);
  const draft = `${file}.${here.pid}`;
  await writeFile(draft, JSON.stringify({ identity, ...here }));
  await rename(draft, file);
  return identity;
}

/** A process that has our own id is gone: this folder belongs to one engine, and that is us now. */
function isGone(former: Holder, here: Omit<Holder, 'identity'>): boolean {
  return former.boot !== here.boot || former.pid === here.pid || !isAlive(former.pid);
}

/** Empty where the system does not tell; then a process id alone must do, and one that was given out anew costs a wait. */
async function bootId(): Promise<string> {
  return (await textOf('/proc/sys/kernel/random/boot_id'))?.trim() ?? '';
}

async function readHolder(file: string): Promise<Holder | undefined> {
  const text = await textOf(file);
  if (text === undefined) return undefined;
  try {
    const value: unknown = JSON.parse(text);
    const identity = stringAt(value, 'identity');
    if (!identity) return undefined;
    const [host, boot] = [stringAt(value, 'host') ?? '', stringAt(value, 'boot') ?? ''];
    return { identity, host, boot, pid: numberAt(value, 'pid') ?? 0 };
  } catch {
    return undefined; // written by nobody we know: a new name is always right
  }
}

async function textOf(file: string): Promise<string | undefined> {
  try {
    return await readFile(file, 'utf8');
  } catch (error) {
    if (stringAt(error, 'code') === 'ENOENT') return undefined;
    throw error;
  }
}
