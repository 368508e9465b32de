// Which addresses the platform calls as a runtime's. An administrator of an account names the URL, so it is judged like any
// stranger's: by the address that its name stands for at the moment of connecting, not by the name. Public addresses are
// called; other networks only where the operator of the platform has named them; the platform itself, and addresses where
// clouds hand out credentials, never.
import { type LookupAddress, lookup as resolve } from 'node:dns';
import { BlockList, isIP, type LookupFunction } from 'node:net';
import { networkInterfaces } from 'node:os';
import type { RuntimeAccess } from '@fairlead/contracts';
import { RuntimeAccessError } from './errors.ts';

interface GuardOptions {
  /** CIDR blocks that are called although they are not public, e.g. `10.0.0.0/8`. */
  readonly networks: readonly string[];
  /** Where the platform itself listens and is reached; known once it listens. */
  readonly own: () => { readonly port: number; readonly publicUrl: string };
}

/** RFC 6890 and its kin: not reachable from the internet, or not one host. */
const special = [
  ...['0.0.0.0/8', '10.0.0.0/8', '100.64.0.0/10', '127.0.0.0/8', '169.254.0.0/16', '172.16.0.0/12', '192.0.0.0/24'],
  ...['192.0.2.0/24', '192.168.0.0/16', '198.18.0.0/15', '198.51.100.0/24', '203.0.113.0/24', '224.0.0.0/4'],
  ...['240.0.0.0/4', '::/127', '64:ff9b::/96', '64:ff9b:1::/48', '100::/64', '2001::/23', '2001:db8::/32'],
  ...['2002::/16', 'fc00::/7', 'fe80::/10', 'fec0::/10', 'ff00::/8'],
];
/** Metadata services of clouds; no setting opens them. */
const metadata = [
  '169.254.169.254/32',
  '169.254.170.2/32',
  '100.100.100.200/32',
  '192.0.0.192/32',
  'fd00:ec2::254/128',
];

const blocksOf = (networks: readonly string[]): BlockList => {
  const list = new BlockList();
  for (const network of networks) {
    const [address = '', prefix = ''] = network.split('/');
    const family = isIP(address);
    if (!family || !/^\d{1,3}$/.test(prefix)) {
      throw new RuntimeAccessError(`runtimeNetworks: ${network} is no network; write e.g. 10.0.0.0/8`);
    }
    list.addSubnet(address, Number(prefix), family === 6 ? 'ipv6' : 'ipv4');
  }
  return list;
};
const specialBlocks = blocksOf(special);
const metadataBlocks = blocksOf(metadata);

export class AddressGuard {
  readonly #named: BlockList;
  readonly #own: GuardOptions['own'];

  constructor({ networks, own }: GuardOptions) {
    this.#named = blocksOf(networks);
    this.#own = own;
  }

  /** The form of a URL for a mode; the address behind its name is judged when it is called. */
  readUrl(text: string, mode: Exclude<RuntimeAccess['mode'], 'tunnel'>): URL {
    const url = URL.canParse(text) ? new URL(text) : undefined;
    if (!url) throw new RuntimeAccessError('url: is no URL; write e.g. https://runtime.example.com');
    const isPlain = url.protocol === 'http:';
    if (url.protocol !== 'https:' && !(isPlain && mode === 'mesh')) {
      throw new RuntimeAccessError('url: must begin with https://; only a service mesh may carry plain http://');
    }
    if (url.username || url.password) throw new RuntimeAccessError('url: must hold no user name or password');
    if (url.search || url.hash) throw new RuntimeAccessError('url: must end with the path; no query, no fragment');
    if (isIP(hostOf(url))) this.assertAddress(hostOf(url), portOf(url));
    const { publicUrl } = this.#own();
    if (URL.canParse(publicUrl) && new URL(publicUrl).host === url.host) throw itself();
    return url;
  }

  /** Whether the host is an address in a network that the operator has named. */
  isNamed(url: URL): boolean {
    const host = hostOf(url);
    const family = isIP(host);
    return family !== 0 && this.#named.check(host, family === 6 ? 'ipv6' : 'ipv4');
  }

  /** The words never hold the address: names of inner networks must not be looked up through us. */
  assertAddress(address: string, port: number): void {
    const family = isIP(address) === 6 ? 'ipv6' : 'ipv4';
    if (metadataBlocks.check(address, family)) {
      throw new RuntimeAccessError(
        'url: stands for an address where a cloud hands out credentials; it is never called',
      );
    }
    if (port === this.#own().port && isOnThisMachine(address)) throw itself();
    if (specialBlocks.check(address, family) && !this.#named.check(address, family)) {
      throw new RuntimeAccessError(
        'url: stands for an address that is not public; the operator of the platform may name its network in runtimeNetworks, or use the tunnel',
      );
    }
  }

  /** For `connect`: the socket goes to the address that was judged, so that a name cannot change its meaning in between. */
  lookupFor(url: URL): LookupFunction {
    return (hostname, options, done) => {
      resolve(hostname, { ...options, all: true }, (error, addresses: LookupAddress[]) => {
        if (error) return done(error, '', 0);
        try {
          for (const { address } of addresses) this.assertAddress(address, portOf(url));
        } catch (refusal) {
          return done(refusal as NodeJS.ErrnoException, '', 0); // assertAddress throws nothing but errors
        }
        const [first] = addresses;
        if (options.all) done(null, addresses);
        else done(null, first?.address ?? '', first?.family);
      });
    };
  }
}

const itself = () =>
  new RuntimeAccessError("url: stands for the platform itself; give the URL of the runtime's request router");

/** Without the brackets of an IPv6 address. */
export const hostOf = ({ hostname }: URL): string => hostname.replace(/^\[(.*)\]$/, '$1');
export const portOf = ({ port, protocol }: URL): number => Number(port || (protocol === 'https:' ? 443 : 80));

/** An IPv4 address inside IPv6 counts as itself: `BlockList` looks at it that way too. */
function isOnThisMachine(given: string): boolean {
  const address = given.replace(/^::ffff:(?=\d+\.)/i, '');
  if (address === '::1' || address === '::' || address.startsWith('127.') || address === '0.0.0.0') return true;
  return Object.values(networkInterfaces()).some((each) => each?.some((own) => own.address === address));
}
