// Expressions of a template: pipelines, commands, fields and functions, as Go's executor evaluates them.
import { assignable, idealNumber, literalArgument } from './arguments.ts';
import type { Environment } from './environment.ts';
import { CallError, TemplateError, TemplateLimitError } from './errors.ts';
import { canBeNil, holdsInterfaces, methodOf, zeroOf } from './go-types.ts';
import { type CommandNode, type Node, type Operand, type PipeNode, show } from './nodes.ts';
import type { ParsedTemplate } from './parse.ts';
import { quoteGo } from './quote.ts';
import { andFunction, callFunction, orFunction } from './special-functions.ts';
import { GoFunc, type GoFunction, GoMap, GoStruct, isTrue, type ParamType, typeName, type Value } from './value.ts';

interface Variable {
  readonly name: string;
  value: Value;
  /** Go holds it as an interface, which shows in error texts only. */
  boxed?: boolean;
}

/** No value came down the pipeline. */
const missing = Symbol('missing');
type Final = Value | typeof missing;
const none: readonly Operand[] = [];

/** Of one execution of one template. */
export class Evaluator {
  readonly #template: ParsedTemplate;
  readonly #environment: Environment;
  readonly #variables: Variable[];
  /** Where errors point. */
  #node: Node;
  /** As `boxed` of a variable. */
  dotIsBoxed = false;

  constructor(template: ParsedTemplate, environment: Environment, data: Value) {
    this.#template = template;
    this.#environment = environment;
    this.#variables = [{ name: '$', value: data }];
    this.#node = template.root;
  }

  at(node: Node): void {
    this.#node = node;
  }

  /** How many variables there are; `forget` goes back to so many. */
  get mark(): number {
    return this.#variables.length;
  }

  forget(mark: number): void {
    this.#variables.length = mark;
  }

  /** One step more; what runs away is stopped here. */
  spend(): void {
    const { budget } = this.#environment;
    if (--budget.steps < 0) throw new TemplateLimitError(this.message('exceeded the limit of template steps'));
    if ((budget.steps & 0xfff) === 0) budget.check?.();
  }

  pipeline(dot: Value, pipe: PipeNode): Value {
    this.#node = pipe;
    let value: Final = missing;
    for (const command of pipe.commands) {
      value = this.#command(dot, command, value);
      // An interface is opened: nil inside is no value at all.
      if (value === null) value = undefined;
    }
    const result = value === missing ? undefined : value;
    for (const { names } of pipe.declares) {
      const name = names[0] ?? '';
      if (pipe.assigns) this.setVariable(name, result);
      else this.#variables.push({ name, value: result });
    }
    return result;
  }

  setVariable(name: string, value: Value, boxed = false): void {
    const known = this.#variable(name);
    known.value = value;
    known.boxed = boxed;
  }

  #command(dot: Value, command: CommandNode, final: Final): Value {
    this.spend();
    const [first] = command.args;
    if (!first) return undefined;
    switch (first.kind) {
      case 'field':
      case 'chain':
      case 'variable':
        return this.#path(dot, first, { args: command.rest, final });
      case 'identifier':
        return this.#function(dot, first, { args: command.rest, final, whole: command });
      case 'pipe':
        this.#notAFunction(command, final);
        return this.pipeline(dot, first);
      default:
        this.#node = first;
        this.#notAFunction(command, final);
        return this.#literal(dot, first);
    }
  }

  #literal(
    dot: Value,
    operand: Exclude<Operand, { kind: 'field' | 'chain' | 'variable' | 'identifier' | 'pipe' }>,
  ): Value {
    switch (operand.kind) {
      case 'bool':
        return operand.value;
      case 'dot':
        return dot;
      case 'number':
        this.#node = operand;
        return idealNumber(operand, this.#failing);
      case 'string':
        return operand.text;
      default:
        return this.fail('nil is not a command');
    }
  }

  #notAFunction({ args }: CommandNode, final: Final): void {
    if (args.length > 1 || final !== missing) {
      this.fail(`can't give argument to non-function ${args[0] ? show(args[0]) : ''}`);
    }
  }

  #path(
    dot: Value,
    node: Extract<Operand, { kind: 'field' | 'chain' | 'variable' }>,
    { args, final }: { args: readonly Operand[]; final: Final },
  ): Value {
    this.#node = node;
    let receiver: Value;
    let names: readonly string[];
    let next = 0;
    let boxed = false;
    if (node.kind === 'field') {
      receiver = dot;
      boxed = this.dotIsBoxed;
      names = node.names;
    } else if (node.kind === 'variable') {
      const variable = this.#variable(node.names[0] ?? '');
      receiver = variable.value;
      boxed = variable.boxed ?? false;
      names = node.names;
      next = 1;
      if (names.length === 1) {
        if (args.length > 0 || final !== missing) this.fail(`can't give argument to non-function ${show(node)}`);
        return receiver;
      }
    } else {
      if (node.operand.kind === 'nil') this.fail(`indirection through explicit nil in ${show(node)}`);
      receiver = this.#argument(dot, undefined, node.operand);
      names = node.fields;
    }
    for (; next < names.length - 1; next++) {
      const from = receiver;
      receiver = this.#field(dot, { name: names[next] ?? '', node, args: none, final: missing, receiver, boxed });
      boxed = holdsInterfaces(from);
    }
    return this.#field(dot, { name: names.at(-1) ?? '', node, args, final, receiver, boxed });
  }

  #variable(name: string): Variable {
    for (let at = this.#variables.length - 1; at >= 0; at--) {
      const variable = this.#variables[at];
      if (variable?.name === name) return variable;
    }
    return this.fail(`undefined variable: ${name}`);
  }

  #field(
    dot: Value,
    use: { name: string; node: Node; args: readonly Operand[]; final: Final; receiver: Value; boxed: boolean },
  ): Value {
    const { name, receiver } = use;
    if (receiver === undefined) {
      if (this.#environment.missingKey === 'error') this.fail(`nil data; no entry for key ${quoteGo(name)}`);
      return undefined;
    }
    if (receiver === null) return this.fail(`nil pointer evaluating interface {}.${name}`);
    const hasArguments = use.args.length > 0 || use.final !== missing;
    const method = methodOf(receiver, name);
    if (method) return this.#invoke(dot, method, { ...use, whole: use.node });
    if (receiver instanceof GoStruct) {
      if (receiver.fields.has(name)) {
        if (hasArguments) this.fail(`${name} has arguments but cannot be invoked as function`);
        return receiver.fields.get(name);
      }
    } else if (receiver instanceof GoMap) {
      if (hasArguments) this.fail(`${name} is not a method but has arguments`);
      return this.#mapEntry(receiver, name);
    }
    return this.fail(`can't evaluate field ${name} in type ${use.boxed ? 'interface {}' : typeName(receiver)}`);
  }

  #mapEntry(map: GoMap, name: string): Value {
    const value = map.entries.get(name);
    if (value !== undefined || map.entries.has(name)) return value ?? null;
    const { missingKey } = this.#environment;
    if (missingKey === 'error') this.fail(`map has no entry for key ${quoteGo(name)}`);
    return missingKey === 'zero' ? zeroOf(map.type) : undefined;
  }

  #function(
    dot: Value,
    node: Extract<Operand, { kind: 'identifier' }>,
    { args, final, whole }: { args: readonly Operand[]; final: Final; whole: Node },
  ): Value {
    this.#node = node;
    const found = this.#environment.functions.get(node.name);
    if (!found) this.fail(`${quoteGo(node.name)} is not a defined function`);
    return this.#invoke(dot, found, { name: node.name, args, final, whole });
  }

  #invoke(
    dot: Value,
    called: GoFunction,
    { name, args, final, whole }: { name: string; args: readonly Operand[]; final: Final; whole: Node },
  ): Value {
    const { params, rest } = called;
    const given = args.length + (final === missing ? 0 : 1);
    if (rest !== undefined) {
      if (given < params.length) {
        this.fail(`wrong number of args for ${name}: want at least ${params.length} got ${args.length}`);
      }
    } else if (given !== params.length) {
      this.fail(`wrong number of args for ${name}: want ${params.length} got ${given}`);
    }
    if (called === andFunction || called === orFunction) return this.#shortCircuit(dot, called, { args, final });
    const values: Value[] = [];
    for (const arg of args) values.push(this.#argument(dot, params[values.length] ?? rest, arg));
    if (final !== missing) values.push(assignable(final, params[args.length] ?? rest, this.#failing));
    try {
      if (called === callFunction) return this.#callFunctionValue(args[0] ? show(args[0]) : '', values);
      return called.call(values);
    } catch (cause) {
      if (cause instanceof TemplateLimitError || !(cause instanceof CallError || cause instanceof TemplateError))
        throw cause;
      this.#node = whole;
      return this.fail(`error calling ${name}: ${cause.message}`);
    }
  }

  #callFunctionValue(name: string, [callee, ...args]: Value[]): Value {
    if (callee === undefined || callee === null) throw new CallError('call of nil');
    if (!(callee instanceof GoFunc)) throw new CallError(`non-function ${name} of type ${typeName(callee)}`);
    return callee.signature.call(args);
  }

  #shortCircuit(dot: Value, called: GoFunction, { args, final }: { args: readonly Operand[]; final: Final }): Value {
    let value: Value;
    for (const arg of args) {
      value = this.#argument(dot, 'reflect.Value', arg);
      if (isTrue(value) === (called === orFunction)) return value;
    }
    return final === missing ? value : final;
  }

  #argument(dot: Value, type: ParamType | undefined, node: Operand): Value {
    this.#node = node;
    switch (node.kind) {
      case 'dot':
        return assignable(dot, type, this.#failing);
      case 'nil':
        if (type === undefined || canBeNil(type)) return type === 'reflect.Value' ? undefined : null;
        return this.fail(`cannot assign nil to ${type}`);
      case 'field':
      case 'variable':
      case 'chain':
        return assignable(this.#path(dot, node, { args: none, final: missing }), type, this.#failing);
      case 'pipe':
        return assignable(this.pipeline(dot, node), type, this.#failing);
      case 'identifier':
        return assignable(this.#function(dot, node, { args: none, final: missing, whole: node }), type, this.#failing);
      default:
        return literalArgument(node, type, this.#failing);
    }
  }

  readonly #failing = (message: string): never => this.fail(message);

  fail(message: string): never {
    throw new TemplateError(this.message(message));
  }

  /** The words of an error here. */
  message(message: string): string {
    const { name, parseName, source } = this.#template;
    const before = source.slice(0, this.#node.at);
    const lineStart = before.lastIndexOf('\n') + 1;
    const line = before.split('\n').length;
    const column = Buffer.byteLength(before.slice(lineStart));
    return `template: ${parseName}:${line}:${column}: executing ${quoteGo(name)} at <${show(this.#node)}>: ${message}`;
  }
}
