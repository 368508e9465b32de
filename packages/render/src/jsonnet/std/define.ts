// Declaring functions of the library: named parameters, arguments as thunks or already of the type they must have.
import { JsonnetError } from '../errors.ts';
import type { Evaluator } from '../evaluator.ts';
import type { Param } from '../nodes.ts';
import {
  isFunction,
  JsonnetArray,
  type JsonnetFunction,
  JsonnetObject,
  type JsonnetValue,
  Thunk,
  typeOf,
} from '../values.ts';

/** The arguments of one call, by position. */
export class Args {
  readonly #name: string;
  readonly #given: readonly (Thunk | undefined)[];
  readonly evaluator: Evaluator;

  constructor(name: string, given: readonly (Thunk | undefined)[], evaluator: Evaluator) {
    this.#name = name;
    this.#given = given;
    this.evaluator = evaluator;
  }

  value(index: number): JsonnetValue {
    return this.#given[index]?.force() ?? null;
  }

  /** Whether an argument that may be left out was given. */
  has(index: number): boolean {
    return this.#given[index] !== undefined;
  }

  thunk(index: number): Thunk {
    return this.#given[index] ?? Thunk.of(null);
  }

  text(index: number): string {
    const value = this.value(index);
    return typeof value === 'string' ? value : this.#refuse(value, 'string');
  }

  number(index: number): number {
    const value = this.value(index);
    return typeof value === 'number' ? value : this.#refuse(value, 'number');
  }

  flag(index: number): boolean {
    const value = this.value(index);
    return typeof value === 'boolean' ? value : this.#refuse(value, 'boolean');
  }

  array(index: number): JsonnetArray {
    const value = this.value(index);
    return value instanceof JsonnetArray ? value : this.#refuse(value, 'array');
  }

  object(index: number): JsonnetObject {
    const value = this.value(index);
    return value instanceof JsonnetObject ? value : this.#refuse(value, 'object');
  }

  /** A function of the program, to be called with thunks. */
  callback(index: number): (...args: Thunk[]) => JsonnetValue {
    const value = this.value(index);
    if (!isFunction(value)) return this.#refuse(value, 'function');
    return (...args) => {
      this.evaluator.spend();
      const required = value.params.filter(({ byDefault }) => !byDefault).length;
      if (args.length < required || args.length > value.params.length)
        throw new JsonnetError(
          `function expected ${value.params.length} positional argument(s), but got ${args.length}`,
        );
      return this.evaluator.call(value, args);
    };
  }

  /** What `keyF` makes of an item; the item itself when none was given. */
  key(index: number): (item: Thunk) => JsonnetValue {
    if (!this.has(index)) return (item) => item.force();
    const call = this.callback(index);
    return (item) => call(item);
  }

  #refuse(value: JsonnetValue, wanted: string): never {
    throw new JsonnetError(`std.${this.#name}: unexpected type ${typeOf(value)}, expected ${wanted}`);
  }
}

export interface Builtin {
  readonly params: readonly Param[];
  readonly call: (args: Args) => JsonnetValue;
}

const optional: Param['byDefault'] = { file: 'std', at: 0, kind: 'literal', value: null };

/** `'a b? c'`: names of the parameters; a question mark: may be left out. */
export function builtin(names: string, call: (args: Args) => JsonnetValue): Builtin {
  const params = names
    .split(' ')
    .filter((name) => name !== '')
    .map((name) => ({ name: name.replace('?', ''), byDefault: name.endsWith('?') ? optional : undefined }));
  return { params, call };
}

export type Builtins = Readonly<Record<string, Builtin>>;

export const functionOf = (name: string, { params, call }: Builtin, evaluator: Evaluator): JsonnetFunction => ({
  type: 'function',
  params,
  call: (given) => call(new Args(name, given, evaluator)),
});
