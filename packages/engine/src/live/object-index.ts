// The objects of a cluster with the ways the engine asks for them: by key, by owner, by application. No I/O.
import { BoundedCache } from '@fairlead/base';
import { type KubeObject, objectKey, type ResourceRef, refKey } from '@fairlead/kube';
import { byAnnotation, type Tracking, trackedBy } from './tracking.ts';

const maxOwnerDepth = 10;
/** Objects that are remembered to be gone: many more than answers are under way at a time. */
const maxGone = 10_000;

export class ObjectIndex {
  readonly #byKey = new Map<string, KubeObject>();
  readonly #byUid = new Map<string, KubeObject>();
  readonly #childrenOf = new Map<string, Set<string>>();
  readonly #byApplication = new Map<string, Set<string>>();
  /** Keys of what we have written ourselves and the watch has not brought yet. */
  readonly #ahead = new Set<string>();
  /** By uid, which no other object ever gets. */
  readonly #gone = new BoundedCache<string, true>(maxGone);
  #tracking: Tracking = byAnnotation;

  get size(): number {
    return this.#byKey.size;
  }

  get tracking(): Tracking {
    return this.#tracking;
  }

  /** Another way to tell to whom objects belong, from now on. */
  follow(tracking: Tracking): void {
    this.#tracking = tracking;
    this.#byApplication.clear();
    for (const [key, object] of this.#byKey) {
      const application = trackedBy(object, tracking);
      if (application !== undefined) add(this.#byApplication, application, key);
    }
  }

  /** Objects of a namespace that nobody owns. */
  *ownerless(namespace: string): Generator<KubeObject> {
    for (const object of this.#byKey.values()) {
      if (object.metadata.namespace === namespace && !object.metadata.ownerReferences?.length) yield object;
    }
  }

  get(ref: Omit<ResourceRef, 'version'>): KubeObject | undefined {
    return this.#byKey.get(refKey(ref));
  }

  children(uid: string): KubeObject[] {
    return this.#objects(this.#childrenOf.get(uid));
  }

  /** Objects whose tracking annotation names the application and themselves. */
  managedBy(application: string): KubeObject[] {
    return this.#objects(this.#byApplication.get(application));
  }

  /** The applications that care about an object: its own, or those of its owners, and theirs. */
  applicationsOf(object: KubeObject, depth = 0, found = new Set<string>()): Set<string> {
    const own = trackedBy(object, this.#tracking);
    if (own !== undefined) found.add(own);
    if (depth >= maxOwnerDepth) return found;
    for (const { uid } of object.metadata.ownerReferences ?? []) {
      const owner = this.#byUid.get(uid);
      if (owner) this.applicationsOf(owner, depth + 1, found);
    }
    return found;
  }

  /**
   * False when the index holds a newer version already. `isAhead`: an answer of the API server, which the watch may bring
   * much later. Until it does, news of an object of the same name that was there before (a hook of the last sync, deleted
   * and made anew) are old ones: taken for the new object, they would tell that a hook is over which has just begun. And
   * an answer may come after the watch has told the end of its object, which it must not bring back.
   */
  put(object: KubeObject, { isAhead = false }: { readonly isAhead?: boolean } = {}): boolean {
    if (isAhead && this.#gone.get(object.metadata.uid ?? '')) return false;
    const key = objectKey(object);
    const known = this.#byKey.get(key);
    const isOther = known && object.metadata.uid !== known.metadata.uid;
    const isAuthority = isOther && !isAhead && !this.#ahead.has(key);
    if (known && !isAuthority && isOlder(object, known)) return false;
    if (isAhead) this.#ahead.add(key);
    else this.#ahead.delete(key);
    if (known) this.#unlink(key, known);
    this.#byKey.set(key, object);
    const { uid, ownerReferences = [] } = object.metadata;
    if (uid) this.#byUid.set(uid, object);
    for (const owner of ownerReferences) add(this.#childrenOf, owner.uid, key);
    const application = trackedBy(object, this.#tracking);
    if (application !== undefined) add(this.#byApplication, application, key);
    return true;
  }

  remove(object: KubeObject): void {
    const key = objectKey(object);
    const known = this.#byKey.get(key);
    if (!known || (object.metadata.uid && known.metadata.uid !== object.metadata.uid)) return;
    this.#unlink(key, known);
    this.#byKey.delete(key);
    this.#ahead.delete(key);
    if (known.metadata.uid) this.#gone.set(known.metadata.uid, true);
  }

  #unlink(key: string, { metadata, ...rest }: KubeObject): void {
    if (metadata.uid) this.#byUid.delete(metadata.uid);
    for (const owner of metadata.ownerReferences ?? []) drop(this.#childrenOf, owner.uid, key);
    const application = trackedBy({ metadata, ...rest } as KubeObject, this.#tracking); // the same object, put together again
    if (application !== undefined) drop(this.#byApplication, application, key);
  }

  #objects(keys: ReadonlySet<string> | undefined): KubeObject[] {
    return [...(keys ?? [])].flatMap((key) => this.#byKey.get(key) ?? []);
  }
}

/** Versions are numbers in every API server there is; where they are not, the later news wins. */
const isOlder = (object: KubeObject, known: KubeObject): boolean =>
  Number(object.metadata.resourceVersion) < Number(known.metadata.resourceVersion);

function add(sets: Map<string, Set<string>>, name: string, key: string): void {
  const set = sets.get(name) ?? new Set();
  set.add(key);
  sets.set(name, set);
}

function drop(sets: Map<string, Set<string>>, name: string, key: string): void {
  const set = sets.get(name);
  set?.delete(key);
  if (set?.size === 0) sets.delete(name);
}
