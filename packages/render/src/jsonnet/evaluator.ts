// The lazy evaluator. Steps and depth of calls are bounded; a program reaches nothing but its own files, loaded before it
// starts, and the library given to it.
import { JsonnetError } from './errors.ts';
import { placeText } from './lexer.ts';
import { toText } from './manifest.ts';
import type { Argument, AssertNode, FieldNode, FunctionNode, Node, ObjectNode, Param, Spec } from './nodes.ts';
import { add, operate, unary } from './operators.ts';
import {
  type Field,
  isFunction,
  JsonnetArray,
  type JsonnetFunction,
  JsonnetObject,
  type JsonnetValue,
  type Layer,
  type LayerScope,
  type MemberEvaluator,
  Scope,
  Thunk,
  typeOf,
} from './values.ts';

export interface EvaluatorOptions {
  /** What an import gives; throws when there is no such file. */
  readonly importFrom: (node: Extract<Node, { kind: 'import' }>) => JsonnetValue;
  /** Text of a file, for places in messages. */
  readonly sourceOf: (file: string) => string;
  readonly check: () => void;
}

const maxSteps = 20_000_000;
/** A turn of a loop costs more memory than a step. */
const stepsPerTurn = 16;
/** As the reference implementation has it. */
const maxCalls = 500;

export class Evaluator implements MemberEvaluator {
  readonly #options: EvaluatorOptions;
  /** Names every file can use. */
  readonly root = new Scope();
  #steps = maxSteps;
  #calls = 0;

  constructor(options: EvaluatorOptions) {
    this.#options = options;
  }

  add(left: JsonnetValue, right: JsonnetValue): JsonnetValue {
    return add(left, right);
  }

  spend(steps = 1): void {
    const before = this.#steps;
    this.#steps -= steps;
    if (this.#steps < 0) throw new JsonnetError(`evaluation takes more than ${maxSteps} steps`);
    if (before >> 14 !== this.#steps >> 14) this.#options.check();
  }

  evaluate(node: Node, scope: Scope): JsonnetValue {
    this.spend();
    try {
      return this.#value(node, scope);
    } catch (error) {
      if (!(error instanceof JsonnetError) || error.isPlaced) throw error;
      const place = placeText(node.file, this.#options.sourceOf(node.file), node.at);
      throw new JsonnetError(`${place}: ${error.message}`, { isPlaced: true });
    }
  }

  #value(node: Node, scope: Scope): JsonnetValue {
    switch (node.kind) {
      case 'literal':
        return node.value;
      case 'self':
        return this.#self(scope).object;
      case 'dollar':
        return scope.dollar ?? fail('no top-level object found.');
      case 'variable':
        return (scope.get(node.name) ?? fail(`unknown variable: ${node.name}`)).force();
      case 'superIndex': {
        const { object, below } = this.#self(scope);
        return object.getBelow(this.#fieldName(node.index, scope) ?? fail('super index must be a string'), below);
      }
      case 'inSuper': {
        const { object, below } = this.#self(scope);
        return object.hasBelow(this.#fieldName(node.index, scope) ?? '', below);
      }
      case 'index':
        return indexInto(this.evaluate(node.target, scope), this.evaluate(node.index, scope));
      case 'slice':
        return this.#slice(node, scope);
      case 'apply':
        return this.#apply(node, scope);
      case 'array':
        return new JsonnetArray(node.items.map((item) => this.thunk(item, scope)));
      case 'arrayComp':
        return new JsonnetArray([...this.#loop(node.specs, scope)].map((inner) => this.thunk(node.body, inner)));
      case 'object':
        return this.#object(node, scope);
      case 'objectComp':
        return this.#objectComprehension(node, scope);
      case 'unary':
        return unary(node.operator, this.evaluate(node.operand, scope));
      case 'binary':
        return this.#binary(node, scope);
      case 'if':
        if (this.#condition(node.condition, scope)) return this.evaluate(node.then, scope);
        return node.otherwise ? this.evaluate(node.otherwise, scope) : null;
      case 'local': {
        const inner = new Scope(scope);
        for (const { name, body } of node.binds) inner.set(name, this.thunk(body, inner));
        return this.evaluate(node.body, inner);
      }
      case 'error':
        return fail(toText(this.evaluate(node.message, scope)));
      case 'assert':
        return this.#assert(node, scope);
      case 'function':
        return this.#function(node, scope);
      case 'import':
        return this.#options.importFrom(node);
    }
  }

  thunk(node: Node, scope: Scope): Thunk {
    if (node.kind === 'literal') return Thunk.of(node.value);
    return new Thunk(() => this.evaluate(node, scope));
  }

  #self(scope: Scope): NonNullable<Scope['self']> {
    return scope.self ?? fail("can't use self or super outside of an object.");
  }

  #condition(node: Node, scope: Scope): boolean {
    const value = this.evaluate(node, scope);
    return typeof value === 'boolean' ? value : fail(`condition must be boolean, got ${typeOf(value)}.`);
  }

  #binary(node: Extract<Node, { kind: 'binary' }>, scope: Scope): JsonnetValue {
    const { operator } = node;
    if (operator === '&&' || operator === '||') {
      const left = this.#condition(node.left, scope);
      return left === (operator === '||') ? left : this.#condition(node.right, scope);
    }
    return operate(operator, this.evaluate(node.left, scope), this.evaluate(node.right, scope));
  }

  #assert({ condition, message, rest }: AssertNode, scope: Scope): JsonnetValue {
    if (!this.#condition(condition, scope))
      fail(message ? toText(this.evaluate(message, scope)) : 'Object assertion failed.');
    return rest ? this.evaluate(rest, scope) : null;
  }

  #slice({ target, parts }: Extract<Node, { kind: 'slice' }>, scope: Scope): JsonnetValue {
    const [from, to, step] = parts.map((part) => (part ? this.evaluate(part, scope) : null));
    return sliced(this.evaluate(target, scope), { from, to, step });
  }

  /** Scopes of each turn of nested loops. */
  *#loop(specs: readonly Spec[], scope: Scope): Generator<Scope> {
    const [spec, ...rest] = specs;
    if (!spec) {
      yield scope;
    } else if (spec.kind === 'if') {
      if (this.#condition(spec.condition, scope)) yield* this.#loop(rest, scope);
    } else {
      const list = this.evaluate(spec.list, scope);
      if (!(list instanceof JsonnetArray)) fail(`unexpected type ${typeOf(list)}, expected array`);
      for (const item of list.items) {
        this.spend(stepsPerTurn);
        const inner = new Scope(scope);
        inner.set(spec.name, item);
        yield* this.#loop(rest, inner);
      }
    }
  }

  #object({ fields, locals, asserts }: ObjectNode, outer: Scope): JsonnetObject {
    const scope: LayerScope = { outer, locals };
    const members = new Map<string, Field>();
    for (const field of fields) {
      const name = this.#fieldName(field.name, outer);
      if (name === null) continue;
      if (members.has(name)) fail(`duplicate field name: ${JSON.stringify(name)}`);
      members.set(name, fieldOf(field, scope));
    }
    const layer: Layer = { fields: members, asserts: asserts.map((node) => ({ node, scope })) };
    return new JsonnetObject([layer], this);
  }

  #objectComprehension({ field, locals, specs }: Extract<Node, { kind: 'objectComp' }>, outer: Scope): JsonnetObject {
    const members = new Map<string, Field>();
    for (const inner of this.#loop(specs, outer)) {
      const name = this.#fieldName(field.name, inner);
      if (name === null) continue;
      if (members.has(name)) fail(`duplicate field name: ${JSON.stringify(name)}`);
      members.set(name, fieldOf(field, { outer: inner, locals }));
    }
    return new JsonnetObject([{ fields: members, asserts: [] }], this);
  }

  /** Null leaves the field out. */
  #fieldName(node: Node, scope: Scope): string | null {
    const name = this.evaluate(node, scope);
    if (typeof name === 'string' || name === null) return name;
    return fail(`field name must be string, got: ${typeOf(name)}`);
  }

  scopeIn(object: JsonnetObject, below: number, { outer, locals }: LayerScope): Scope {
    const inner = new Scope(outer, { self: { object, below }, dollar: outer.dollar ?? object });
    for (const { name, body } of locals) inner.set(name, this.thunk(body, inner));
    return inner;
  }

  #function({ params, body }: FunctionNode, scope: Scope): JsonnetFunction {
    return {
      type: 'function',
      params,
      call: (args) => {
        const inner = new Scope(scope);
        for (const [index, { name, byDefault }] of params.entries()) {
          const given = args[index] ?? (byDefault ? this.thunk(byDefault, inner) : undefined);
          inner.set(name, given ?? fail(`missing argument: ${name}`));
        }
        return this.evaluate(body, inner);
      },
    };
  }

  #apply(node: Extract<Node, { kind: 'apply' }>, scope: Scope): JsonnetValue {
    const called = this.evaluate(node.target, scope);
    if (!isFunction(called)) return fail(`unexpected type ${typeOf(called)}, expected function`);
    const args = this.#arrange(called.params, node.args, scope);
    if (!node.strict) return this.call(called, args);
    // What the reference implementation runs without a stack frame; here the host's stack is the bound.
    for (const arg of args) arg?.force();
    return called.call(args);
  }

  call(called: JsonnetFunction, args: readonly (Thunk | undefined)[]): JsonnetValue {
    this.#calls++;
    try {
      if (this.#calls > maxCalls) throw new JsonnetError('max stack frames exceeded.');
      return called.call(args);
    } finally {
      this.#calls--;
    }
  }

  #arrange(params: readonly Param[], args: readonly Argument[], scope: Scope): (Thunk | undefined)[] {
    const arranged = new Array<Thunk | undefined>(params.length).fill(undefined);
    for (const [index, { name, value }] of args.entries()) {
      const at = name === undefined ? index : params.findIndex((param) => param.name === name);
      if (at < 0) fail(`function has no parameter ${name}`);
      if (at >= params.length)
        fail(`function expected ${params.length} positional argument(s), but got ${args.length}`);
      if (arranged[at]) fail(`argument ${params[at]?.name} already provided`);
      arranged[at] = this.thunk(value, scope);
    }
    const missing = params.find(({ byDefault }, index) => !arranged[index] && !byDefault);
    return missing ? fail(`missing argument: ${missing.name}`) : arranged;
  }
}

function fail(message: string): never {
  throw new JsonnetError(message);
}

const fieldOf = ({ visibility, plus, body }: FieldNode, scope: LayerScope): Field => ({
  visibility,
  plus,
  scope,
  body,
});

export function indexInto(target: JsonnetValue, index: JsonnetValue): JsonnetValue {
  if (target instanceof JsonnetObject) {
    if (typeof index !== 'string') return fail(`unexpected type ${typeOf(index)}, expected string`);
    return target.get(index);
  }
  if (typeof target !== 'string' && !(target instanceof JsonnetArray))
    return fail(`value non indexable: ${typeOf(target)}`);
  if (typeof index !== 'number') return fail(`unexpected type ${typeOf(index)}, expected number`);
  if (!Number.isInteger(index)) return fail(`index is not an integer: ${index}`);
  const found = typeof target === 'string' ? [...target][index] : target.items[index];
  if (found === undefined) return fail(`index ${index} out of bounds, not within [0, ${lengthOf(target)})`);
  return typeof found === 'string' ? found : found.force();
}

const lengthOf = (target: string | JsonnetArray): number =>
  typeof target === 'string' ? [...target].length : target.items.length;

interface Bounds {
  readonly from: JsonnetValue | undefined;
  readonly to: JsonnetValue | undefined;
  readonly step: JsonnetValue | undefined;
}

/** Python's slices, without negative steps. */
export function sliced(target: JsonnetValue, { from, to, step }: Bounds): JsonnetValue {
  if (typeof target !== 'string' && !(target instanceof JsonnetArray))
    return fail(`std.slice first argument must be iterable. Got ${typeOf(target)}`);
  const length = lengthOf(target);
  const bound = (value: JsonnetValue | undefined, otherwise: number): number => {
    if (value === null || value === undefined) return otherwise;
    if (typeof value !== 'number') return fail(`slice bounds must be numbers, got ${typeOf(value)}`);
    return value < 0 ? Math.max(0, length + value) : Math.min(value, length);
  };
  const by = step === null || step === undefined ? 1 : step;
  if (typeof by !== 'number' || by < 1) return fail(`got ${toText(by)} but step must be greater than 0`);
  const [start, end] = [bound(from, 0), bound(to, length)];
  const isTaken = (index: number) => index >= start && index < end && (index - start) % by === 0;
  if (typeof target === 'string') return [...target].filter((_, index) => isTaken(index)).join('');
  return new JsonnetArray(target.items.filter((_, index) => isTaken(index)));
}
