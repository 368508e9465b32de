// Executing parsed templates: the statements. Every step, byte of output and level of depth is counted; nothing of the host
// is reachable from a template but the functions given here.
import type { Environment } from './environment.ts';
import { TemplateLimitError } from './errors.ts';
import { Evaluator } from './evaluate.ts';
import { goText } from './format.ts';
import { holdsInterfaces } from './go-types.ts';
import { type BranchNode, type ListNode, type PipeNode, type Statement, show, type TemplateNode } from './nodes.ts';
import type { ParsedTemplate } from './parse.ts';
import { quoteGo } from './quote.ts';
import { GoFunc, GoInt, GoMap, GoSlice, int, isTrue, sortedKeys, typeName, type Value } from './value.ts';

type Flow = 'next' | 'break' | 'continue';

/** As many machine words as an execution, with what it calls, may put on the stack before the next one begins. */
const headroom: readonly number[] = new Array<number>(1024).fill(0);

/** Throws V8's RangeError here, rather than in the middle of a destructuring, where it would come as a TypeError. */
const needStack = (): number => Math.max(...headroom);

export function execute(template: ParsedTemplate, data: Value, environment: Environment): string {
  const output: string[] = [];
  const { budget } = environment;
  if (budget.nesting <= 0)
    throw new TemplateLimitError(`template: ${template.name}: nesting exceeds the limit of this renderer`);
  budget.nesting--;
  try {
    needStack();
    new Execution({ template, environment, output, depth: 0, data }).run();
  } finally {
    budget.nesting++;
  }
  return output.join('');
}

interface ExecutionOptions {
  readonly template: ParsedTemplate;
  readonly environment: Environment;
  readonly output: string[];
  readonly depth: number;
  readonly data: Value;
}

class Execution {
  readonly #options: ExecutionOptions;
  readonly #evaluator: Evaluator;

  constructor(options: ExecutionOptions) {
    const { template, environment, data } = options;
    this.#options = options;
    this.#evaluator = new Evaluator(template, environment, data);
  }

  run(): void {
    this.#list(this.#options.data, this.#options.template.root);
  }

  #list(dot: Value, list: ListNode): Flow {
    for (const node of list.nodes) {
      const flow = this.#statement(dot, node);
      if (flow !== 'next') return flow;
    }
    return 'next';
  }

  #statement(dot: Value, node: Statement): Flow {
    this.#evaluator.spend();
    this.#evaluator.at(node);
    switch (node.kind) {
      case 'text':
        this.#write(node.text);
        return 'next';
      case 'action': {
        const value = this.#evaluator.pipeline(dot, node.pipe);
        if (node.pipe.declares.length === 0) this.#print(node, value);
        return 'next';
      }
      case 'if':
      case 'with':
        return this.#branch(dot, node);
      case 'range':
        return this.#range(dot, node);
      case 'template':
        this.#call(dot, node);
        return 'next';
      default:
        return node.kind;
    }
  }

  #write(text: string): void {
    const { budget } = this.#options.environment;
    budget.outputChars -= text.length;
    if (budget.outputChars < 0)
      throw new TemplateLimitError(this.#evaluator.message('exceeded the limit of template output'));
    this.#options.output.push(text);
  }

  #print(node: Statement, value: Value): void {
    this.#evaluator.at(node);
    if (value instanceof GoFunc) this.#evaluator.fail(`can't print ${show(node)} of type ${typeName(value)}`);
    this.#write(value === undefined ? '<no value>' : goText(value));
  }

  #branch(dot: Value, node: BranchNode): Flow {
    const mark = this.#evaluator.mark;
    const value = this.#evaluator.pipeline(dot, node.pipe);
    let flow: Flow = 'next';
    if (isTrue(value))
      flow = node.kind === 'with' ? this.#listOver(value, node.body, false) : this.#list(dot, node.body);
    else if (node.otherwise) flow = this.#list(dot, node.otherwise);
    this.#evaluator.forget(mark);
    return flow;
  }

  #listOver(dot: Value, list: ListNode, boxed: boolean): Flow {
    const before = this.#evaluator.dotIsBoxed;
    this.#evaluator.dotIsBoxed = boxed;
    const flow = this.#list(dot, list);
    this.#evaluator.dotIsBoxed = before;
    return flow;
  }

  #range(dot: Value, node: BranchNode): Flow {
    const mark = this.#evaluator.mark;
    const value = this.#evaluator.pipeline(dot, node.pipe);
    const inner = this.#evaluator.mark;
    const boxed = holdsInterfaces(value);
    let ran = false;
    for (const [key, element] of this.#elements(node, value)) {
      ran = true;
      this.#evaluator.spend();
      this.#setLoopVariables(node.pipe, { key, element, boxed });
      const flow = this.#listOver(element, node.body, boxed);
      this.#evaluator.forget(inner);
      if (flow === 'break') break;
    }
    const flow = ran || !node.otherwise ? 'next' : this.#list(dot, node.otherwise);
    this.#evaluator.forget(mark);
    return flow;
  }

  #setLoopVariables(pipe: PipeNode, loop: { key: Value; element: Value; boxed: boolean }): void {
    const [first, second] = pipe.declares;
    if (!first) return;
    if (second) this.#evaluator.setVariable(first.names[0] ?? '', loop.key);
    this.#evaluator.setVariable((second ?? first).names[0] ?? '', loop.element, loop.boxed);
  }

  *#elements(node: BranchNode, value: Value): Generator<[Value, Value]> {
    if (value === undefined || value === null) return;
    if (value instanceof GoInt) {
      if (node.pipe.declares.length > 1)
        this.#evaluator.fail(`can't use ${goText(value)} to iterate over more than one variable`);
      for (let i = 0n; i < value.value; i++) yield [undefined, new GoInt(i, value.type)];
    } else if (value instanceof GoSlice) {
      for (let i = 0; i < value.items.length; i++) yield [int(i), value.items[i]];
    } else if (value instanceof GoMap) {
      for (const key of sortedKeys(value)) if (value.entries.has(key)) yield [key, value.entries.get(key)];
    } else {
      this.#evaluator.fail(`range can't iterate over ${goText(value)}`);
    }
  }

  #call(dot: Value, node: TemplateNode): void {
    const { environment, output, depth } = this.#options;
    const { templates, maxDepth } = environment;
    const template = templates.get(node.name);
    if (!template) this.#evaluator.fail(`template ${quoteGo(node.name)} not defined`);
    if (depth >= maxDepth) this.#evaluator.fail(`exceeded maximum template depth (${maxDepth})`);
    const data = node.pipe ? this.#evaluator.pipeline(dot, node.pipe) : undefined;
    new Execution({ template, environment, output, depth: depth + 1, data }).run();
  }
}
