// The truth: Applications that change, run operations, are deleted and made anew. Everything that happened to each is
// written down, so that what the platform shows can be held against it.
import type { KubeObject, ObjectChange } from '@fairlead/kube';
import type { Dice } from './seeded.ts';

interface Operation {
  readonly phase: 'Running' | 'Succeeded' | 'Failed';
  readonly startedAt: string;
  readonly finishedAt?: string;
  readonly syncResult: { readonly revision: string };
}

interface Life {
  readonly name: string;
  readonly uid: string;
  mark: string;
  /** Marks that this life has had; one may come back. */
  readonly marks: string[];
  operation: Operation | undefined;
  readonly history: { id: number; revision: string; deployStartedAt: string; deployedAt: string }[];
}

export const goneMark = 'gone';
const historyLimit = 10;
/** An Argo CD's clock counts whole seconds. */
const second = 1_000;

export class World {
  readonly #dice: Dice;
  readonly #lives = new Map<string, Life>();
  readonly #listeners = new Set<() => void>();
  #objects = new Map<string, KubeObject>();
  #counter = 0;
  #seconds = 0;
  /** Per key, every state it had, in order. */
  readonly log = new Map<string, string[]>();
  /** `uid startedAt` → phase of every operation that has ended. */
  readonly ended = new Map<string, string>();

  constructor(dice: Dice, applications: number) {
    this.#dice = dice;
    for (let n = 0; n < applications; n++) this.#create(`app-${n}`);
  }

  get objects(): ReadonlyMap<string, KubeObject> {
    return this.#objects;
  }

  onChange(listener: () => void): () => void {
    this.#listeners.add(listener);
    return () => void this.#listeners.delete(listener);
  }

  /** One change of one application. */
  step(): void {
    const name = `app-${this.#dice.below(this.log.size)}`;
    const life = this.#lives.get(name);
    if (!life) this.#create(name);
    else if (this.#dice.chance(1 / 13)) this.#remove(life);
    else this.#change(life);
  }

  #change(life: Life): void {
    const what = this.#dice.weighted({ change: 4, comeBack: 2, operate: 6 });
    if (what === 'operate') this.#operate(life);
    else if (what === 'comeBack') life.mark = this.#dice.pick(life.marks) ?? life.mark;
    else this.#newMark(life);
    this.#publish(life);
  }

  #newMark(life: Life): void {
    life.mark = `m${++this.#counter}`;
    life.marks.push(life.mark);
  }

  #create(name: string): void {
    const life: Life = { name, uid: `uid-${++this.#counter}`, mark: '', marks: [], operation: undefined, history: [] };
    this.#newMark(life);
    this.#lives.set(name, life);
    this.#publish(life);
  }

  #remove(life: Life): void {
    this.#lives.delete(life.name);
    this.#objects = new Map(this.#objects);
    this.#objects.delete(keyOf(life.name));
    this.#note(life.name, goneMark);
  }

  #operate(life: Life): void {
    const now = () => new Date(Date.UTC(2026, 0, 1) + ++this.#seconds * second).toISOString();
    const { operation } = life;
    if (operation?.phase !== 'Running') {
      const revision = `r${++this.#counter}`;
      life.operation = { phase: 'Running', startedAt: now(), syncResult: { revision } };
      return;
    }
    const phase = this.#dice.chance(0.6) ? 'Succeeded' : 'Failed';
    const finishedAt = now();
    const { startedAt, syncResult } = operation;
    life.operation = { phase, startedAt, finishedAt, syncResult };
    this.ended.set(`${life.uid} ${startedAt}`, phase);
    if (phase === 'Failed') return;
    const id = (life.history.at(-1)?.id ?? -1) + 1;
    life.history.push({ id, revision: syncResult.revision, deployStartedAt: startedAt, deployedAt: finishedAt });
    if (life.history.length > historyLimit) life.history.shift();
  }

  #publish(life: Life): void {
    this.#objects = new Map(this.#objects).set(keyOf(life.name), objectOf(life, ++this.#counter));
    this.#note(life.name, stateOf(life.mark, life.operation));
  }

  #note(name: string, state: string): void {
    const key = `argocd/${name}`;
    this.log.set(key, [...(this.log.get(key) ?? []), state]);
    for (const listener of this.#listeners) listener();
  }
}

/** What a state is recognised by, here and at the platform. */
export const stateOf = (mark: string | undefined, operation: { startedAt: string; phase: string } | undefined) =>
  `${mark} ${operation ? `${operation.startedAt} ${operation.phase}` : ''}`;

const keyOf = (name: string) => `argoproj.io/Application/argocd/${name}`;

function objectOf({ name, uid, mark, operation, history }: Life, version: number): KubeObject {
  return {
    apiVersion: 'argoproj.io/v1alpha1',
    kind: 'Application',
    metadata: { name, namespace: 'argocd', uid, resourceVersion: String(version), labels: { mark } },
    spec: {
      project: 'default',
      source: { repoURL: 'https://git.example/demo.git', path: name, targetRevision: 'main' },
      destination: { server: 'https://kubernetes.default.svc', namespace: name },
    },
    status: {
      sync: { status: 'Synced' },
      health: { status: 'Healthy' },
      history: [...history],
      ...(operation ? { operationState: { operation: { sync: {} }, ...operation } } : {}),
    },
  };
}

/** One reporter's copy of the world: follows it, or lags behind while its watch is cut and then sees only the outcome. */
export class LocalCopy {
  readonly #world: World;
  readonly #listeners = new Set<(change: ObjectChange) => void>();
  readonly #unsubscribe: () => void;
  #seen: ReadonlyMap<string, KubeObject>;
  isCut = false;

  constructor(world: World) {
    this.#world = world;
    this.#seen = world.objects;
    this.#unsubscribe = world.onChange(() => this.catchUp());
  }

  synced(): Promise<void> {
    return Promise.resolve();
  }

  get(key: string): KubeObject | undefined {
    return this.#seen.get(key);
  }

  list(): readonly KubeObject[] {
    return [...this.#seen.values()];
  }

  onChange(listener: (change: ObjectChange) => void): () => void {
    this.#listeners.add(listener);
    return () => void this.#listeners.delete(listener);
  }

  catchUp(): void {
    if (this.isCut) return;
    const before = this.#seen;
    this.#seen = this.#world.objects;
    for (const [key, object] of this.#seen) {
      const old = before.get(key);
      if (!old) this.#tell({ type: 'add', object });
      else if (old !== object) this.#tell({ type: 'update', object, old });
    }
    for (const [key, old] of before) if (!this.#seen.has(key)) this.#tell({ type: 'delete', object: old, old });
  }

  stop(): void {
    this.#unsubscribe();
  }

  #tell(change: ObjectChange): void {
    for (const listener of this.#listeners) listener(change);
  }
}
