// One scenario being played: an application of its own, in a namespace and a folder of the same name.

import type { Application } from '@fairlead/contracts';
import { isConflict, isNotFound, type KubeObject, type ResourceRef, stringAt, valueAt } from '@fairlead/kube';
import { expect } from 'vitest';
import { eventually, type Repository } from '../world.ts';
import { type Manifest, manifests, refTo } from './objects.ts';
import type { Stage } from './stage.ts';

export interface Scenario {
  readonly name: string;
  /** What the stage must have for it (pods, or our engine, which promises more than Argo CD does); else it is skipped. */
  readonly needs?: 'pods' | 'our engine';
  readonly run: (play: Play) => Promise<void>;
}

export const scenario = (name: string, run: Scenario['run'], needs?: Scenario['needs']): Scenario => ({
  name,
  run,
  ...(needs ? { needs } : {}),
});

interface Expected {
  readonly sync?: string;
  readonly health?: string;
  readonly phase?: string;
  readonly message?: string | RegExp;
}

const inCluster = 'https://kubernetes.default.svc';

export const auto = { automated: { prune: true, selfHeal: true }, syncOptions: ['CreateNamespace=true'] };
export const manual = { syncOptions: ['CreateNamespace=true'] };

export class Play {
  readonly id: string;
  readonly stage: Stage;
  readonly repo: Repository;
  readonly #made: ResourceRef[] = [];

  constructor(id: string, stage: Stage, repo: Repository) {
    this.id = id;
    this.stage = stage;
    this.repo = repo;
  }

  /** Files below the scenario's folder; null removes. An application that is there already is told to look. */
  async push(files: Readonly<Record<string, string | null>>): Promise<string> {
    const entries = Object.entries(files).map(([file, text]) => [`${this.id}/${file}`, text] as const);
    const commit = await this.repo.push(Object.fromEntries(entries), this.id);
    if (this.#made.some(({ kind, name }) => kind === 'Application' && name === this.id)) await this.refresh();
    return commit;
  }

  /** The application, by default with nothing automated. */
  async deploy(spec: object = {}, metadata: object = {}): Promise<void> {
    await this.make({
      apiVersion: 'argoproj.io/v1alpha1',
      kind: 'Application',
      metadata: { name: this.id, ...metadata },
      spec: {
        project: 'default',
        source: this.source(),
        destination: { server: inCluster, namespace: this.id },
        syncPolicy: manual,
        ...spec,
      },
    });
  }

  /** Pushes objects as one file and deploys them. */
  async play(objects: readonly Manifest[], spec: object = {}, metadata: object = {}): Promise<void> {
    await this.push({ 'all.yaml': manifests(...objects) });
    await this.deploy(spec, metadata);
  }

  source(more: object = {}): object {
    return { repoURL: this.repo.url, path: this.id, targetRevision: 'main', ...more };
  }

  /** An object of the engine's namespace that goes with the scenario. */
  async make(object: Manifest & { readonly kind: string; readonly metadata: object }): Promise<KubeObject> {
    const namespace = this.stage.engineNamespace;
    const made = await this.stage.client.create({
      ...object,
      metadata: { ...object.metadata, namespace },
    } as unknown as KubeObject); // written by the scenario
    this.#made.push(refTo(object.kind, made.metadata.name, namespace));
    return made;
  }

  async app(name = this.id): Promise<Application> {
    return (await this.stage.client.get(this.#engineRef(name))) as unknown as Application; // of that kind
  }

  /** Waits until the application is as expected, and gives it. */
  reaches({ sync, health, phase, message }: Expected, name = this.id): Promise<Application> {
    return eventually(async () => {
      const app = await this.app(name);
      const { status = {} } = app;
      const seen = { sync: status.sync?.status, health: status.health?.status, phase: status.operationState?.phase };
      const wanted = { ...(sync ? { sync } : {}), ...(health ? { health } : {}), ...(phase ? { phase } : {}) };
      const conditions = (status.conditions ?? []).map(({ type, message: text }) => `${type}: ${text}`);
      const results = (status.operationState?.syncResult?.resources ?? []).flatMap((one) => one.message ?? []);
      const told = [status.operationState?.message, ...results, status.health?.message, ...conditions];
      expect(seen, told.join('\n')).toMatchObject(wanted);
      if (message) expect(status.operationState?.message ?? '').toMatch(message);
      return app;
    }, this.stage.patienceMs);
  }

  synced(name?: string): Promise<Application> {
    return this.reaches({ sync: 'Synced', phase: 'Succeeded' }, name);
  }

  /** Synced by an operation for this commit. */
  syncedTo(revision: string): Promise<void> {
    return eventually(async () => {
      const { status } = await this.app();
      expect(status?.sync).toMatchObject({ status: 'Synced', revision });
      expect(status?.operationState).toMatchObject({ phase: 'Succeeded', syncResult: { revision } });
    }, this.stage.patienceMs);
  }

  condition(type: string, message: RegExp): Promise<void> {
    return eventually(async () => {
      const found = ((await this.app()).status?.conditions ?? []).filter((condition) => condition.type === type);
      expect(found.map((condition) => condition.message).join('\n')).toMatch(message);
    }, this.stage.patienceMs);
  }

  async get(kind: string, name: string, namespace: string | undefined = this.id): Promise<KubeObject | undefined> {
    return this.find(refTo(kind, name, namespace));
  }

  async find(ref: ResourceRef): Promise<KubeObject | undefined> {
    return this.stage.client.get(ref).catch((error: unknown) => {
      if (isNotFound(error)) return undefined;
      throw error;
    });
  }

  /** Waits for the object, and for a value in it when a path is given. */
  sees(kind: string, name: string, path: readonly string[] = [], value?: unknown): Promise<KubeObject> {
    return eventually(async () => {
      const object = await this.get(kind, name);
      if (!object) throw new Error(`${kind} ${name} is not there`);
      if (path.length > 0) expect(valueAt(object, ...path)).toEqual(value);
      return object;
    }, this.stage.patienceMs);
  }

  gone(kind: string, name: string, namespace = this.id): Promise<void> {
    return eventually(async () => expect(await this.get(kind, name, namespace)).toBeUndefined(), this.stage.patienceMs);
  }

  patch(kind: string, name: string, body: object, subresource?: string): Promise<KubeObject> {
    const ref = refTo(kind, name, this.id);
    return this.stage.client.patch(ref, body, { type: 'merge', ...(subresource ? { subresource } : {}) });
  }

  async edit(body: object, name = this.id): Promise<void> {
    await this.stage.client.patch(this.#engineRef(name), body, { type: 'merge' });
  }

  refresh(level: 'normal' | 'hard' = 'normal'): Promise<void> {
    return this.edit({ metadata: { annotations: { 'argocd.argoproj.io/refresh': level } } });
  }

  /** Asks for a sync through the API; another one that is just ending is waited for. */
  async sync(body: object = {}): Promise<void> {
    await eventually(async () => {
      const answer = await this.stage.api(`/api/v1/applications/${this.id}/sync`, {
        method: 'POST',
        body: JSON.stringify(body),
      });
      expect(answer.status, JSON.stringify(answer.body)).toBe(200);
    }, this.stage.patienceMs);
  }

  async operation(): Promise<NonNullable<NonNullable<Application['status']>['operationState']>> {
    const state = (await this.app()).status?.operationState;
    if (!state) throw new Error(`${this.id} has no operation`);
    return state;
  }

  /** Names in the result of the last operation, in its order. */
  async results(): Promise<{ kind: string; name: string; status?: string; message?: string; hookPhase?: string }[]> {
    return (await this.operation()).syncResult?.resources ?? [];
  }

  /** How one resource stands in the status. */
  async resource(kind: string, name: string) {
    return ((await this.app()).status?.resources ?? []).find((one) => one.kind === kind && one.name === name);
  }

  giveAddress(name: string): Promise<KubeObject> {
    return this.patch('Service', name, { status: { loadBalancer: { ingress: [{ ip: '10.0.0.1' }] } } }, 'status');
  }

  lose(name: string): Promise<KubeObject> {
    return this.patch('PersistentVolumeClaim', name, { status: { phase: 'Lost' } }, 'status');
  }

  async keyOf(name: string): Promise<string | undefined> {
    return stringAt(await this.get('ConfigMap', name), 'data', 'key');
  }

  /** Applications and the like go; what they deployed goes with its namespace where the stage is kept. */
  async strike({ withNamespace }: { withNamespace: boolean }): Promise<void> {
    const { client } = this.stage;
    const refs = withNamespace ? [...this.#made, refTo('Namespace', this.id)] : this.#made;
    for (const ref of refs) {
      const free = () => client.patch(ref, { metadata: { finalizers: null } }, { type: 'merge' });
      if (ref.kind === 'Application') await free().catch(ignoreGone);
      await client.delete(ref).catch(ignoreGone);
    }
  }

  #engineRef(name: string): ResourceRef {
    return refTo('Application', name, this.stage.engineNamespace);
  }
}

function ignoreGone(error: unknown): void {
  if (!isNotFound(error) && !isConflict(error)) throw error;
}
