import { createCipheriv, createDecipheriv, createHmac, generateKeyPairSync, scryptSync } from 'node:crypto';
import { CallError } from '../errors.ts';
import { bcryptHash } from './blowfish.ts';
import type { SprigContext } from './context.ts';
import { define, type Functions, text, whole } from './define.ts';

// The Master Password algorithm, version 3: templates by type, and the characters each letter of a template stands for.
const templates: Readonly<Record<string, readonly string[]>> = {
  maximum: ['anoxxxxxxxxxxxxxxxxx', 'axxxxxxxxxxxxxxxxxno'],
  long: [
    'CvcvnoCvcvCvcv',
    'CvcvCvcvnoCvcv',
    'CvcvCvcvCvcvno',
    'CvccnoCvcvCvcv',
    'CvccCvcvnoCvcv',
    'CvccCvcvCvcvno',
    'CvcvnoCvccCvcv',
    'CvcvCvccnoCvcv',
    'CvcvCvccCvcvno',
    'CvcvnoCvcvCvcc',
    'CvcvCvcvnoCvcc',
    'CvcvCvcvCvccno',
    'CvccnoCvccCvcv',
    'CvccCvccnoCvcv',
    'CvccCvccCvcvno',
    'CvcvnoCvccCvcc',
    'CvcvCvccnoCvcc',
    'CvcvCvccCvccno',
    'CvccnoCvcvCvcc',
    'CvccCvcvnoCvcc',
    'CvccCvcvCvccno',
  ],
  medium: ['CvcnoCvc', 'CvcCvcno'],
  short: ['Cvcn'],
  basic: ['aaanaaan', 'aannaaan', 'aaannaaa'],
  pin: ['nnnn'],
};

const characters: Readonly<Record<string, string>> = {
  V: 'AEIOU',
  C: 'BCDFGHJKLMNPQRSTVWXYZ',
  v: 'aeiou',
  c: 'bcdfghjklmnpqrstvwxyz',
  A: 'AEIOUBCDFGHJKLMNPQRSTVWXYZ',
  a: 'AEIOUaeiouBCDFGHJKLMNPQRSTVWXYZbcdfghjklmnpqrstvwxyz',
  n: '0123456789',
  o: "@&%?,=[]_:-+*$#!'^~;()/.",
  x: 'AEIOUaeiouBCDFGHJKLMNPQRSTVWXYZbcdfghjklmnpqrstvwxyz0123456789!@#$%^&*()',
};

const seedName = 'com.lyndir.masterpassword';

function counted(value: string): Buffer {
  const bytes = Buffer.from(value);
  const length = Buffer.alloc(4);
  length.writeUInt32BE(bytes.length);
  return Buffer.concat([length, bytes]);
}

interface PasswordRequest {
  readonly counter: number;
  readonly type: string;
  readonly password: string;
  readonly user: string;
  readonly site: string;
}

function derivePassword({ counter, type, password, user, site }: PasswordRequest): string {
  const choices = Object.hasOwn(templates, type) ? templates[type] : undefined;
  if (!choices) return `cannot find password template ${type}`;
  const salt = Buffer.concat([Buffer.from(seedName), counted(user)]);
  const key = scryptSync(password, salt, 64, { N: 32768, r: 8, p: 2, maxmem: 128 * 1024 * 1024 });
  const count = Buffer.alloc(4);
  count.writeUInt32BE(counter);
  const seed = createHmac('sha256', key)
    .update(Buffer.concat([Buffer.from(seedName), counted(site), count]))
    .digest();
  const template = choices[(seed[0] ?? 0) % choices.length] ?? '';
  return [...template]
    .map((letter, index) => {
      const choice = characters[letter] ?? '';
      return choice[(seed[index + 1] ?? 0) % choice.length];
    })
    .join('');
}

function aesKey(password: string): Buffer {
  const key = Buffer.alloc(32);
  Buffer.from(password).copy(key, 0, 0, 32);
  return key;
}

function decryptAes(password: string, encrypted: string): string {
  if (encrypted === '') return '';
  const bytes = Buffer.from(encrypted, 'base64');
  if (bytes.length < 32 || bytes.length % 16 !== 0)
    throw new CallError('decryptAES: the text was not encrypted by encryptAES');
  const decipher = createDecipheriv('aes-256-cbc', aesKey(password), bytes.subarray(0, 16)).setAutoPadding(false);
  const plain = Buffer.concat([decipher.update(bytes.subarray(16)), decipher.final()]);
  return plain.subarray(0, Math.max(0, plain.length - (plain.at(-1) ?? 0))).toString('utf8');
}

const pkcs1 = { type: 'pkcs1', format: 'pem' } as const;

function privateKey(kind: string): string {
  switch (kind) {
    case '':
    case 'rsa':
      return String(generateKeyPairSync('rsa', { modulusLength: 4096 }).privateKey.export(pkcs1));
    case 'ecdsa':
      return String(
        generateKeyPairSync('ec', { namedCurve: 'P-256' }).privateKey.export({ type: 'sec1', format: 'pem' }),
      );
    case 'ed25519':
      return String(generateKeyPairSync('ed25519').privateKey.export({ type: 'pkcs8', format: 'pem' }));
    default:
      return `Unknown type ${kind}`;
  }
}

const bcryptCost = 10;
const maxBcryptBytes = 72;

function bcrypt(password: string, randomBytes: (size: number) => Buffer): string {
  if (Buffer.byteLength(password) > maxBcryptBytes)
    return 'failed to encrypt string with bcrypt: bcrypt: password length exceeds 72 bytes';
  return bcryptHash(password, randomBytes(16), bcryptCost);
}

export function cryptoFunctions({ randomBytes, onUnreproducible }: SprigContext): Functions {
  return {
    derivePassword: define('uint32 string string string string', ([counter, type, password, user, site]) =>
      derivePassword({
        counter: whole(counter),
        type: text(type),
        password: text(password),
        user: text(user),
        site: text(site),
      }),
    ),
    encryptAES: define('string string', ([password, plain]) => {
      if (text(plain) === '') return '';
      onUnreproducible('encryptAES');
      const iv = randomBytes(16);
      const cipher = createCipheriv('aes-256-cbc', aesKey(text(password)), iv);
      return Buffer.concat([iv, cipher.update(text(plain), 'utf8'), cipher.final()]).toString('base64');
    }),
    decryptAES: define('string string', ([password, encrypted]) => decryptAes(text(password), text(encrypted))),
    genPrivateKey: define('string', ([kind]) => {
      onUnreproducible('genPrivateKey');
      return privateKey(text(kind));
    }),
    bcrypt: define('string', ([password]) => {
      onUnreproducible('bcrypt');
      return bcrypt(text(password), randomBytes);
    }),
    htpasswd: define('string string', ([user, password]) => {
      if (text(user).includes(':')) return `invalid username: ${text(user)}`;
      onUnreproducible('htpasswd');
      return `${text(user)}:${bcrypt(text(password), randomBytes)}`;
    }),
  };
}
