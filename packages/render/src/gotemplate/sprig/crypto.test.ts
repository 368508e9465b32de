import { createPrivateKey, X509Certificate } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { TemplateSet } from '../template-set.ts';
import { bcryptHash } from './blowfish.ts';
import { sprigFunctions } from './sprig.ts';

const unreproducible = new Set<string>();
const run = (source: string): string => {
  const set = new TemplateSet({
    functions: sprigFunctions({
      clock: { now: () => Date.parse('2030-01-01T00:00:00Z') },
      randomBytes: (size) => Buffer.alloc(size, 7),
      onUnreproducible: (name) => unreproducible.add(name),
    }),
  });
  set.add('t', source);
  return set.execute('t', null);
};

describe('bcrypt', () => {
  // Public test vectors of the algorithm.
  it.each([
    ['', 'DCq7YPn5Rq63x1Lad4cll.', '$2a$06$DCq7YPn5Rq63x1Lad4cll.TV4S6ytwfsfvkgY8jIucDrjc8deX1s.'],
    ['a', 'm0CrhHm10qJ3lXRY.5zDGO', '$2a$06$m0CrhHm10qJ3lXRY.5zDGO3rS2KdeeWLuGmsfGlMfOxih58VYVfxe'],
  ])('of %j is what everybody else makes of it', (password, salt, hash) => {
    const standard = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/';
    const own = './ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789';
    const bytes = Buffer.from([...salt].map((char) => standard[own.indexOf(char)]).join(''), 'base64');
    expect(bcryptHash(password, bytes.subarray(0, 16), 6)).toBe(hash);
  });

  it('is what htpasswd puts after the user, and makes a render not reproducible', () => {
    expect(run('{{ htpasswd "bob" "secret" }}')).toMatch(/^bob:\$2a\$10\$.{53}$/);
    expect(run('{{ htpasswd "b:b" "secret" }}')).toBe('invalid username: b:b');
    expect(unreproducible.has('htpasswd')).toBe(true);
  });
});

describe('certificates', () => {
  it('that a CA signed verify against it, with their names, addresses and dates', () => {
    const [ca = '', cert = '', key = ''] = run(
      '{{ $ca := genCA "my ca" 10 }}{{ $c := genSignedCert "svc" (list "10.0.0.1" "::1") (list "svc.ns" "é.example") 3 $ca }}{{ $ca.Cert }}|{{ $c.Cert }}|{{ $c.Key }}',
    ).split('|');
    const [authority, issued] = [new X509Certificate(ca), new X509Certificate(cert)];
    expect(authority.ca).toBe(true);
    expect(authority.verify(authority.publicKey)).toBe(true);
    expect([issued.ca, issued.checkIssued(authority), issued.verify(authority.publicKey)]).toEqual([false, true, true]);
    expect(issued.checkPrivateKey(createPrivateKey(key))).toBe(true);
    expect([issued.checkIP('10.0.0.1'), issued.checkIP('::1'), issued.checkHost('svc.ns')]).not.toContain(undefined);
    expect(Date.parse(issued.validTo)).toBe(Date.parse('2030-01-04T00:00:00Z'));
  });

  it('are signed with the key given', () => {
    const source =
      '{{ $k := genPrivateKey "ecdsa" }}{{ $c := genSelfSignedCertWithKey "x" nil nil 1 $k }}{{ $c.Cert }}|{{ $k }}';
    const [cert = '', key = ''] = run(source).split('|');
    const issued = new X509Certificate(cert);
    expect([issued.verify(issued.publicKey), issued.checkPrivateKey(createPrivateKey(key))]).toEqual([true, true]);
  });

  it('are taken as they are by buildCustomCert, and refused when they are none', () => {
    expect(() => run('{{ buildCustomCert "eA==" "eA==" }}')).toThrow('unable to decode certificate');
  });
});
