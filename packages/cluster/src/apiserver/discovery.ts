// What the server can do, told from the registry, in both of the forms clients ask for.
import { createHash } from 'node:crypto';
import type { Registry, ResourceType } from '../registry/index.ts';
import { reviewKinds } from './reviews.ts';

const verbs = ['create', 'delete', 'deletecollection', 'get', 'list', 'patch', 'update', 'watch'];
/** Kubernetes tells the verbs of custom kinds in this order. */
const customVerbs = ['delete', 'deletecollection', 'get', 'list', 'patch', 'create', 'update', 'watch'];
const writable = ['get', 'patch', 'update'];

interface Subresource {
  readonly name: string;
  readonly verbs: readonly string[];
  readonly kind: { readonly group: string; readonly version: string; readonly kind: string };
}

interface Entry {
  readonly group: string;
  readonly version: string;
  readonly kind: string;
  readonly plural: string;
  readonly singular: string;
  readonly namespaced: boolean;
  readonly shortNames: readonly string[];
  readonly categories: readonly string[];
  readonly verbs: readonly string[];
  readonly subresources: readonly Subresource[];
}

function entryOf(type: ResourceType): Entry {
  const own = { group: type.group, version: type.version, kind: type.kind };
  const subresources: Subresource[] = [];
  if (type.hasStatus) subresources.push({ name: 'status', verbs: writable, kind: own });
  if (type.scale) {
    subresources.push({ name: 'scale', verbs: writable, kind: { group: 'autoscaling', version: 'v1', kind: 'Scale' } });
  }
  for (const name of type.subresources) subresources.push(otherSubresource(name, own));
  return { ...type, verbs: type.isBuiltIn ? verbs : customVerbs, subresources };
}

function otherSubresource(name: string, own: Subresource['kind']): Subresource {
  if (name === 'eviction')
    return { name, verbs: ['create'], kind: { group: 'policy', version: 'v1', kind: 'Eviction' } };
  if (name === 'token') {
    return { name, verbs: ['create'], kind: { group: 'authentication.k8s.io', version: 'v1', kind: 'TokenRequest' } };
  }
  if (name === 'binding') return { name, verbs: ['create'], kind: { group: '', version: 'v1', kind: 'Binding' } };
  return { name, verbs: name === 'log' ? ['get'] : ['update'], kind: own };
}

/** v1 before v1beta1 before v1alpha1; higher numbers first. */
export function compareVersions(a: string, b: string): number {
  const rank = (version: string) => {
    const [, major = '0', stage = '', minor = '0'] = /^v(\d+)(?:(alpha|beta)(\d+))?$/.exec(version) ?? [];
    const stages: Record<string, number> = { '': 3, beta: 2, alpha: 1 };
    return (stages[stage] ?? 0) * 1e6 + Number(major) * 1e3 + Number(minor);
  };
  return rank(b) - rank(a) || a.localeCompare(b);
}

export class DiscoveryDocuments {
  readonly #registry: Registry;

  constructor(registry: Registry) {
    this.#registry = registry;
  }

  legacyVersions(): object {
    return { kind: 'APIVersions', versions: ['v1'], serverAddressByClientCIDRs: [] };
  }

  groupList(): object {
    return { kind: 'APIGroupList', apiVersion: 'v1', groups: this.#groups().map((name) => this.#groupOf(name)) };
  }

  /** undefined when there is no such group. */
  group(name: string): object | undefined {
    if (name === '' || !this.#groups().includes(name)) return undefined;
    return { kind: 'APIGroup', apiVersion: 'v1', ...this.#groupOf(name) };
  }

  /** undefined when there is no such version. */
  resourceList(group: string, version: string): object | undefined {
    const entries = this.#entries().filter((entry) => entry.group === group && entry.version === version);
    if (entries.length === 0) return undefined;
    return {
      kind: 'APIResourceList',
      apiVersion: 'v1',
      groupVersion: group === '' ? version : `${group}/${version}`,
      resources: entries.flatMap(plainRows),
    };
  }

  /** The core group alone under /api, all others under /apis. */
  aggregated(root: 'api' | 'apis', apiVersion: string): object {
    const groups = root === 'api' ? [''] : this.#groups();
    return {
      kind: 'APIGroupDiscoveryList',
      apiVersion: `apidiscovery.k8s.io/${apiVersion}`,
      metadata: {},
      items: groups.map((group) => ({
        metadata: { ...(group === '' ? {} : { name: group }), creationTimestamp: null },
        versions: this.#versions(group).map((version) => ({
          version,
          resources: this.#entries()
            .filter((entry) => entry.group === group && entry.version === version)
            .map(aggregatedRow),
          freshness: 'Current',
        })),
      })),
    };
  }

  versionsOf(group: string): readonly string[] {
    return this.#versions(group);
  }

  groups(): readonly string[] {
    return this.#groups();
  }

  #entries(): readonly Entry[] {
    return [...this.#registry.all().map(entryOf), ...reviewKinds.map((kind) => ({ ...kind, subresources: [] }))];
  }

  #groups(): readonly string[] {
    return [...new Set(this.#entries().map(({ group }) => group))].filter((group) => group !== '');
  }

  #versions(group: string): readonly string[] {
    const versions = this.#entries().filter((entry) => entry.group === group);
    return [...new Set(versions.map(({ version }) => version))].sort(compareVersions);
  }

  #groupOf(name: string): object {
    const versions = this.#versions(name).map((version) => ({ groupVersion: `${name}/${version}`, version }));
    return { name, versions, preferredVersion: versions[0] };
  }
}

/** Tells clients whether two names lead to the same stored objects. */
function storageHash({ group, version, kind }: Entry): string {
  return createHash('sha256').update(`${group}/${version}/${kind}`).digest().subarray(0, 8).toString('base64');
}

function plainRows(entry: Entry): readonly object[] {
  const { plural, singular, namespaced, kind, shortNames, categories } = entry;
  const row = {
    name: plural,
    singularName: singular,
    namespaced,
    kind,
    verbs: entry.verbs,
    ...(shortNames.length > 0 ? { shortNames } : {}),
    ...(categories.length > 0 ? { categories } : {}),
    storageVersionHash: storageHash(entry),
  };
  const rows = entry.subresources.map((subresource) => {
    const { group, version, kind: responseKind } = subresource.kind;
    const isForeign = responseKind !== kind;
    return {
      name: `${plural}/${subresource.name}`,
      singularName: '',
      namespaced,
      ...(isForeign ? { group, version } : {}),
      kind: responseKind,
      verbs: subresource.verbs,
    };
  });
  return [row, ...rows];
}

function aggregatedRow(entry: Entry): object {
  const { group, version, kind, plural, singular, namespaced, shortNames, categories } = entry;
  return {
    resource: plural,
    responseKind: { group, version, kind },
    scope: namespaced ? 'Namespaced' : 'Cluster',
    singularResource: singular,
    verbs: entry.verbs,
    ...(shortNames.length > 0 ? { shortNames } : {}),
    ...(categories.length > 0 ? { categories } : {}),
    ...(entry.subresources.length > 0
      ? {
          subresources: entry.subresources.map((subresource) => ({
            subresource: subresource.name,
            responseKind: subresource.kind,
            verbs: subresource.verbs,
          })),
        }
      : {}),
  };
}
