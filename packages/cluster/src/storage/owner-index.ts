// Objects by their uid and by the uids of their owners, so that controllers and the garbage collector never scan.
import type { Stored } from './store.ts';

export class OwnerIndex {
  readonly #byUid = new Map<string, Stored>();
  readonly #dependents = new Map<string, Map<string, Stored>>();

  replace(previous: Stored | undefined, next: Stored | undefined): void {
    if (previous) this.#remove(previous);
    if (next) this.#add(next);
  }

  byUid(uid: string): Stored | undefined {
    return this.#byUid.get(uid);
  }

  dependentsOf(uid: string): readonly Stored[] {
    return [...(this.#dependents.get(uid)?.values() ?? [])];
  }

  #add(stored: Stored): void {
    const { uid = '', ownerReferences = [] } = stored.object.metadata;
    this.#byUid.set(uid, stored);
    for (const owner of ownerReferences) {
      let dependents = this.#dependents.get(owner.uid);
      if (!dependents) {
        dependents = new Map();
        this.#dependents.set(owner.uid, dependents);
      }
      dependents.set(uid, stored);
    }
  }

  #remove(stored: Stored): void {
    const { uid = '', ownerReferences = [] } = stored.object.metadata;
    this.#byUid.delete(uid);
    for (const owner of ownerReferences) {
      const dependents = this.#dependents.get(owner.uid);
      dependents?.delete(uid);
      if (dependents?.size === 0) this.#dependents.delete(owner.uid);
    }
  }
}
