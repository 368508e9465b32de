// Running a loaded program: bindings from outside, then the value it stands for, as plain JSON.
import { systemClock } from '@fairlead/base';
import { JsonnetError } from './errors.ts';
import { Evaluator } from './evaluator.ts';
import { plainValue } from './manifest.ts';
import { importKey, type Program } from './program.ts';
import { standardLibrary } from './std/index.ts';
import { isFunction, JsonnetArray, type JsonnetValue, Scope, Thunk } from './values.ts';

export interface Binding {
  readonly name: string;
  readonly value: string;
  /** An expression, evaluated when it is needed; else the text itself. */
  readonly isCode: boolean;
}

export interface RunOptions {
  readonly extVars: readonly Binding[];
  readonly tlas: readonly Binding[];
  readonly signal?: AbortSignal | undefined;
}

/** The name under which the code of a binding is a file of the program. */
export const snippetName = (kind: 'extvar' | 'top-level-arg', { name }: Binding): string => `<${kind}:${name}>`;

const maxValues = 2_000_000;
const timeLimitMs = 90_000;

export function runProgram(program: Program, options: RunOptions): unknown {
  const run = new Run(program, options);
  try {
    return run.result();
  } catch (cause) {
    if (!(cause instanceof RangeError)) throw cause;
    throw new JsonnetError(`${program.main}: max stack frames exceeded, or values are nested too deep`, {
      isPlaced: true,
    });
  }
}

class Run {
  readonly #program: Program;
  readonly #options: RunOptions;
  readonly #evaluator: Evaluator;
  readonly #extVars: ReadonlyMap<string, Thunk>;
  readonly #values = new Map<string, Thunk>();

  constructor(program: Program, options: RunOptions) {
    this.#program = program;
    this.#options = options;
    this.#evaluator = new Evaluator({
      importFrom: ({ file, path, how }) => this.#import(file, path, how),
      sourceOf: (file) => program.files.get(file)?.toString('utf8') ?? '',
      check: deadline(options.signal),
    });
    this.#extVars = new Map(options.extVars.map((one) => [one.name, this.#bound('extvar', one)]));
  }

  result(): unknown {
    const { main } = this.#program;
    const value = this.#file(main).force();
    const final = isFunction(value) ? this.#callMain(value) : value;
    return plainValue(final, { values: maxValues });
  }

  #callMain(main: Extract<JsonnetValue, { type: 'function' }>): JsonnetValue {
    const { tlas } = this.#options;
    const unknown = tlas.find(({ name }) => !main.params.some((param) => param.name === name));
    if (unknown) throw new JsonnetError(`${this.#program.main}: function has no parameter ${unknown.name}`);
    const args = main.params.map(({ name, byDefault }) => {
      const given = tlas.find((one) => one.name === name);
      if (given) return this.#bound('top-level-arg', given);
      if (byDefault) return undefined;
      throw new JsonnetError(`${this.#program.main}: missing argument: ${name}; set it in directory.jsonnet.tlas`);
    });
    return this.#evaluator.call(main, args);
  }

  #bound(kind: 'extvar' | 'top-level-arg', binding: Binding): Thunk {
    return binding.isCode ? this.#file(snippetName(kind, binding)) : Thunk.of(binding.value);
  }

  #file(file: string): Thunk {
    const known = this.#values.get(file);
    if (known) return known;
    const thunk = new Thunk(() => {
      const node = this.#program.parsed.get(file);
      if (!node) throw new JsonnetError(`${file}: was not loaded`);
      const scope = new Scope();
      scope.set('std', Thunk.of(standardLibrary(this.#evaluator, { file, extVars: this.#extVars })));
      return this.#evaluator.evaluate(node, scope);
    });
    this.#values.set(file, thunk);
    return thunk;
  }

  #import(from: string, path: string, how: string): JsonnetValue {
    const target = this.#program.imports.get(importKey(from, path));
    if (target === undefined)
      throw new JsonnetError(`couldn't open import ${JSON.stringify(path)}: no match locally or in the library paths`);
    if (how === 'import') return this.#file(target).force();
    const content = this.#program.files.get(target) ?? Buffer.alloc(0);
    return how === 'importstr' ? content.toString('utf8') : JsonnetArray.of([...content]);
  }
}

function deadline(signal: AbortSignal | undefined): () => void {
  const end = systemClock.monotonic() + timeLimitMs;
  return () => {
    signal?.throwIfAborted();
    if (systemClock.monotonic() > end) throw new JsonnetError(`evaluation took longer than ${timeLimitMs / 1000} s`);
  };
}
