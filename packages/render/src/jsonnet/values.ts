// Values of a running program. Everything that may not be needed is a thunk: computed when asked for, once.
import { JsonnetError } from './errors.ts';
import type { AssertNode, Bind, Node, Param, Visibility } from './nodes.ts';

export type JsonnetValue = null | boolean | number | string | JsonnetArray | JsonnetObject | JsonnetFunction;

export class Thunk {
  #compute: (() => JsonnetValue) | undefined;
  #value: JsonnetValue | undefined;
  #running = false;

  constructor(compute: () => JsonnetValue) {
    this.#compute = compute;
  }

  static of(value: JsonnetValue): Thunk {
    const thunk = new Thunk(() => value);
    thunk.#compute = undefined;
    thunk.#value = value;
    return thunk;
  }

  force(): JsonnetValue {
    if (this.#compute) {
      if (this.#running) throw new JsonnetError('infinite recursion: a value needs itself');
      this.#running = true;
      try {
        this.#value = this.#compute();
        this.#compute = undefined;
      } finally {
        this.#running = false;
      }
    }
    return this.#value ?? null;
  }
}

export class JsonnetArray {
  readonly items: readonly Thunk[];

  constructor(items: readonly Thunk[]) {
    this.items = items;
  }

  static of(values: readonly JsonnetValue[]): JsonnetArray {
    return new JsonnetArray(values.map(Thunk.of));
  }

  values(): JsonnetValue[] {
    return this.items.map((item) => item.force());
  }
}

export interface JsonnetFunction {
  readonly type: 'function';
  readonly params: readonly Param[];
  /** Arguments in the order of the parameters; undefined where the default is meant. */
  readonly call: (args: readonly (Thunk | undefined)[]) => JsonnetValue;
}

/** Names in reach, and the object that is being built around them. */
export class Scope {
  #names: Map<string, Thunk> | undefined;
  readonly #outer: Scope | undefined;
  /** The object whose member this is, and how many of its layers are super. */
  readonly self: { readonly object: JsonnetObject; readonly below: number } | undefined;
  readonly dollar: JsonnetObject | undefined;

  constructor(outer?: Scope, inside?: { self: { object: JsonnetObject; below: number }; dollar: JsonnetObject }) {
    this.#outer = outer;
    this.self = inside?.self ?? outer?.self;
    this.dollar = inside?.dollar ?? outer?.dollar;
  }

  set(name: string, thunk: Thunk): void {
    this.#names ??= new Map();
    this.#names.set(name, thunk);
  }

  get(name: string): Thunk | undefined {
    let scope: Scope | undefined = this;
    while (scope) {
      const found = scope.#names?.get(name);
      if (found) return found;
      scope = scope.#outer;
    }
    return undefined;
  }
}

/** Where the members of a layer are evaluated: the scope around the literal, and its own locals. */
export interface LayerScope {
  readonly outer: Scope;
  readonly locals: readonly Bind[];
}

export interface Field {
  readonly visibility: Visibility;
  readonly plus: boolean;
  readonly scope: LayerScope;
  /** A syntax tree, or a value that builtins made. */
  readonly body: Node | Thunk;
}

export interface Layer {
  readonly fields: ReadonlyMap<string, Field>;
  readonly asserts: readonly { readonly node: AssertNode; readonly scope: LayerScope }[];
}

/** What evaluates members; given by the evaluator so that values know nothing of syntax. */
export interface MemberEvaluator {
  scopeIn(object: JsonnetObject, below: number, scope: LayerScope): Scope;
  evaluate(node: Node, scope: Scope): JsonnetValue;
  add(left: JsonnetValue, right: JsonnetValue): JsonnetValue;
}

export class JsonnetObject {
  /** Base first. */
  readonly layers: readonly Layer[];
  readonly #evaluator: MemberEvaluator;
  readonly #scopes = new Map<number, Map<LayerScope, Scope>>();
  readonly #values = new Map<number, Map<string, Thunk>>();
  #checked = false;

  constructor(layers: readonly Layer[], evaluator: MemberEvaluator) {
    this.layers = layers;
    this.#evaluator = evaluator;
  }

  /** An object with the given visible members. */
  static of(members: Iterable<readonly [string, Thunk]>, evaluator: MemberEvaluator): JsonnetObject {
    const scope: LayerScope = { outer: new Scope(), locals: [] };
    const fields = [...members].map(([name, body]): [string, Field] => [
      name,
      { visibility: 'inherit', plus: false, scope, body },
    ]);
    return new JsonnetObject([{ fields: new Map(fields), asserts: [] }], evaluator);
  }

  extend(other: JsonnetObject): JsonnetObject {
    return new JsonnetObject([...this.layers, ...other.layers], this.#evaluator);
  }

  without(name: string): JsonnetObject {
    const layers = this.layers.map((layer) => {
      const fields = new Map(layer.fields);
      fields.delete(name);
      return { ...layer, fields };
    });
    return new JsonnetObject(layers, this.#evaluator);
  }

  has(name: string, { hidden }: { hidden: boolean }): boolean {
    const visibility = this.#visibility(name);
    return visibility !== undefined && (hidden || visibility !== 'hidden');
  }

  hasBelow(name: string, below: number): boolean {
    return this.layers.slice(0, below).some(({ fields }) => fields.has(name));
  }

  /** In order of code points. */
  names({ hidden }: { hidden: boolean }): string[] {
    const all = new Set(this.layers.flatMap(({ fields }) => [...fields.keys()]));
    return [...all].filter((name) => this.has(name, { hidden })).sort(byCodePoint);
  }

  get(name: string): JsonnetValue {
    this.check();
    return this.getBelow(name, this.layers.length);
  }

  thunk(name: string): Thunk {
    return new Thunk(() => this.get(name));
  }

  /** The member as the lowest `below` layers define it, with self as it is. */
  getBelow(name: string, below: number): JsonnetValue {
    for (let index = below - 1; index >= 0; index--) {
      const field = this.layers[index]?.fields.get(name);
      if (field) return this.#member(name, index, field).force();
    }
    throw new JsonnetError(`field does not exist: ${name}`);
  }

  check(): void {
    if (this.#checked) return;
    this.#checked = true;
    for (const [index, { asserts }] of this.layers.entries()) {
      for (const { node, scope } of asserts) this.#evaluator.evaluate(node, this.#scope(index, scope));
    }
  }

  #member(name: string, index: number, field: Field): Thunk {
    const known = this.#values.get(index) ?? new Map<string, Thunk>();
    this.#values.set(index, known);
    const found = known.get(name);
    if (found) return found;
    const thunk = new Thunk(() => {
      const { body } = field;
      const own =
        body instanceof Thunk
          ? () => body.force()
          : () => this.#evaluator.evaluate(body, this.#scope(index, field.scope));
      if (!field.plus || !this.hasBelow(name, index)) return own();
      return this.#evaluator.add(this.getBelow(name, index), own());
    });
    known.set(name, thunk);
    return thunk;
  }

  #scope(index: number, layerScope: LayerScope): Scope {
    const known = this.#scopes.get(index) ?? new Map<LayerScope, Scope>();
    this.#scopes.set(index, known);
    const scope = known.get(layerScope) ?? this.#evaluator.scopeIn(this, index, layerScope);
    known.set(layerScope, scope);
    return scope;
  }

  #visibility(name: string): Visibility | undefined {
    let found: Visibility | undefined;
    for (const { fields } of this.layers) {
      const field = fields.get(name);
      if (field && (found === undefined || field.visibility !== 'inherit')) found = field.visibility;
    }
    return found;
  }
}

export const isFunction = (value: JsonnetValue): value is JsonnetFunction =>
  typeof value === 'object' && value !== null && 'type' in value;

export function byCodePoint(a: string, b: string): number {
  if (a === b) return 0;
  const [left, right] = [[...a], [...b]];
  for (let i = 0; i < Math.min(left.length, right.length); i++) {
    const order = (left[i]?.codePointAt(0) ?? 0) - (right[i]?.codePointAt(0) ?? 0);
    if (order !== 0) return order;
  }
  return left.length - right.length;
}

export function typeOf(value: JsonnetValue): string {
  if (value === null) return 'null';
  if (value instanceof JsonnetArray) return 'array';
  if (value instanceof JsonnetObject) return 'object';
  return isFunction(value) ? 'function' : typeof value;
}
