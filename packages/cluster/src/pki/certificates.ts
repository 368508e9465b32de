// The cluster's own authority and the server's certificate under it (RFC 5280, ECDSA on P-256). Both are made once and
// kept; the server's is made anew when it nears its end or does not name the host.
import {
  createHash,
  createPrivateKey,
  generateKeyPairSync,
  type KeyObject,
  randomBytes,
  sign,
  X509Certificate,
} from 'node:crypto';
import { bits, boolean, explicit, implicit, integer, objectId, octets, sequence, set, time, utf8 } from './der.ts';

const dayMs = 24 * 60 * 60 * 1000;
const authorityDays = 3650;
const serverDays = 365;
/** A certificate with less time left is replaced at the next start. */
const renewBeforeDays = 30;

const ids = {
  commonName: objectId('2.5.4.3'),
  ecdsaWithSha256: objectId('1.2.840.10045.4.3.2'),
  basicConstraints: objectId('2.5.29.19'),
  keyUsage: objectId('2.5.29.15'),
  extendedKeyUsage: objectId('2.5.29.37'),
  serverAuth: objectId('1.3.6.1.5.5.7.3.1'),
  subjectAltName: objectId('2.5.29.17'),
  subjectKeyId: objectId('2.5.29.14'),
  authorityKeyId: objectId('2.5.29.35'),
} as const;

export interface KeyPair {
  /** PEM. */
  readonly certificate: string;
  readonly key: string;
}

const authorityName = 'fairlead-cluster-ca';

export function createAuthority(nowMs: number): KeyPair {
  const keys = newKeys();
  const keyId = keyIdOf(keys.spki);
  const extensions = [
    extension(ids.basicConstraints, sequence(boolean(true)), true),
    // keyCertSign and cRLSign: bits 5 and 6.
    extension(ids.keyUsage, bits(Buffer.from([0b0000_0110]), 1), true),
    extension(ids.subjectKeyId, octets(keyId)),
  ];
  const certificate = issue({
    subject: authorityName,
    spki: keys.spki,
    signer: keys.privateKey,
    days: authorityDays,
    nowMs,
    extensions,
  });
  return { certificate, key: keys.pem };
}

export function createServerCertificate(
  authority: KeyPair,
  { hosts, nowMs }: { hosts: readonly string[]; nowMs: number },
): KeyPair {
  const keys = newKeys();
  const issuer = new X509Certificate(authority.certificate);
  const issuerKeyId = keyIdOf(issuer.publicKey.export({ type: 'spki', format: 'der' }));
  const extensions = [
    extension(ids.basicConstraints, sequence(), true),
    // digitalSignature: bit 0.
    extension(ids.keyUsage, bits(Buffer.from([0b1000_0000]), 7), true),
    extension(ids.extendedKeyUsage, sequence(ids.serverAuth)),
    extension(ids.subjectAltName, sequence(...hosts.map(alternativeName))),
    extension(ids.authorityKeyId, sequence(implicit(0, issuerKeyId))),
    extension(ids.subjectKeyId, octets(keyIdOf(keys.spki))),
  ];
  const signer = createPrivateKey(authority.key);
  const certificate = issue({
    subject: 'fairlead-cluster',
    spki: keys.spki,
    signer,
    days: serverDays,
    nowMs,
    extensions,
  });
  return { certificate, key: keys.pem };
}

function newKeys() {
  const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const spki = publicKey.export({ type: 'spki', format: 'der' });
  return { privateKey, spki, pem: privateKey.export({ type: 'pkcs8', format: 'pem' }).toString() };
}

/** RFC 7093 method 1 in spirit: an identifier that follows from the key alone. */
const keyIdOf = (spki: Buffer) => createHash('sha256').update(spki).digest().subarray(0, 20);

const nameOf = (commonName: string) => sequence(set(sequence(ids.commonName, utf8(commonName))));

const extension = (id: Buffer, value: Buffer, isCritical = false) =>
  sequence(id, ...(isCritical ? [boolean(true)] : []), octets(value));

const isAddress = (host: string) => /^\d+(\.\d+){3}$/.test(host);

/** dNSName is [2], iPAddress is [7]; only IPv4 literals are addresses here. */
const alternativeName = (host: string) =>
  isAddress(host) ? implicit(7, Buffer.from(host.split('.').map(Number))) : implicit(2, Buffer.from(host));

interface Issue {
  readonly subject: string;
  readonly spki: Buffer;
  readonly signer: KeyObject;
  readonly days: number;
  readonly nowMs: number;
  readonly extensions: readonly Buffer[];
}

function issue({ subject, spki, signer, days, nowMs, extensions }: Issue): string {
  const algorithm = sequence(ids.ecdsaWithSha256);
  const version3 = explicit(0, integer(Buffer.from([2])));
  const validity = sequence(time(nowMs - dayMs), time(nowMs + days * dayMs));
  const body = sequence(
    version3,
    integer(randomBytes(16)),
    algorithm,
    nameOf(authorityName),
    validity,
    nameOf(subject),
    spki,
    explicit(3, sequence(...extensions)),
  );
  const certificate = sequence(body, algorithm, bits(sign('sha256', body, signer)));
  const lines = certificate.toString('base64').match(/.{1,64}/g) ?? [];
  return `-----BEGIN CERTIFICATE-----\n${lines.join('\n')}\n-----END CERTIFICATE-----\n`;
}

/** Whether a kept certificate can still be served for these hosts. */
export function isUsable(certificate: string, { hosts, nowMs }: { hosts: readonly string[]; nowMs: number }): boolean {
  const parsed = new X509Certificate(certificate);
  if (Date.parse(parsed.validTo) < nowMs + renewBeforeDays * dayMs) return false;
  return hosts.every((host) => (isAddress(host) ? parsed.checkIP(host) : parsed.checkHost(host)) !== undefined);
}
