// Cluster addresses and node ports: taken when given out, free again when their service is gone.
import { type KubeObject, listAt, numberAt, stringAt } from '@fairlead/kube/object';
import type { RuleContext } from '../registry/index.ts';
import type { Store } from '../storage/index.ts';
import { generateName } from './names.ts';
import { StatusError } from './status-error.ts';

const firstNodePort = 30_000;
const nodePortCount = 2768;
/** 10.96.0.0/16 without its first ten (reserved for the API itself and DNS) and its broadcast address. */
const firstAddress = 10;
const addressCount = 65_534 - firstAddress;

export class Allocator {
  readonly #addresses = new Set<string>();
  readonly #nodePorts = new Set<number>();
  #nextAddress = 0;
  #nextPort = 0;

  readonly #store: Store;

  constructor(store: Store) {
    this.#store = store;
    for (const { object } of store.collection('services').scan()) this.#take(object);
    store.subscribe('services', ({ type, stored }) => {
      if (type === 'DELETED') this.#release(stored.object);
    });
  }

  /** For a dry run nothing is really taken. */
  context(now: string, dryRun: boolean): RuleContext {
    return {
      now,
      allocateClusterIp: () => this.#clusterIp(dryRun),
      allocateNodePort: () => this.#nodePort(dryRun),
      randomSuffix: () => generateName(''),
      hasServiceAccount: (namespace, name) => this.#store.read('serviceaccounts', namespace, name) !== undefined,
    };
  }

  #clusterIp(dryRun: boolean): string {
    for (let tries = 0; tries < addressCount; tries++) {
      const number = firstAddress + (this.#nextAddress++ % addressCount);
      const address = `10.96.${number >> 8}.${number & 255}`;
      if (this.#addresses.has(address)) continue;
      if (!dryRun) this.#addresses.add(address);
      return address;
    }
    throw exhausted('cluster addresses');
  }

  #nodePort(dryRun: boolean): number {
    for (let tries = 0; tries < nodePortCount; tries++) {
      const port = firstNodePort + (this.#nextPort++ % nodePortCount);
      if (this.#nodePorts.has(port)) continue;
      if (!dryRun) this.#nodePorts.add(port);
      return port;
    }
    throw exhausted('node ports');
  }

  #take(service: KubeObject): void {
    this.#addresses.add(stringAt(service, 'spec', 'clusterIP') ?? '');
    for (const port of listAt(service, 'spec', 'ports')) this.#nodePorts.add(numberAt(port, 'nodePort') ?? 0);
  }

  #release(service: KubeObject): void {
    this.#addresses.delete(stringAt(service, 'spec', 'clusterIP') ?? '');
    for (const port of listAt(service, 'spec', 'ports')) this.#nodePorts.delete(numberAt(port, 'nodePort') ?? 0);
  }
}

const exhausted = (what: string) =>
  new StatusError({ status: 500, reason: 'InternalError', message: `no free ${what} are left` });
