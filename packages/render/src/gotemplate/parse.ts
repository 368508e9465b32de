// Tokens → syntax trees. One source may define several templates; each has a name and shares the text it stands in.
import { TemplateError } from './errors.ts';
import { isKeyword, type Keyword, lex, type Token, type TokenType } from './lex.ts';
import { parseNumber, unquote } from './literal.ts';
import {
  type BranchNode,
  type CommandNode,
  type ListNode,
  type Operand,
  type PipeNode,
  type Statement,
  show,
  type TemplateNode,
  type VariableNode,
} from './nodes.ts';
import { quoteGo } from './quote.ts';

export interface ParsedTemplate {
  readonly name: string;
  /** The name of the source it stands in, and its text: for error positions. */
  readonly parseName: string;
  readonly source: string;
  readonly root: ListNode;
}

export interface ParseOptions {
  readonly name: string;
  readonly source: string;
  readonly hasFunction: (name: string) => boolean;
}

/** The templates of one source: the source itself first, then those it defines, later definitions last. */
export function parse(options: ParseOptions): ParsedTemplate[] {
  return new Parser(options).parse();
}

/** Nothing but space: such a definition does not replace one that has content. */
export function isEmptyTemplate(list: ListNode): boolean {
  return list.nodes.every((node) => node.kind === 'text' && node.text.trim() === '');
}

type Ending = { readonly kind: 'end' } | { readonly kind: 'else'; readonly at: number };

// Recursive descent would otherwise end in the stack of the host.
const maxDepth = 1_000;

class Parser {
  readonly #options: ParseOptions;
  readonly #tokens: readonly Token[];
  readonly #defined = new Map<string, ParsedTemplate>();
  #next = 0;
  #actionLine = 0;
  #variables: string[] = ['$'];
  #ranges = 0;
  #depth = 0;

  constructor(options: ParseOptions) {
    this.#options = options;
    this.#tokens = lex(options.source);
  }

  parse(): ParsedTemplate[] {
    const nodes: Statement[] = [];
    const at = this.#peek().at;
    while (this.#peek().type !== 'EOF') {
      if (this.#peek().type === 'leftDelim' && this.#peekPast() === 'define') {
        this.#definition();
        continue;
      }
      const node = this.#textOrAction();
      if (node.kind === 'end' || node.kind === 'else') this.#fail(`unexpected {{${node.kind}}}`);
      else nodes.push(node);
    }
    const { name, source } = this.#options;
    const root: ParsedTemplate = { name, parseName: name, source, root: { kind: 'list', at, nodes } };
    const own = this.#defined.get(name);
    if (own && !isEmptyTemplate(own.root) && isEmptyTemplate(root.root)) return [...this.#defined.values()];
    if (own && !isEmptyTemplate(own.root)) this.#fail(`template: multiple definition of template ${quoteGo(name)}`);
    this.#defined.delete(name);
    return [root, ...this.#defined.values()];
  }

  #peekPast(): TokenType {
    let index = this.#next + 1;
    while (this.#tokens[index]?.type === 'space') index++;
    return this.#tokens[index]?.type ?? 'EOF';
  }

  #definition(): void {
    this.#take();
    this.#takeSolid();
    const token = this.#takeSolid();
    if (token.type !== 'string' && token.type !== 'rawString') this.#unexpected(token, 'define clause');
    const name = this.#unquoted(token);
    this.#expect('rightDelim', 'define clause');
    const root = this.#separately('define clause');
    this.#define(name, root);
  }

  /** A body of its own: it sees none of the variables outside. */
  #separately(context: string): ListNode {
    const [variables, ranges] = [this.#variables, this.#ranges];
    this.#variables = ['$'];
    this.#ranges = 0;
    const { list, ending } = this.#itemList();
    if (ending.kind !== 'end') this.#fail(`unexpected {{else}} in ${context}`);
    this.#variables = variables;
    this.#ranges = ranges;
    return list;
  }

  #define(name: string, root: ListNode): void {
    const known = this.#defined.get(name);
    if (known && !isEmptyTemplate(known.root)) {
      if (isEmptyTemplate(root)) return;
      this.#fail(`template: multiple definition of template ${quoteGo(name)}`);
    }
    const { name: parseName, source } = this.#options;
    this.#defined.set(name, { name, parseName, source, root });
  }

  #itemList(): { list: ListNode; ending: Ending } {
    const nodes: Statement[] = [];
    const at = this.#peek().at;
    if (++this.#depth > maxDepth) this.#fail('nesting exceeds the limit');
    while (this.#peekSolid().type !== 'EOF') {
      const node = this.#textOrAction();
      if (node.kind === 'end' || node.kind === 'else') {
        this.#depth--;
        return { list: { kind: 'list', at, nodes }, ending: node };
      }
      nodes.push(node);
    }
    this.#take();
    return this.#fail('unexpected EOF');
  }

  #textOrAction(): Statement | Ending {
    const token = this.#takeSolid();
    if (token.type === 'text') return { kind: 'text', at: token.at, text: token.text };
    if (token.type !== 'leftDelim') return this.#unexpected(token, 'input');
    this.#actionLine = token.line;
    const node = this.#action();
    this.#actionLine = 0;
    return node;
  }

  #action(): Statement | Ending {
    const token = this.#takeSolid();
    switch (token.type) {
      case 'block':
        return this.#block();
      case 'break':
      case 'continue':
        return this.#loopControl(token.type, token.at);
      case 'else':
        return this.#else();
      case 'end':
        this.#expect('rightDelim', 'end');
        return { kind: 'end' };
      case 'if':
      case 'range':
      case 'with':
        return this.#control(token.type);
      case 'template':
        return this.#template();
      default: {
        this.#next--;
        const at = this.#peek().at;
        return { kind: 'action', at, pipe: this.#pipeline('command', 'rightDelim') };
      }
    }
  }

  #loopControl(kind: 'break' | 'continue', at: number): Statement {
    const token = this.#takeSolid();
    if (token.type !== 'rightDelim') this.#unexpected(token, `{{${kind}}}`);
    if (this.#ranges === 0) this.#fail(`{{${kind}}} outside {{range}}`);
    return { kind, at };
  }

  #else(): Ending {
    const next = this.#peekSolid();
    if (next.type === 'if' || next.type === 'with') return { kind: 'else', at: next.at };
    return { kind: 'else', at: this.#expect('rightDelim', 'else').at };
  }

  #control(kind: 'if' | 'with' | 'range'): BranchNode {
    const known = this.#variables.length;
    const pipe = this.#pipeline(kind, 'rightDelim');
    if (kind === 'range') this.#ranges++;
    const { list: body, ending } = this.#itemList();
    if (kind === 'range') this.#ranges--;
    let otherwise: ListNode | undefined;
    if (ending.kind === 'else') otherwise = this.#otherwise(kind, ending.at);
    this.#variables.length = known;
    return { kind, at: pipe.at, pipe, body, ...(otherwise && { otherwise }) };
  }

  #otherwise(kind: 'if' | 'with' | 'range', at: number): ListNode {
    if (kind !== 'range' && this.#peek().type === kind) {
      this.#take();
      return { kind: 'list', at, nodes: [this.#control(kind)] };
    }
    const { list, ending } = this.#itemList();
    if (ending.kind !== 'end') this.#fail('expected end; found {{else}}');
    return list;
  }

  #block(): TemplateNode {
    const token = this.#takeSolid();
    const name = this.#templateName(token, 'block clause');
    const pipe = this.#pipeline('block clause', 'rightDelim');
    this.#define(name, this.#separately('block clause'));
    return { kind: 'template', at: token.at, name, pipe };
  }

  #template(): TemplateNode {
    const token = this.#takeSolid();
    const name = this.#templateName(token, 'template clause');
    if (this.#takeSolid().type === 'rightDelim') return { kind: 'template', at: token.at, name };
    this.#next--;
    return { kind: 'template', at: token.at, name, pipe: this.#pipeline('template clause', 'rightDelim') };
  }

  #templateName(token: Token, context: string): string {
    if (token.type !== 'string' && token.type !== 'rawString') return this.#unexpected(token, context);
    return this.#unquoted(token);
  }

  #unquoted(token: Token): string {
    return unquote(token.text) ?? this.#fail('invalid syntax');
  }

  #pipeline(context: string, end: TokenType): PipeNode {
    const at = this.#peekSolid().at;
    const { declares, assigns } = this.#declarations(context);
    const commands: CommandNode[] = [];
    for (;;) {
      const token = this.#takeSolid();
      if (token.type === end) break;
      if (!operandStarts.has(token.type)) return this.#unexpected(token, context);
      this.#next--;
      commands.push(this.#command());
    }
    if (commands.length === 0) this.#fail(`missing value for ${context}`);
    for (const [index, { args }] of commands.entries()) {
      if (index > 0 && inert.has(args[0]?.kind ?? '')) {
        this.#fail(`non executable command in pipeline stage ${index + 1}`);
      }
    }
    return { kind: 'pipe', at, declares, assigns, commands };
  }

  #declarations(context: string): { declares: VariableNode[]; assigns: boolean } {
    const declares: VariableNode[] = [];
    for (;;) {
      const start = this.#next;
      const variable = this.#takeSolid();
      const next = variable.type === 'variable' ? this.#takeSolid() : undefined;
      if (next?.type === 'assign' || next?.type === 'declare') {
        this.#declare(declares, variable);
        return { declares, assigns: next.type === 'assign' };
      }
      if (next?.type !== 'char' || next.text !== ',') {
        this.#next = start;
        return { declares, assigns: false };
      }
      this.#declare(declares, variable);
      if (context !== 'range' || declares.length > 1) this.#fail(`too many declarations in ${context}`);
      const following = this.#peekSolid().type;
      if (following !== 'variable' && following !== 'rightDelim' && following !== 'rightParen') {
        this.#fail('range can only initialize variables');
      }
    }
  }

  #declare(declares: VariableNode[], { at, text }: Token): void {
    declares.push({ kind: 'variable', at, names: [text] });
    this.#variables.push(text);
  }

  #command(): CommandNode {
    const at = this.#peekSolid().at;
    const args: Operand[] = [];
    for (;;) {
      this.#peekSolid();
      const operand = this.#operand();
      if (operand) args.push(operand);
      const token = this.#take();
      if (token.type === 'space') continue;
      if (token.type === 'rightDelim' || token.type === 'rightParen') this.#next--;
      else if (token.type !== 'pipe') this.#unexpected(token, 'operand');
      break;
    }
    if (args.length === 0) this.#fail('empty command');
    return { kind: 'command', at, args, rest: args.slice(1) };
  }

  #operand(): Operand | undefined {
    const term = this.#term();
    if (!term || this.#peek().type !== 'field') return term;
    const at = this.#peek().at;
    const fields: string[] = [];
    while (this.#peek().type === 'field') fields.push(this.#take().text.slice(1));
    if (term.kind === 'field') return { kind: 'field', at, names: [...term.names, ...fields] };
    if (term.kind === 'variable') return { kind: 'variable', at, names: [...term.names, ...fields] };
    if (inert.has(term.kind)) this.#fail(`unexpected . after term ${quoteGo(show(term))}`);
    return { kind: 'chain', at, operand: term, fields };
  }

  #term(): Operand | undefined {
    const token = this.#takeSolid();
    const { at, text } = token;
    switch (token.type) {
      case 'identifier':
        if (!this.#options.hasFunction(text)) this.#fail(`function ${quoteGo(text)} not defined`);
        return { kind: 'identifier', at, name: text };
      case 'dot':
      case 'nil':
        return { kind: token.type, at };
      case 'variable':
        if (!this.#variables.includes(text)) this.#fail(`undefined variable ${quoteGo(text)}`);
        return { kind: 'variable', at, names: [text] };
      case 'field':
        return { kind: 'field', at, names: [text.slice(1)] };
      case 'bool':
        return { kind: 'bool', at, value: text === 'true' };
      case 'charConstant':
      case 'complex':
      case 'number':
        return this.#number(token);
      case 'leftParen':
        if (++this.#depth > maxDepth) this.#fail('max expression depth exceeded');
        try {
          return this.#pipeline('parenthesized pipeline', 'rightParen');
        } finally {
          this.#depth--;
        }
      case 'string':
      case 'rawString':
        return { kind: 'string', at, quoted: text, text: this.#unquoted(token) };
      default:
        this.#next--;
        return undefined;
    }
  }

  #number({ type, text, at }: Token): Operand {
    if (type === 'complex' || (type === 'number' && text.endsWith('i'))) {
      return this.#fail(`complex number ${text} is not supported`);
    }
    const number = parseNumber(text);
    if (!number && type === 'charConstant') {
      return this.#fail(text === "''" ? 'invalid syntax' : `malformed character constant: ${text}`);
    }
    if (!number) return this.#fail(`illegal number syntax: ${quoteGo(text)}`);
    if (number.int === undefined && !/[.eEpP]/.test(text)) return this.#fail(`integer overflow: ${quoteGo(text)}`);
    return { kind: 'number', at, text, ...number };
  }

  #take(): Token {
    const token = this.#tokens[this.#next] ?? this.#tokens.at(-1);
    if (!token) return { type: 'EOF', text: '', at: 0, line: 1 };
    if (this.#next < this.#tokens.length) this.#next++;
    return token;
  }

  #takeSolid(): Token {
    for (;;) {
      const token = this.#take();
      if (token.type !== 'space') return token;
    }
  }

  #peek(): Token {
    return this.#tokens[this.#next] ?? this.#tokens.at(-1) ?? { type: 'EOF', text: '', at: 0, line: 1 };
  }

  #peekSolid(): Token {
    while (this.#peek().type === 'space') this.#next++;
    return this.#peek();
  }

  #expect(type: TokenType, context: string): Token {
    const token = this.#takeSolid();
    return token.type === type ? token : this.#unexpected(token, context);
  }

  #unexpected(token: Token, context: string): never {
    if (token.type !== 'error') this.#fail(`unexpected ${showToken(token)} in ${context}`, token.line);
    let started = '';
    if (this.#actionLine !== 0 && this.#actionLine !== token.line) {
      started = ` in action started at ${this.#options.name}:${this.#actionLine}`;
      if (token.text.endsWith(' action')) started = started.slice(' in action'.length);
    }
    return this.#fail(token.text + started, token.line);
  }

  #fail(message: string, line = this.#lastLine()): never {
    throw new TemplateError(`template: ${this.#options.name}:${line}: ${message}`);
  }

  #lastLine(): number {
    return (this.#tokens[this.#next - 1] ?? this.#tokens[0])?.line ?? 1;
  }
}

const operandStarts: ReadonlySet<string> = new Set<TokenType>([
  'bool',
  'charConstant',
  'complex',
  'dot',
  'field',
  'identifier',
  'number',
  'nil',
  'rawString',
  'string',
  'variable',
  'leftParen',
]);

const inert: ReadonlySet<string> = new Set<Operand['kind']>(['bool', 'dot', 'nil', 'number', 'string']);

function showToken({ type, text }: Token): string {
  if (type === 'EOF') return 'EOF';
  if (isKeyword(type)) return `<${(type === 'dot' ? '.' : text) satisfies Keyword | string}>`;
  const chars = [...text];
  return chars.length > 10 ? `${quoteGo(chars.slice(0, 10).join(''))}...` : quoteGo(text);
}
