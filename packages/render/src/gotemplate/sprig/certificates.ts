// sprig's certificate functions: RSA 2048 keys unless one is given, SHA-256 signatures, both client and server use.
// Whoever uses them gets other keys at every render; the context is told so.
import {
  createHash,
  createPrivateKey,
  createPublicKey,
  createSign,
  generateKeyPairSync,
  type KeyObject,
  sign,
  X509Certificate,
} from 'node:crypto';
import { isIPv4, isIPv6 } from 'node:net';
import { CallError } from '../errors.ts';
import { GoSlice, GoStruct, type Value } from '../value.ts';
import type { SprigContext } from './context.ts';
import { define, type Functions, text, whole } from './define.ts';
import {
  bits,
  boolean,
  explicit,
  implicit,
  integer,
  none,
  objectId,
  octets,
  printable,
  sequence,
  set,
  time,
  utf8,
} from './der.ts';

const dayMs = 86_400_000;

interface Subject {
  readonly commonName: string;
  readonly ips: readonly string[];
  readonly dnsNames: readonly string[];
  readonly days: number;
  readonly isCa: boolean;
}

interface Signer {
  readonly name: Buffer;
  readonly key: KeyObject;
  readonly keyId: Buffer | undefined;
}

const certificate = (cert: string, key: string): GoStruct =>
  new GoStruct({
    type: 'sprig.certificate',
    fields: [
      ['Cert', cert],
      ['Key', key],
    ],
  });

const nameOf = (commonName: string): Buffer => {
  const value = /^[A-Za-z0-9 '()+,\-./:=?]*$/.test(commonName) ? printable(commonName) : utf8(commonName);
  return commonName === '' ? sequence() : sequence(set(sequence(objectId('2.5.4.3'), value)));
};

/** An elliptic or Edwards key signs in its own way; Node knows the digest, the certificate names the algorithm. */
function algorithmOf(key: KeyObject): Buffer {
  if (key.asymmetricKeyType === 'rsa') return sequence(objectId('1.2.840.113549.1.1.11'), none());
  if (key.asymmetricKeyType === 'ec') return sequence(objectId('1.2.840.10045.4.3.2'));
  if (key.asymmetricKeyType === 'ed25519') return sequence(objectId('1.3.101.112'));
  throw new CallError(`unsupported key type ${key.asymmetricKeyType}`);
}

const signed = (content: Buffer, key: KeyObject): Buffer =>
  key.asymmetricKeyType === 'ed25519' ? sign(null, content, key) : createSign('sha256').update(content).sign(key);

const publicInfo = (key: KeyObject): Buffer => createPublicKey(key).export({ type: 'spki', format: 'der' });

/** SHA-1 of the key's bits, which end the key's description. */
function keyIdOf(key: KeyObject): Buffer {
  const info = publicInfo(key);
  const { asymmetricKeyType } = key;
  const header = asymmetricKeyType === 'rsa' ? 24 : asymmetricKeyType === 'ec' ? 26 : 12;
  return createHash('sha1').update(info.subarray(header)).digest();
}

const extension = (id: string, value: Buffer, isCritical = false): Buffer =>
  sequence(objectId(id), ...(isCritical ? [boolean(true)] : []), octets(value));

function extensionsOf(subject: Subject, key: KeyObject, issuer: Signer): Buffer {
  const uses = sequence(objectId('1.3.6.1.5.5.7.3.1'), objectId('1.3.6.1.5.5.7.3.2'));
  const names = [
    ...subject.dnsNames.map((name) => implicit(2, Buffer.from(name))),
    ...subject.ips.map((ip) => implicit(7, addressBytes(ip))),
  ];
  return sequence(
    // digitalSignature and keyEncipherment, for authorities keyCertSign too.
    extension('2.5.29.15', subject.isCa ? bits(Buffer.from([0xa4]), 2) : bits(Buffer.from([0xa0]), 5), true),
    extension('2.5.29.37', uses),
    extension('2.5.29.19', subject.isCa ? sequence(boolean(true)) : sequence(), true),
    ...(subject.isCa ? [extension('2.5.29.14', octets(keyIdOf(key)))] : []),
    ...(issuer.keyId && !subject.isCa ? [extension('2.5.29.35', sequence(implicit(0, issuer.keyId)))] : []),
    ...(names.length > 0 ? [extension('2.5.29.17', sequence(...names))] : []),
  );
}

function addressBytes(ip: string): Buffer {
  if (isIPv4(ip)) return Buffer.from(ip.split('.').map(Number));
  const [head = '', tail = ''] = ip.split('::');
  const groups = (part: string): string[] => (part === '' ? [] : part.split(':'));
  const [before, after] = [groups(head), groups(tail)];
  const middle = ip.includes('::') ? Array.from({ length: 8 - before.length - after.length }, () => '0') : [];
  return Buffer.concat([...before, ...middle, ...after].map((group) => Buffer.from(group.padStart(4, '0'), 'hex')));
}

const pem = (label: string, content: Buffer): string => {
  const lines = content.toString('base64').match(/.{1,64}/g) ?? [];
  return `-----BEGIN ${label}-----\n${lines.join('\n')}\n-----END ${label}-----\n`;
};

const keyPem = (key: KeyObject): string => {
  if (key.asymmetricKeyType === 'rsa') return String(key.export({ type: 'pkcs1', format: 'pem' }));
  return String(key.export({ type: key.asymmetricKeyType === 'ec' ? 'sec1' : 'pkcs8', format: 'pem' }));
};

function listOf(value: Value, what: string): string[] {
  if (value === null || value === undefined) return [];
  if (!(value instanceof GoSlice)) throw new CallError(`${what} must be a list`);
  return value.items.map((item) => {
    if (typeof item !== 'string') throw new CallError(`error parsing ${what}: an item is not a string`);
    return item;
  });
}

function ipsOf(value: Value): string[] {
  return listOf(value, 'ips').map((ip) => {
    if (!isIPv4(ip) && !(isIPv6(ip) && !ip.includes('.'))) throw new CallError(`error parsing ip: ${ip}`);
    return ip;
  });
}

function givenKey(source: string): KeyObject {
  try {
    return createPrivateKey(source);
  } catch {
    throw new CallError('error parsing private key: it is not a PEM-encoded key');
  }
}

function signerOf(ca: Value): Signer {
  const [cert, key] = ca instanceof GoStruct ? [ca.fields.get('Cert'), ca.fields.get('Key')] : [];
  if (typeof cert !== 'string' || typeof key !== 'string')
    throw new CallError('error calling genSignedCert: ca is not a certificate');
  try {
    const parsed = new X509Certificate(cert);
    const commonName = /(?:^|\n)CN=(.*)/.exec(parsed.subject ?? '')?.[1] ?? '';
    const signing = createPrivateKey(key);
    return { name: nameOf(commonName), key: signing, keyId: keyIdOf(signing) };
  } catch (cause) {
    if (cause instanceof CallError) throw cause;
    throw new CallError('unable to parse certificate: it is not a PEM-encoded certificate with its key');
  }
}

function decoded(value: string, what: string): string {
  const content = Buffer.from(value, 'base64').toString('utf8');
  if (!content.includes('-----BEGIN ')) throw new CallError(`unable to decode ${what}`);
  return content;
}

export function certificateFunctions({ clock, randomBytes, onUnreproducible }: SprigContext): Functions {
  const issue = (subject: Subject, key: KeyObject, issuer: Signer): GoStruct => {
    const [now, algorithm] = [clock.now(), algorithmOf(issuer.key)];
    const content = sequence(
      explicit(0, integer(Buffer.from([2]))),
      integer(randomBytes(16)),
      algorithm,
      issuer.name,
      sequence(time(now), time(now + subject.days * dayMs)),
      nameOf(subject.commonName),
      publicInfo(key),
      explicit(3, extensionsOf(subject, key, issuer)),
    );
    return certificate(
      pem('CERTIFICATE', sequence(content, algorithm, bits(signed(content, issuer.key)))),
      keyPem(key),
    );
  };
  const self = (subject: Subject, key: KeyObject): GoStruct =>
    issue(subject, key, { name: nameOf(subject.commonName), key, keyId: undefined });
  const newKey = (): KeyObject => generateKeyPairSync('rsa', { modulusLength: 2048 }).privateKey;
  /** Each function in two forms: with a key of its own, and with a key given last. */
  const both = (name: string, signature: string, make: (args: Value[], key: KeyObject) => GoStruct): Functions => ({
    [name]: define(signature, (args) => {
      onUnreproducible(name);
      return make(args, newKey());
    }),
    [`${name}WithKey`]: define(`${signature} string`, (args) => {
      onUnreproducible(`${name}WithKey`);
      return make(args, givenKey(text(args.at(-1))));
    }),
  });
  const leaf = ([commonName, ips, names, days]: Value[]): Subject => ({
    commonName: text(commonName),
    ips: ipsOf(ips),
    dnsNames: listOf(names, 'alternate names'),
    days: whole(days),
    isCa: false,
  });
  return {
    ...both('genCA', 'string int', ([commonName, days], key) =>
      self({ commonName: text(commonName), ips: [], dnsNames: [], days: whole(days), isCa: true }, key),
    ),
    ...both('genSelfSignedCert', 'string any any int', (args, key) => self(leaf(args), key)),
    ...both('genSignedCert', 'string any any int any', (args, key) => issue(leaf(args), key, signerOf(args[4]))),
    buildCustomCert: define('string string', ([cert, key]) =>
      certificate(decoded(text(cert), 'certificate'), decoded(text(key), 'key')),
    ),
  };
}
