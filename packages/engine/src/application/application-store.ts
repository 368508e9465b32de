// The Applications of the engine's namespace: watched, and written by merge patch. A write is seen at once by the next
// read, although the watch brings it later; so no decision is taken twice on an old copy.
import type { Logger } from '@fairlead/base';
import {
  type Application,
  type ApplicationStatus,
  argoApiVersion,
  argoGroup,
  asApplication,
} from '@fairlead/contracts';
import { createMergePatch, Informer, type KubeClient, type KubeObject, refKey } from '@fairlead/kube';

interface ApplicationStoreOptions {
  readonly client: KubeClient;
  readonly namespace: string;
  readonly log: Logger;
  /** What was written: as it was, and as it is. */
  readonly onWrite?: (before: Application, after: Application) => void;
}

export interface ApplicationChange {
  readonly type: 'add' | 'update' | 'delete';
  readonly application: Application;
}

interface Write {
  readonly status?: ApplicationStatus | undefined;
  /** Merged into the object beside the status. */
  readonly fields?: Readonly<Record<string, unknown>> | undefined;
  /** Refuse (conflict) when anybody has written since this copy was read. */
  readonly exclusive?: boolean;
  readonly signal: AbortSignal;
}

export class ApplicationStore {
  readonly #client: KubeClient;
  readonly #namespace: string;
  readonly #informer: Informer;
  readonly #written = new Map<string, Application>();
  readonly #onWrite: ApplicationStoreOptions['onWrite'];
  readonly counts = { writes: 0 };

  constructor({ client, namespace, log, onWrite }: ApplicationStoreOptions) {
    this.#client = client;
    this.#onWrite = onWrite;
    this.#namespace = namespace;
    const query = { apiVersion: argoApiVersion, kind: 'Application', namespace };
    this.#informer = new Informer({ client, query, log, transform: withoutManagedFields });
    this.#informer.onChange(({ type, object }) => {
      if (type === 'delete') this.#written.delete(object.metadata.name);
    });
  }

  run(options: { signal: AbortSignal }): Promise<void> {
    return this.#informer.run(options);
  }

  synced(options: { signal: AbortSignal }): Promise<void> {
    return this.#informer.synced(options);
  }

  /** A listener must not throw. */
  onChange(listener: (change: ApplicationChange) => void): () => void {
    return this.#informer.onChange(({ type, object }) => listener({ type, application: asApplication(object) }));
  }

  get(name: string): Application | undefined {
    const key = refKey({ group: argoGroup, kind: 'Application', namespace: this.#namespace, name });
    const watched = this.#informer.get(key);
    const written = this.#written.get(name);
    if (!watched || !written || written.metadata.uid !== watched.metadata.uid) return watched && asApplication(watched);
    return Number(written.metadata.resourceVersion) > Number(watched.metadata.resourceVersion)
      ? written
      : asApplication(watched);
  }

  get size(): number {
    return this.#informer.size;
  }

  list(): Application[] {
    return this.#informer.list().flatMap(({ metadata }) => this.get(metadata.name) ?? []);
  }

  /** Writes what differs; gives back the same object when nothing does. */
  async write(application: Application, { status, fields, exclusive, signal }: Write): Promise<Application> {
    const changes = status ? createMergePatch(application.status ?? {}, status) : {};
    const hasChanges = Object.keys(changes as object).length > 0; // a merge patch of two objects is an object
    if (!hasChanges && !fields && !exclusive) return application;
    const { name, resourceVersion } = application.metadata;
    const body = {
      ...fields,
      ...(exclusive ? { metadata: { ...(fields?.['metadata'] as object | undefined), resourceVersion } } : {}),
      ...(hasChanges ? { status: changes } : {}),
    };
    const ref = { group: argoGroup, version: 'v1alpha1', kind: 'Application', namespace: this.#namespace, name };
    const answer = await this.#client.patch(ref, body, { type: 'merge', fieldManager: 'argocd-controller', signal });
    this.counts.writes++;
    const next = asApplication(withoutManagedFields(answer));
    this.#written.set(name, next);
    this.#onWrite?.(application, next);
    return next;
  }
}

function withoutManagedFields(object: KubeObject): KubeObject {
  const { managedFields: _dropped, ...metadata } = object.metadata;
  return { ...object, metadata };
}
