// Passwords: scrypt with a salt of its own each; checking one that does not exist costs as much as checking one that does.
import { randomBytes, scrypt, timingSafeEqual } from 'node:crypto';

/** 32 MiB and some 60 ms a check on a small machine. */
const cost = { N: 2 ** 15, r: 8, p: 1 };
const keyBytes = 32;
const maxmem = 64 * 1024 * 1024;

const derive = (password: string, salt: Buffer, options: typeof cost) =>
  new Promise<Buffer>((resolve, reject) => {
    scrypt(password.normalize('NFKC'), salt, keyBytes, { ...options, maxmem }, (error, key) =>
      error ? reject(error) : resolve(key),
    );
  });

export async function hashPassword(password: string): Promise<string> {
  const salt = randomBytes(16);
  const key = await derive(password, salt, cost);
  return ['scrypt', cost.N, cost.r, cost.p, salt.toString('base64url'), key.toString('base64url')].join('$');
}

export async function isPassword(password: string, stored: string | null | undefined): Promise<boolean> {
  const [kind, n, r, p, salt = '', key = ''] = (stored ?? '').split('$');
  if (kind !== 'scrypt') {
    await derive(password, Buffer.alloc(16), cost);
    return false;
  }
  const derived = await derive(password, Buffer.from(salt, 'base64url'), { N: Number(n), r: Number(r), p: Number(p) });
  const expected = Buffer.from(key, 'base64url');
  return expected.length === derived.length && timingSafeEqual(expected, derived);
}
