// What every kind does alike: create, update, apply, delete. Verbs of the API server and the controllers in this process
// both write through here, so both obey the same rules: resourceVersion checks, defaults, validation, finalizers,
// generation, field ownership. Reading, deciding and committing happen without a pause, so that nothing can come between;
// a promise resolves when the change is on disk.
import { randomUUID } from 'node:crypto';
import { type Clock, toKubeTime } from '@fairlead/base';
import { equalJson, type KubeObject, type ObjectMeta } from '@fairlead/kube/object';
import { ApplyConflictError, applyConfiguration, trackUpdate } from '@fairlead/kube/patch';
import {
  type Registry,
  type ResourceType,
  validateFinalizers,
  validateMetadata,
  validateNewName,
} from '../registry/index.ts';
import type { Store, Stored } from '../storage/index.ts';
import { Allocator } from './allocator.ts';
import { type DeleteOptions, planDeletion } from './deletion.ts';
import { generateName } from './names.ts';
import { checkQuotas } from './quotas.ts';
import {
  alreadyExists,
  applyConflict,
  badRequest,
  conflict,
  creationWithVersion,
  forbidden,
  invalid,
  notFound,
  staleVersion,
} from './status-error.ts';
import { inVersion, sameContent, storedVersion } from './versions.ts';
import {
  checkIdentity,
  isHeld,
  readOwners,
  registryKey,
  retainSystemFields,
  sameSpec,
  withoutEmptyMembers,
  withoutEmptyOwners,
  withStatus,
} from './write-rules.ts';
import { readAsKind, zeroObject } from './zero-object.ts';

export interface WriteOptions {
  /** Who owns the fields that change. */
  readonly manager: string;
  readonly dryRun?: boolean | undefined;
  /** 'status' writes nothing but status; any other name is only recorded with the fields. */
  readonly subresource?: string | undefined;
  /** A last look at what would be written, by whoever answers for the writer; throws to refuse it. */
  readonly admit?: ((object: KubeObject) => void) | undefined;
}

export interface ApplyOptions extends WriteOptions {
  readonly force?: boolean | undefined;
}

export interface Target {
  readonly type: ResourceType;
  /** '' for kinds without namespaces. */
  readonly namespace: string;
  readonly name: string;
}

export interface WriteResult {
  readonly object: KubeObject;
  readonly created: boolean;
}

export interface DeleteResult {
  readonly object: KubeObject;
  /** False while finalizers or a grace period hold the object. */
  readonly gone: boolean;
}

export interface ObjectsDeps {
  readonly store: Store;
  readonly registry: Registry;
  readonly clock: Clock;
}

export class Objects {
  readonly store: Store;
  readonly registry: Registry;
  readonly #clock: Clock;
  readonly #allocator: Allocator;

  constructor({ store, registry, clock }: ObjectsDeps) {
    this.store = store;
    this.registry = registry;
    this.#clock = clock;
    this.#allocator = new Allocator(store);
  }

  find({ type, namespace, name }: Target): Stored | undefined {
    return this.store.read(type.storageKey, namespace, name);
  }

  get(target: Target): Stored {
    const stored = this.find(target);
    if (!stored) throw notFound(target.type, target.name);
    return stored;
  }

  /** `body` as a client sent it; name or generateName is in it. */
  async create(type: ResourceType, namespace: string, body: KubeObject, options: WriteOptions): Promise<WriteResult> {
    checkIdentity(type, namespace, body);
    if (body.metadata.resourceVersion) throw creationWithVersion();
    const name = body.metadata.name || (body.metadata.generateName ? generateName(body.metadata.generateName) : '');
    const target = { type, namespace, name };
    if (name === '')
      throw invalid(type, '', [
        { type: 'Required', field: 'metadata.name', message: 'name or generateName is required' },
      ]);
    this.#requireNamespace(target);
    const object = this.#defaultNew(target, body);
    // What admission and allocation add afterwards belongs to nobody.
    const before = zeroObject(type);
    const managedFields = trackUpdate({ ...this.#identity(target, options), before, after: object });
    const owned = managedFields.length === 0 ? object : { ...object, metadata: { ...object.metadata, managedFields } };
    return this.#insert(target, this.#admitNew(target, owned, options), options);
  }

  /** `change` gets the present object (in the target's version) and returns the wanted one. It must not wait. */
  async update(
    target: Target,
    change: (present: KubeObject) => KubeObject,
    options: WriteOptions,
  ): Promise<WriteResult> {
    const stored = this.get(target);
    const present = inVersion(stored.object, target.type);
    const next = this.#prepareUpdate(target, { present, wanted: change(present), options });
    if (sameContent(present, next)) return this.#unchanged(stored, target);
    // A client may rewrite the record of owners (kubectl does, to move to server-side apply); what it changed beside that
    // is its own all the same.
    const owners = readOwners(next.metadata.managedFields, present.metadata.managedFields);
    const before = { ...present, metadata: { ...present.metadata, managedFields: owners } };
    const managedFields = trackUpdate({ ...this.#identity(target, options), before, after: next });
    const owned = { ...next, metadata: { ...next.metadata, managedFields } };
    // What is given out is nobody's.
    const context = this.#allocator.context(toKubeTime(this.#clock.now()), options.dryRun ?? false);
    return this.#replace(target, target.type.allocate?.(owned, present, context) ?? owned, options);
  }

  /** Server-side apply: `intent` is all that `manager` wants; the object is made when it is not there. */
  async apply(target: Target, intent: KubeObject, options: ApplyOptions): Promise<WriteResult> {
    const { type, namespace, name } = target;
    checkIdentity(type, namespace, intent);
    const stored = this.find(target);
    const live = stored && inVersion(stored.object, type);
    if (!live && options.subresource) throw notFound(type, name);
    if (!live && intent.metadata.uid) {
      const why = `uid mismatch: the provided object specified uid ${intent.metadata.uid}, and no existing object was found`;
      throw conflict(type, name, why);
    }
    const merged = this.#apply(target, { live, intent, options });
    const read = readAsKind(type, merged);
    // That nobody owns anything any more is an answer, too.
    const applied = { ...read, metadata: { ...read.metadata, managedFields: merged.metadata.managedFields ?? [] } };
    if (!live) {
      this.#requireNamespace(target);
      return this.#insert(target, this.#admitNew(target, this.#defaultNew(target, applied), options), options);
    }
    const next = this.#prepareUpdate(target, { present: live, wanted: applied, options });
    const isSame = sameContent(live, next) && equalJson(live.metadata.managedFields, next.metadata.managedFields);
    if (stored && isSame) return this.#unchanged(stored, target);
    const context = this.#allocator.context(toKubeTime(this.#clock.now()), options.dryRun ?? false);
    return this.#replace(target, type.allocate?.(next, live, context) ?? next, options);
  }

  async delete(target: Target, options: DeleteOptions): Promise<DeleteResult> {
    const stored = this.get(target);
    const { type, name } = target;
    const { uid, resourceVersion } = options.preconditions ?? {};
    const { metadata } = stored.object;
    if (uid && uid !== metadata.uid) {
      const why = `the UID in the precondition (${uid}) does not match the UID in record (${metadata.uid}). The object might have been deleted and then recreated`;
      throw conflict({ ...type, plural: type.kind }, name, why);
    }
    if (resourceVersion && resourceVersion !== metadata.resourceVersion) {
      const why = `the ResourceVersion in the precondition (${resourceVersion}) does not match the ResourceVersion in record (${metadata.resourceVersion}). The object might have been modified`;
      throw conflict({ ...type, plural: type.kind }, name, why);
    }
    if (type.undeletable?.includes(name)) throw forbidden(type, name, `this ${type.singular} may not be deleted`);
    const plan = planDeletion(type, stored.object, { ...options, nowMs: this.#clock.now() });
    if (options.dryRun) return { object: stored.object, gone: plan.type === 'remove' };
    if (plan.type === 'remove')
      return this.#remove(stored, type.graceSeconds ? toKubeTime(this.#clock.now()) : undefined);
    if (plan.type === 'wait') return { object: stored.object, gone: false };
    const { object } = await this.#replace(target, plan.object, { manager: '' });
    return { object, gone: false };
  }

  #identity({ type }: Target, { manager, subresource }: WriteOptions) {
    const apiVersion = type.group === '' ? type.version : `${type.group}/${type.version}`;
    return { manager, subresource, apiVersion, shape: type.shape, time: toKubeTime(this.#clock.now()) };
  }

  #apply(
    target: Target,
    { live, intent, options }: { live: KubeObject | undefined; intent: KubeObject; options: ApplyOptions },
  ): KubeObject {
    const { type, name } = target;
    const { status: _status, ...withoutStatus } = intent;
    const isStatusWrite = options.subresource === 'status';
    // What an endpoint does not write, it does not own either.
    const own = type.hasStatus && !isStatusWrite ? (withoutStatus as KubeObject) : intent; // identity members are still there
    try {
      const named = { ...own, metadata: { ...own.metadata, name } };
      return applyConfiguration({ ...this.#identity(target, options), live, applied: named, force: options.force });
    } catch (error) {
      throw error instanceof ApplyConflictError ? applyConflict(error) : error;
    }
  }

  #requireNamespace({ type, namespace, name }: Target): void {
    if (!type.namespaced) return;
    const stored = this.store.read('namespaces', '', namespace);
    if (!stored) throw notFound({ plural: 'namespaces', group: '' }, namespace);
    if (!stored.object.metadata.deletionTimestamp) return;
    const why = `unable to create new content in namespace ${namespace} because it is being terminated`;
    const cause = {
      reason: 'NamespaceTerminating',
      message: `namespace ${namespace} is being terminated`,
      field: 'metadata.namespace',
    };
    throw forbidden(type, name, why, [cause]);
  }

  #defaultNew({ type, namespace, name }: Target, body: KubeObject): KubeObject {
    const { status: _status, ...withoutStatus } = body;
    const now = toKubeTime(this.#clock.now());
    const { resourceVersion: _v, deletionTimestamp: _d, deletionGracePeriodSeconds: _g, ...given } = body.metadata;
    const metadata: ObjectMeta = {
      ...withoutEmptyMembers(given),
      name,
      ...(type.namespaced ? { namespace } : { namespace: undefined }),
      uid: randomUUID(),
      creationTimestamp: now,
      generation: type.hasGeneration ? 1 : given.generation,
    };
    // Status is for those who run the thing, not for those who ask for it.
    const own = type.hasStatus ? withoutStatus : body;
    const object = { ...own, apiVersion: body.apiVersion, kind: type.kind, metadata };
    return type.defaults?.(object) ?? object;
  }

  #admitNew(target: Target, object: KubeObject, { dryRun = false, admit }: WriteOptions): KubeObject {
    const { type } = target;
    admit?.(object);
    this.#validate(type, object, undefined);
    // What is wrong in itself is told before what is there already.
    if (this.find(target)) throw alreadyExists(type, target.name);
    checkQuotas(this.store, type, object);
    return type.prepareCreate?.(object, this.#allocator.context(toKubeTime(this.#clock.now()), dryRun)) ?? object;
  }

  #prepareUpdate(
    { type, namespace, name }: Target,
    { present, wanted, options }: { present: KubeObject; wanted: KubeObject; options: WriteOptions },
  ): KubeObject {
    checkIdentity(type, namespace, wanted);
    const { resourceVersion, uid } = wanted.metadata;
    if (wanted.metadata.name !== name) {
      throw badRequest(`the name of the object (${wanted.metadata.name}) does not match the name on the URL (${name})`);
    }
    if (uid && uid !== present.metadata.uid) {
      throw conflict(
        type,
        name,
        `StorageError: invalid object, Code: 4, Key: ${registryKey({ type, namespace, name })}, ResourceVersion: 0, AdditionalErrorMsg: Precondition failed: UID in precondition: ${uid}, UID in object meta: ${present.metadata.uid}`,
      );
    }
    if (resourceVersion && resourceVersion !== present.metadata.resourceVersion) throw staleVersion(type, name);
    if (options.subresource === 'status') {
      const managedFields = wanted.metadata.managedFields ?? present.metadata.managedFields;
      const status = type.prepareStatus?.(wanted['status']) ?? wanted['status'];
      return { ...withStatus(present, status), metadata: { ...present.metadata, managedFields } };
    }
    const object = { ...wanted, kind: type.kind, metadata: retainSystemFields(wanted.metadata, present.metadata) };
    const own: KubeObject = type.hasStatus ? withStatus(object, present['status']) : object;
    const defaulted = type.defaults?.(own) ?? own;
    const next = type.prepareUpdate?.(defaulted, present) ?? defaulted;
    this.#validate(type, next, present);
    if (!sameSpec(type, present, next)) options.admit?.(next);
    if (!type.hasGeneration || sameSpec(type, present, next)) return next;
    return { ...next, metadata: { ...next.metadata, generation: (present.metadata.generation ?? 0) + 1 } };
  }

  #validate(type: ResourceType, object: KubeObject, previous: KubeObject | undefined): void {
    const errors = [
      ...(previous ? [] : validateNewName(object.metadata, type.names)),
      ...validateMetadata(type, object),
      ...(previous ? validateFinalizers(type, object, previous) : []),
      ...(type.validate?.(object, previous) ?? []),
    ];
    if (errors.length > 0) throw invalid(type, object.metadata.name, errors);
  }

  async #insert({ type }: Target, object: KubeObject, { dryRun }: WriteOptions): Promise<WriteResult> {
    return { object: await this.#put(type, object, dryRun), created: true };
  }

  async #replace(target: Target, object: KubeObject, { dryRun }: WriteOptions): Promise<WriteResult> {
    const { type } = target;
    const isReleased = object.metadata.deletionTimestamp !== undefined && !isHeld(type, object);
    if (isReleased && !dryRun) {
      const stored = this.get(target);
      const { object: last } = await this.#remove(stored);
      const { resourceVersion } = last.metadata;
      return {
        object: inVersion(withoutEmptyOwners({ ...object, metadata: { ...object.metadata, resourceVersion } }), type),
        created: false,
      };
    }
    return { object: await this.#put(type, object, dryRun), created: false };
  }

  async #put(type: ResourceType, given: KubeObject, dryRun: boolean | undefined): Promise<KubeObject> {
    const object = withoutEmptyOwners(given);
    if (dryRun) return object;
    const kept = storedVersion(object, {
      given: type,
      stored: this.registry.findStored(type.storageKey) ?? type,
    });
    const { stored, durable } = this.store.commit({
      type: 'put',
      resource: type.storageKey,
      build: (revision) => ({ ...kept, metadata: { ...kept.metadata, resourceVersion: String(revision) } }),
    });
    await durable;
    return inVersion(stored.object, type);
  }

  /** `deletedAt`: kinds with a grace period tell when it ended. */
  async #remove(stored: Stored, deletedAt?: string): Promise<DeleteResult> {
    const committed = this.store.commit({ type: 'delete', stored });
    await committed.durable;
    const { object } = committed.stored;
    if (deletedAt === undefined) return { object, gone: true };
    const metadata = { ...object.metadata, deletionTimestamp: deletedAt, deletionGracePeriodSeconds: 0 };
    return { object: { ...object, metadata }, gone: true };
  }

  async #unchanged(stored: Stored, { type }: Target): Promise<WriteResult> {
    await this.store.settled(stored.revision);
    return { object: inVersion(stored.object, type), created: false };
  }
}
