// The cluster's own authority and the server's certificate under it. Both are made once and kept; the server's is made
// anew when it nears its end or does not name the host.
import { X509Certificate as NodeCertificate, randomBytes, webcrypto } from 'node:crypto';
import * as x509 from '@peculiar/x509';

const algorithm = { name: 'ECDSA', namedCurve: 'P-256', hash: 'SHA-256' };
const dayMs = 24 * 60 * 60 * 1000;
const authorityDays = 3650;
const serverDays = 365;
/** A certificate with less time left is replaced at the next start. */
const renewBeforeDays = 30;

export interface KeyPair {
  /** PEM. */
  readonly certificate: string;
  readonly key: string;
}

type CryptoKeyPair = webcrypto.CryptoKeyPair;

async function newKeys(): Promise<CryptoKeyPair> {
  return (await webcrypto.subtle.generateKey(algorithm, true, ['sign', 'verify'])) as CryptoKeyPair; // an asymmetric algorithm gives a pair
}

async function keyPem(key: webcrypto.CryptoKey): Promise<string> {
  return x509.PemConverter.encode(await webcrypto.subtle.exportKey('pkcs8', key), 'PRIVATE KEY');
}

const validity = (nowMs: number, days: number) => ({
  notBefore: new Date(nowMs - dayMs),
  notAfter: new Date(nowMs + days * dayMs),
});

export async function createAuthority(nowMs: number): Promise<KeyPair> {
  const keys = await newKeys();
  const certificate = await x509.X509CertificateGenerator.createSelfSigned(
    {
      serialNumber: randomBytes(16).toString('hex'),
      name: 'CN=fairlead-cluster-ca',
      ...validity(nowMs, authorityDays),
      signingAlgorithm: algorithm,
      keys,
      extensions: [
        new x509.BasicConstraintsExtension(true, undefined, true),
        new x509.KeyUsagesExtension(x509.KeyUsageFlags.keyCertSign | x509.KeyUsageFlags.cRLSign, true),
        await x509.SubjectKeyIdentifierExtension.create(keys.publicKey, false, webcrypto),
      ],
    },
    webcrypto,
  );
  return { certificate: certificate.toString('pem'), key: await keyPem(keys.privateKey) };
}

export async function createServerCertificate(
  authority: KeyPair,
  { hosts, nowMs }: { hosts: readonly string[]; nowMs: number },
): Promise<KeyPair> {
  const keys = await newKeys();
  const issuer = new x509.X509Certificate(authority.certificate);
  const signingKey = await webcrypto.subtle.importKey(
    'pkcs8',
    x509.PemConverter.decodeFirst(authority.key),
    algorithm,
    false,
    ['sign'],
  );
  const certificate = await x509.X509CertificateGenerator.create(
    {
      serialNumber: randomBytes(16).toString('hex'),
      subject: 'CN=fairlead-cluster',
      issuer: issuer.subject,
      ...validity(nowMs, serverDays),
      signingAlgorithm: algorithm,
      publicKey: keys.publicKey,
      signingKey,
      extensions: [
        new x509.BasicConstraintsExtension(false, undefined, true),
        new x509.KeyUsagesExtension(x509.KeyUsageFlags.digitalSignature, true),
        new x509.ExtendedKeyUsageExtension([x509.ExtendedKeyUsage.serverAuth]),
        new x509.SubjectAlternativeNameExtension(
          hosts.map((host) => ({ type: isAddress(host) ? ('ip' as const) : ('dns' as const), value: host })),
        ),
        await x509.AuthorityKeyIdentifierExtension.create(issuer, false, webcrypto),
      ],
    },
    webcrypto,
  );
  return { certificate: certificate.toString('pem'), key: await keyPem(keys.privateKey) };
}

const isAddress = (host: string) => /^[\d.]+$/.test(host) || host.includes(':');

/** Whether a kept certificate can still be served for these hosts. */
export function isUsable(certificate: string, { hosts, nowMs }: { hosts: readonly string[]; nowMs: number }): boolean {
  const parsed = new NodeCertificate(certificate);
  if (Date.parse(parsed.validTo) < nowMs + renewBeforeDays * dayMs) return false;
  return hosts.every((host) => (isAddress(host) ? parsed.checkIP(host) : parsed.checkHost(host)) !== undefined);
}
