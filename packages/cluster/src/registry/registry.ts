// Which kinds there are now: the built-in rows, and what CRDs have added.
import type { KubeObject } from '@fairlead/kube/object';
import { customKinds } from './custom-resource.ts';
import { administrationKinds } from './kinds/administration.ts';
import { appsKinds } from './kinds/apps.ts';
import { coreKinds } from './kinds/core.ts';
import { platformKinds } from './kinds/platform.ts';
import type { ResourceType } from './resource-type.ts';

export class Registry {
  readonly #byPath = new Map<string, ResourceType>();
  readonly #byKind = new Map<string, ResourceType>();
  readonly #byStorageKey = new Map<string, ResourceType>();
  /** Types that each CRD has added, by the CRD's name. */
  readonly #custom = new Map<string, readonly ResourceType[]>();
  #builtIns: readonly ResourceType[] = [];

  static withBuiltIns(): Registry {
    const registry = new Registry();
    registry.#builtIns = [...coreKinds, ...appsKinds, ...platformKinds, ...administrationKinds];
    for (const type of registry.#builtIns) registry.#add(type, type.conversion === undefined);
    return registry;
  }

  find(group: string, version: string, plural: string): ResourceType | undefined {
    return this.#byPath.get(`${group}/${version}/${plural}`);
  }

  findKind(group: string, version: string, kind: string): ResourceType | undefined {
    return this.#byKind.get(`${group}/${version}/${kind}`);
  }

  /** The type in whose version objects under this key are written. */
  findStored(storageKey: string): ResourceType | undefined {
    return this.#byStorageKey.get(storageKey);
  }

  all(): readonly ResourceType[] {
    return [...this.#byPath.values()];
  }

  isBuiltInGroup(group: string): boolean {
    return this.#builtIns.some((type) => type.group === group);
  }

  /** Serves what the definition says, replacing what it said before. */
  define(definition: KubeObject): void {
    this.undefine(definition.metadata.name);
    const { served, storageVersion } = customKinds(definition);
    for (const type of served) this.#add(type, type.version === storageVersion || served.length === 1);
    this.#custom.set(definition.metadata.name, served);
  }

  undefine(name: string): void {
    for (const type of this.#custom.get(name) ?? []) {
      this.#byPath.delete(`${type.group}/${type.version}/${type.plural}`);
      this.#byKind.delete(`${type.group}/${type.version}/${type.kind}`);
      this.#byStorageKey.delete(type.storageKey);
    }
    this.#custom.delete(name);
  }

  #add(type: ResourceType, isStored: boolean): void {
    this.#byPath.set(`${type.group}/${type.version}/${type.plural}`, type);
    this.#byKind.set(`${type.group}/${type.version}/${type.kind}`, type);
    if (isStored || !this.#byStorageKey.has(type.storageKey)) this.#byStorageKey.set(type.storageKey, type);
  }
}
