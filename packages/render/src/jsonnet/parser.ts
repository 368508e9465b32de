// Tokens → syntax tree.
import { JsonnetError } from './errors.ts';
import { placeText, type Token, tokensOf } from './lexer.ts';
import type { Argument, AssertNode, Bind, FieldNode, Node, Param, Spec, Visibility } from './nodes.ts';

const maxDepth = 1_000;
const precedence: readonly (readonly string[])[] = [
  ['||'],
  ['&&'],
  ['|'],
  ['^'],
  ['&'],
  ['==', '!='],
  ['<', '>', '<=', '>=', 'in'],
  ['<<', '>>'],
  ['+', '-'],
  ['*', '/', '%'],
];

export function parseJsonnet(source: string, file: string): Node {
  return new Parser(source, file).program();
}

class Parser {
  readonly #source: string;
  readonly #file: string;
  readonly #tokens: readonly Token[];
  #next = 0;
  #depth = 0;

  constructor(source: string, file: string) {
    this.#source = source;
    this.#file = file;
    this.#tokens = tokensOf(source, file);
  }

  program(): Node {
    const node = this.#expression();
    if (this.#token.kind !== 'end') this.#fail(`did not expect: ${this.#token.text}`);
    return node;
  }

  get #token(): Token {
    return this.#tokens[this.#next] ?? { kind: 'end', text: 'end of file', at: this.#source.length };
  }

  #fail(message: string, at = this.#token.at): never {
    throw new JsonnetError(`${placeText(this.#file, this.#source, at)}: ${message}`, { isPlaced: true });
  }

  #is(text: string): boolean {
    const { kind, text: own } = this.#token;
    return own === text && kind !== 'string' && kind !== 'end';
  }

  #take(text: string): boolean {
    if (!this.#is(text)) return false;
    this.#next++;
    return true;
  }

  #expect(text: string): void {
    if (!this.#take(text)) this.#fail(`expected ${text} but got ${this.#token.text}`);
  }

  #place(): { file: string; at: number } {
    return { file: this.#file, at: this.#token.at };
  }

  #name(): string {
    const { kind, text } = this.#token;
    if (kind !== 'identifier') this.#fail(`expected an identifier but got ${text}`);
    this.#next++;
    return text;
  }

  #expression(): Node {
    if (++this.#depth > maxDepth) this.#fail(`expressions are nested deeper than ${maxDepth}`);
    const node = this.#keywordExpression() ?? this.#binary(0);
    this.#depth--;
    return node;
  }

  #keywordExpression(): Node | undefined {
    const place = this.#place();
    if (this.#token.kind !== 'keyword') return undefined;
    switch (this.#token.text) {
      case 'assert': {
        const { condition, message } = this.#assertion();
        this.#expect(';');
        return { ...place, kind: 'assert', condition, message, rest: this.#expression() };
      }
      case 'error':
        this.#next++;
        return { ...place, kind: 'error', message: this.#expression() };
      case 'if': {
        this.#next++;
        const condition = this.#expression();
        this.#expect('then');
        const then = this.#expression();
        return {
          ...place,
          kind: 'if',
          condition,
          then,
          otherwise: this.#take('else') ? this.#expression() : undefined,
        };
      }
      case 'function':
        this.#next++;
        this.#expect('(');
        return { ...place, kind: 'function', params: this.#params(), body: this.#expression() };
      case 'import':
      case 'importstr':
      case 'importbin':
        return this.#import();
      case 'local': {
        this.#next++;
        const binds: Bind[] = [];
        do binds.push(this.#bind());
        while (this.#take(','));
        this.#expect(';');
        return { ...place, kind: 'local', binds, body: this.#expression() };
      }
      default:
        return undefined;
    }
  }

  #import(): Node {
    const place = this.#place();
    const how = this.#token.text as 'import' | 'importstr' | 'importbin'; // the only words that lead here
    this.#next++;
    const { kind, text: path } = this.#token;
    if (kind !== 'string') this.#fail('computed imports are not allowed');
    this.#next++;
    return { ...place, kind: 'import', how, path };
  }

  #assertion(): Pick<AssertNode, 'condition' | 'message'> {
    this.#expect('assert');
    const condition = this.#expression();
    return { condition, message: this.#take(':') ? this.#expression() : undefined };
  }

  #bind(): Bind {
    const place = this.#place();
    const name = this.#name();
    const params = this.#take('(') ? this.#params() : undefined;
    this.#expect('=');
    const body = this.#expression();
    return { name, body: params ? { ...place, kind: 'function', params, body } : body };
  }

  /** After the opening bracket. */
  #params(): Param[] {
    const params: Param[] = [];
    while (!this.#take(')')) {
      const name = this.#name();
      if (params.some((param) => param.name === name)) this.#fail(`duplicate function parameter: ${name}`);
      params.push({ name, byDefault: this.#take('=') ? this.#expression() : undefined });
      if (!this.#is(')')) this.#expect(',');
    }
    return params;
  }

  #binary(level: number): Node {
    const operators = precedence[level];
    if (!operators) return this.#unary();
    let left = this.#binary(level + 1);
    for (;;) {
      const { text: operator, kind } = this.#token;
      if (kind === 'string' || !operators.includes(operator)) return left;
      const place = this.#place();
      this.#next++;
      if (operator === 'in' && this.#take('super')) left = { ...place, kind: 'inSuper', index: left };
      else
        left = {
          ...place,
          kind: 'binary',
          operator,
          left,
          right: this.#keywordExpression() ?? this.#binary(level + 1),
        };
    }
  }

  #unary(): Node {
    const place = this.#place();
    const { text: operator, kind } = this.#token;
    if (kind !== 'operator' || !['+', '-', '!', '~'].includes(operator)) return this.#postfix();
    if (++this.#depth > maxDepth) this.#fail(`expressions are nested deeper than ${maxDepth}`);
    this.#next++;
    const operand = this.#keywordExpression() ?? this.#unary();
    this.#depth--;
    return { ...place, kind: 'unary', operator, operand };
  }

  #postfix(): Node {
    let node = this.#terminal();
    for (;;) {
      const place = this.#place();
      if (this.#take('.')) {
        const index: Node = { ...place, kind: 'literal', value: this.#name() };
        node = { ...place, kind: 'index', target: node, index };
      } else if (this.#take('[')) node = this.#indexOrSlice(node, place);
      else if (this.#take('(')) {
        const args = this.#args();
        node = { ...place, kind: 'apply', target: node, args, strict: this.#take('tailstrict') };
      } else if (this.#is('{')) {
        node = { ...place, kind: 'binary', operator: '+', left: node, right: this.#terminal() };
      } else return node;
    }
  }

  #indexOrSlice(target: Node, place: { file: string; at: number }): Node {
    const parts: (Node | undefined)[] = [undefined];
    let isSlice = false;
    while (!this.#take(']')) {
      if (this.#take('::')) parts.push(undefined, undefined);
      else if (this.#take(':')) parts.push(undefined);
      else {
        if (parts.at(-1)) this.#fail(`expected ] but got ${this.#token.text}`);
        parts[parts.length - 1] = this.#expression();
        continue;
      }
      isSlice = true;
    }
    const [index] = parts;
    if (isSlice) {
      if (parts.length > 3) this.#fail('invalid slice: too many colons');
      return { ...place, kind: 'slice', target, parts };
    }
    if (!index) this.#fail('index requires an expression');
    return { ...place, kind: 'index', target, index };
  }

  #args(): Argument[] {
    const args: Argument[] = [];
    while (!this.#take(')')) {
      const following = this.#tokens[this.#next + 1];
      const isNamed = this.#token.kind === 'identifier' && following?.kind === 'operator' && following.text === '=';
      const name = isNamed ? this.#name() : undefined;
      if (isNamed) this.#expect('=');
      else if (args.some((arg) => arg.name !== undefined)) this.#fail('positional argument after a named argument');
      args.push({ name, value: this.#expression() });
      if (!this.#is(')')) this.#expect(',');
    }
    return args;
  }

  #terminal(): Node {
    const place = this.#place();
    const { kind, text } = this.#token;
    this.#next++;
    if (kind === 'number') return { ...place, kind: 'literal', value: Number(text) };
    if (kind === 'string') return { ...place, kind: 'literal', value: text };
    if (kind === 'identifier') return { ...place, kind: 'variable', name: text };
    switch (text) {
      case 'null':
        return { ...place, kind: 'literal', value: null };
      case 'true':
      case 'false':
        return { ...place, kind: 'literal', value: text === 'true' };
      case 'self':
        return { ...place, kind: 'self' };
      case '$':
        return { ...place, kind: 'dollar' };
      case 'super':
        return this.#super(place);
      case '(': {
        const inner = this.#expression();
        this.#expect(')');
        return inner;
      }
      case '[':
        return this.#array(place);
      case '{':
        return this.#object(place);
      default:
        this.#next--;
        return this.#fail(`unexpected: ${text} while parsing terminal`);
    }
  }

  #super(place: { file: string; at: number }): Node {
    if (this.#take('.')) {
      return { ...place, kind: 'superIndex', index: { ...place, kind: 'literal', value: this.#name() } };
    }
    this.#expect('[');
    const index = this.#expression();
    this.#expect(']');
    return { ...place, kind: 'superIndex', index };
  }

  #array(place: { file: string; at: number }): Node {
    const items: Node[] = [];
    while (!this.#take(']')) {
      items.push(this.#expression());
      const [body] = items;
      const comma = this.#take(',');
      if (this.#is('for') && items.length === 1 && body) {
        const specs = this.#specs();
        this.#expect(']');
        return { ...place, kind: 'arrayComp', body, specs };
      }
      if (!comma && !this.#is(']')) this.#fail(`expected a comma before next array element`);
    }
    return { ...place, kind: 'array', items };
  }

  #specs(): Spec[] {
    const specs: Spec[] = [];
    for (;;) {
      if (this.#take('for')) {
        const name = this.#name();
        this.#expect('in');
        specs.push({ kind: 'for', name, list: this.#expression() });
      } else if (this.#take('if')) specs.push({ kind: 'if', condition: this.#expression() });
      else return specs;
    }
  }

  #object(place: { file: string; at: number }): Node {
    const fields: FieldNode[] = [];
    const locals: Bind[] = [];
    const asserts: AssertNode[] = [];
    const names = new Set<string>();
    while (!this.#take('}')) {
      const at = this.#place();
      if (this.#take('local')) locals.push(this.#bind());
      else if (this.#is('assert')) asserts.push({ ...at, kind: 'assert', ...this.#assertion(), rest: undefined });
      else if (this.#is('for')) return this.#objectComprehension(place, { fields, locals, asserts });
      else {
        const field = this.#field();
        if (!field.isComputed && field.name.kind === 'literal') {
          const name = String(field.name.value);
          if (names.has(name)) this.#fail(`duplicate field: ${name}`, at.at);
          names.add(name);
        }
        fields.push(field);
      }
      if (!this.#take(',') && !this.#is('}') && !this.#is('for'))
        this.#fail(`expected a comma before next field, got ${this.#token.text}`);
    }
    return { ...place, kind: 'object', fields, locals, asserts };
  }

  #objectComprehension(
    place: { file: string; at: number },
    {
      fields,
      locals,
      asserts,
    }: { fields: readonly FieldNode[]; locals: readonly Bind[]; asserts: readonly AssertNode[] },
  ): Node {
    const [field] = fields;
    if (!field || fields.length > 1 || !field.isComputed || asserts.length > 0)
      return this.#fail('object comprehension can only have one field, with a computed name');
    const specs = this.#specs();
    this.#expect('}');
    return { ...place, kind: 'objectComp', field, locals, specs };
  }

  #field(): FieldNode {
    const place = this.#place();
    const { kind, text } = this.#token;
    let name: Node;
    const isComputed = this.#take('[');
    if (isComputed) {
      name = this.#expression();
      this.#expect(']');
    } else if (kind === 'identifier' || kind === 'string') {
      this.#next++;
      name = { ...place, kind: 'literal', value: text };
    } else return this.#fail(`unexpected: ${text} while parsing field definition`);
    const params = this.#take('(') ? this.#params() : undefined;
    const [, plus, colons = ''] = /^(\+?)(:{1,3})$/.exec(this.#token.text) ?? [];
    if (colons === '' || this.#token.kind !== 'operator') this.#fail(`expected : but got ${this.#token.text}`);
    if (plus && params) this.#fail('cannot use +: syntax sugar in a method');
    this.#next++;
    const body = this.#expression();
    return {
      name,
      isComputed,
      plus: plus === '+',
      visibility: visibilities[colons.length - 1] ?? 'inherit',
      body: params ? { ...place, kind: 'function', params, body } : body,
    };
  }
}

const visibilities: readonly Visibility[] = ['inherit', 'hidden', 'visible'];
