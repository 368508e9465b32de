import { describe, expect, it } from 'vitest';
import { AddressGuard } from './address-guard.ts';

const guard = (networks: string[] = []) =>
  new AddressGuard({ networks, own: () => ({ port: 3000, publicUrl: 'https://fairlead.example.com' }) });

describe('a URL of a runtime', () => {
  it.each([
    'https://runtime.example.com',
    'https://runtime.example.com:8443/team-a',
    'https://93.184.216.34/',
    'https://[2606:2800:220:1:248:1893:25c8:1946]/',
  ])('%s is taken', (url) => {
    expect(guard().readUrl(url, 'ingress').protocol).toBe('https:');
  });

  it.each([
    ['http://runtime.example.com', 'https://'],
    ['ftp://runtime.example.com', 'https://'],
    ['gopher://runtime.example.com', 'https://'],
    ['runtime.example.com', 'no URL'],
    ['https://user:word@runtime.example.com', 'no user name'],
    ['https://allowed.com@evil.com/', 'no user name'],
    ['https://runtime.example.com/?x=1', 'no query'],
    ['https://fairlead.example.com', 'platform itself'],
    ['https://FAIRLEAD.example.com:443/x', 'platform itself'],
    ['https://127.0.0.1/', 'not public'],
    ['https://127.0.0.1:3000/', 'platform itself'],
    ['https://2130706433/', 'not public'],
    ['https://0x7f.1/', 'not public'],
    ['https://0/', 'not public'],
    ['https://10.1.2.3/', 'not public'],
    ['https://[::ffff:10.0.0.1]/', 'not public'],
    ['https://[::1]/', 'not public'],
    ['https://[fe80::1]/', 'not public'],
    ['https://[fd12::1]/', 'not public'],
    ['https://169.254.169.254/latest/meta-data', 'hands out credentials'],
    ['https://[::ffff:169.254.169.254]/', 'hands out credentials'],
    ['https://[fd00:ec2::254]/', 'hands out credentials'],
    ['https://100.100.100.200/', 'hands out credentials'],
  ])('%s is refused', (url, words) => {
    expect(() => guard().readUrl(url, 'ingress')).toThrow(words);
  });

  it('may be plain http in a mesh, and private where the operator named the network', () => {
    expect(guard(['10.0.0.0/8']).readUrl('http://10.1.2.3:8080', 'mesh').port).toBe('8080');
    expect(() => guard(['10.0.0.0/8']).readUrl('http://192.168.1.1', 'mesh')).toThrow('not public');
    expect(() => guard(['0.0.0.0/0']).readUrl('http://169.254.169.254', 'mesh')).toThrow('hands out credentials');
    expect(() => guard(['10.0.0.0']).readUrl('http://10.1.2.3', 'mesh')).toThrow('is no network');
  });

  it('is judged by the address that its name stands for when it is called', async () => {
    const url = new URL('https://runtime.example:9');
    const name = '127.1'; // one that every resolver knows, also without a hosts file
    const error = await new Promise<Error | null>((resolve) => {
      guard().lookupFor(url)(name, { all: true }, (failure) => resolve(failure));
    });
    expect(error?.message).toContain('not public');
    expect(error?.message).not.toContain('127.0.0.1');
  });
});
