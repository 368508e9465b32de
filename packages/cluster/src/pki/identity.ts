// What the cluster is known by, kept in files that only their owner may read: authority, server certificate, admin token.
import { generateKeyPairSync } from 'node:crypto';
import { mkdir, readFile, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type Clock, randomToken } from '@fairlead/base';
import { createAuthority, createServerCertificate, isUsable, type KeyPair } from './certificates.ts';

export interface ClusterIdentity {
  readonly authority: KeyPair;
  readonly server: KeyPair;
  /** Bearer token of the administrator; the same across restarts. */
  readonly token: string;
  /** PEM; signs the tokens of service accounts. */
  readonly signingKey: string;
}

export async function loadIdentity(
  dir: string,
  { host, clock }: { host: string; clock: Clock },
): Promise<ClusterIdentity> {
  await mkdir(dir, { recursive: true, mode: 0o700 });
  const nowMs = clock.now();
  const hosts = [
    ...new Set([
      'localhost',
      '127.0.0.1',
      'kubernetes',
      'kubernetes.default',
      'kubernetes.default.svc',
      ...(host === '0.0.0.0' ? [] : [host]),
    ]),
  ];
  const authority = await kept(dir, 'ca', () => createAuthority(nowMs));
  const present = await readPair(dir, 'server');
  const isGood = present && isUsable(present.certificate, { hosts, nowMs });
  const server = isGood ? present : createServerCertificate(authority, { hosts, nowMs });
  if (!isGood) await writePair(dir, 'server', server);
  const signingKey = await keptText(join(dir, 'service-accounts.key'), newSigningKey);
  return { authority, server, token: await keptText(join(dir, 'admin-token'), randomToken), signingKey };
}

async function kept(dir: string, name: string, create: () => KeyPair): Promise<KeyPair> {
  const present = await readPair(dir, name);
  if (present) return present;
  const created = create();
  await writePair(dir, name, created);
  return created;
}

async function readPair(dir: string, name: string): Promise<KeyPair | undefined> {
  const certificate = await readIfThere(join(dir, `${name}.crt`));
  const key = await readIfThere(join(dir, `${name}.key`));
  return certificate && key ? { certificate, key } : undefined;
}

/** The key first: a certificate without its key is not taken for a pair. */
async function writePair(dir: string, name: string, { certificate, key }: KeyPair): Promise<void> {
  await writeSecret(join(dir, `${name}.key`), key);
  await writeSecret(join(dir, `${name}.crt`), certificate);
}

function newSigningKey(): string {
  const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  return privateKey.export({ type: 'pkcs8', format: 'pem' }).toString();
}

async function keptText(path: string, create: () => string): Promise<string> {
  const present = await readIfThere(path);
  if (present) return present.trim();
  const text = create();
  await writeSecret(path, text);
  return text;
}

/** Whole or not at all, readable by the owner only. */
export async function writeSecret(path: string, text: string): Promise<void> {
  await writeFile(`${path}.tmp`, text, { mode: 0o600 });
  await rename(`${path}.tmp`, path);
}

async function readIfThere(path: string): Promise<string | undefined> {
  try {
    return await readFile(path, 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
}
