import { X509Certificate } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { createAuthority, createServerCertificate, isUsable } from './certificates.ts';

const nowMs = Date.now();
const hosts = ['localhost', '127.0.0.1'];

describe('the cluster certificates', () => {
  const authority = createAuthority(nowMs);
  const server = createServerCertificate(authority, { hosts, nowMs });

  it('makes an authority that signs itself', () => {
    const ca = new X509Certificate(authority.certificate);
    expect(ca.ca).toBe(true);
    expect(ca.verify(ca.publicKey)).toBe(true);
  });

  it('makes a server certificate that the authority vouches for, for every host', () => {
    const certificate = new X509Certificate(server.certificate);
    expect(certificate.checkIssued(new X509Certificate(authority.certificate))).toBe(true);
    expect(certificate.verify(new X509Certificate(authority.certificate).publicKey)).toBe(true);
    expect(certificate.checkHost('localhost')).toBe('localhost');
    expect(certificate.checkIP('127.0.0.1')).toBe('127.0.0.1');
  });

  it('takes a certificate for unusable when it lacks a host or nears its end', () => {
    expect(isUsable(server.certificate, { hosts, nowMs })).toBe(true);
    expect(isUsable(server.certificate, { hosts: [...hosts, 'other'], nowMs })).toBe(false);
    expect(isUsable(server.certificate, { hosts, nowMs: nowMs + 340 * 24 * 3600 * 1000 })).toBe(false);
  });
});
