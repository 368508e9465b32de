// Templates as tokens, with Go's rules for trimming, comments and what may follow what.

export type TokenType =
  | 'error'
  | 'bool'
  | 'char'
  | 'charConstant'
  | 'complex'
  | 'assign'
  | 'declare'
  | 'EOF'
  | 'field'
  | 'identifier'
  | 'leftDelim'
  | 'leftParen'
  | 'number'
  | 'pipe'
  | 'rawString'
  | 'rightDelim'
  | 'rightParen'
  | 'space'
  | 'string'
  | 'text'
  | 'variable'
  | 'dot'
  | 'nil'
  | Keyword;

export type Keyword = 'block' | 'break' | 'continue' | 'define' | 'else' | 'end' | 'if' | 'range' | 'template' | 'with';

export interface Token {
  readonly type: TokenType;
  readonly text: string;
  /** Index in the source. */
  readonly at: number;
  readonly line: number;
}

const keywords: ReadonlySet<string> = new Set<Keyword>([
  'block',
  'break',
  'continue',
  'define',
  'else',
  'end',
  'if',
  'range',
  'template',
  'with',
]);

export const isKeyword = (type: TokenType): type is Keyword | 'nil' | 'dot' =>
  keywords.has(type) || type === 'nil' || type === 'dot';

const spaces = new Set([' ', '\t', '\r', '\n']);
const alphanumeric = /[\p{L}\p{Nd}_]/u;

export function lex(source: string): Token[] {
  return new Lexer(source).run();
}

class Lexer {
  readonly #source: string;
  readonly #tokens: Token[] = [];
  #at = 0;
  #start = 0;
  #line = 1;
  #startLine = 1;
  #parens = 0;

  constructor(source: string) {
    this.#source = source;
  }

  run(): Token[] {
    for (;;) {
      const next = this.#text();
      if (next === 'end' || (next === 'action' && !this.#insideAction())) return this.#tokens;
    }
  }

  /** Text, then a comment or the left delimiter of an action. */
  #text(): 'comment' | 'action' | 'end' {
    const open = this.#source.indexOf('{{', this.#at);
    if (open < 0) {
      if (this.#at < this.#source.length) this.#take('text', this.#source.length);
      this.#take('EOF', this.#source.length);
      return 'end';
    }
    const trims = this.#source[open + 2] === '-' && spaces.has(this.#source[open + 3] ?? '');
    const end = trims ? Math.max(this.#at, trimRight(this.#source, open, this.#at)) : open;
    if (end > this.#at) this.#take('text', end);
    this.#skipTo(open);
    return this.#leftDelim(trims);
  }

  #leftDelim(trims: boolean): 'comment' | 'action' | 'end' {
    const bodyStart = this.#at + 2 + (trims ? 2 : 0);
    if (this.#source.startsWith('/*', bodyStart)) return this.#comment(bodyStart);
    this.#take('leftDelim', this.#at + 2);
    this.#skipTo(bodyStart);
    this.#parens = 0;
    return 'action';
  }

  #comment(bodyStart: number): 'comment' | 'end' {
    const close = this.#source.indexOf('*/', bodyStart);
    if (close < 0) return this.#fail('unclosed comment');
    this.#skipTo(close + 2);
    const trims = this.#atRightTrim();
    const end = this.#at + (trims ? 2 : 0);
    if (!this.#source.startsWith('}}', end)) return this.#fail('comment ends before closing delimiter');
    this.#skipTo(end + 2);
    if (trims) this.#skipSpaces();
    return 'comment';
  }

  /** Tokens up to and with the right delimiter; false at an error. */
  #insideAction(): boolean {
    for (;;) {
      const outcome = this.#actionToken();
      if (outcome !== 'more') return outcome === 'closed';
    }
  }

  #actionToken(): 'more' | 'closed' | 'failed' {
    const trims = this.#atRightTrim();
    if (trims || this.#source.startsWith('}}', this.#at)) {
      if (this.#parens > 0) return this.#failed('unclosed left paren');
      this.#skipTo(this.#at + (trims ? 2 : 0));
      this.#take('rightDelim', this.#at + 2);
      if (trims) this.#skipSpaces();
      return 'closed';
    }
    const char = this.#source[this.#at];
    if (char === undefined) return this.#failed('unclosed action');
    if (spaces.has(char)) return this.#spaces();
    return this.#symbol(char);
  }

  #symbol(char: string): 'more' | 'failed' {
    const next = this.#source[this.#at + 1] ?? '';
    if (char === '=') return this.#more('assign', 1);
    if (char === ':') return next === '=' ? this.#more('declare', 2) : this.#failedAt('expected :=', 2);
    if (char === '|') return this.#more('pipe', 1);
    if (char === '"') return this.#quoted();
    if (char === '`') return this.#raw();
    if (char === '$') return this.#fieldOrVariable('variable');
    if (char === "'") return this.#charConstant();
    if (char === '.' && !/[0-9]/.test(next)) return this.#fieldOrVariable('field');
    if (char === '+' || char === '-' || char === '.' || /[0-9]/.test(char)) return this.#number();
    if (alphanumeric.test(this.#codePoint(this.#at))) return this.#identifier();
    if (char === '(') {
      this.#parens++;
      return this.#more('leftParen', 1);
    }
    if (char === ')') {
      this.#parens--;
      return this.#parens < 0 ? this.#failedAt('unexpected right paren', 1) : this.#more('rightParen', 1);
    }
    if (char >= ' ' && char <= '~') return this.#more('char', 1);
    return this.#failedAt(`unrecognized character in action: ${unicodeName(this.#codePoint(this.#at))}`, 1);
  }

  #spaces(): 'more' {
    let end = this.#at;
    // " -}}" trims what follows it: its space belongs to the delimiter.
    while (spaces.has(this.#source[end] ?? '') && !this.#source.startsWith('-}}', end + 1)) end++;
    this.#take('space', end);
    return 'more';
  }

  #atRightTrim(): boolean {
    return spaces.has(this.#source[this.#at] ?? '') && this.#source.startsWith('-}}', this.#at + 1);
  }

  #identifier(): 'more' | 'failed' {
    const end = this.#wordEnd(this.#at);
    const word = this.#source.slice(this.#at, end);
    if (!this.#terminated(end)) return this.#badCharacter(end);
    if (keywords.has(word)) return this.#more(word as Keyword, word.length); // the set holds keywords only
    if (word === 'true' || word === 'false') return this.#more('bool', word.length);
    return this.#more(word === 'nil' ? 'nil' : 'identifier', word.length);
  }

  #fieldOrVariable(type: 'field' | 'variable'): 'more' | 'failed' {
    const from = this.#at + 1;
    if (this.#terminated(from)) return this.#more(type === 'field' ? 'dot' : 'variable', 1);
    const end = this.#wordEnd(from);
    if (!this.#terminated(end)) return this.#badCharacter(end);
    return this.#more(type, end - this.#at);
  }

  #wordEnd(from: number): number {
    let end = from;
    for (;;) {
      const char = this.#codePoint(end);
      if (char === '' || !alphanumeric.test(char)) return end;
      end += char.length;
    }
  }

  #terminated(at: number): boolean {
    const char = this.#source[at];
    if (char === undefined || spaces.has(char) || '.,|:()'.includes(char)) return true;
    return this.#source.startsWith('}}', at);
  }

  #badCharacter(at: number): 'failed' {
    return this.#failedAt(`bad character ${unicodeName(this.#codePoint(at))}`, at - this.#at);
  }

  #quoted(): 'more' | 'failed' {
    for (let end = this.#at + 1; ; end++) {
      const char = this.#source[end];
      if (char === '\\' && this.#source[end + 1] !== undefined && this.#source[end + 1] !== '\n') end++;
      else if (char === undefined || char === '\n') return this.#failed('unterminated quoted string');
      else if (char === '"') return this.#more('string', end + 1 - this.#at);
    }
  }

  #charConstant(): 'more' | 'failed' {
    for (let end = this.#at + 1; ; end++) {
      const char = this.#source[end];
      if (char === '\\' && this.#source[end + 1] !== undefined && this.#source[end + 1] !== '\n') end++;
      else if (char === undefined || char === '\n') return this.#failed('unterminated character constant');
      else if (char === "'") return this.#more('charConstant', end + 1 - this.#at);
    }
  }

  #raw(): 'more' | 'failed' {
    const close = this.#source.indexOf('`', this.#at + 1);
    return close < 0 ? this.#failed('unterminated raw quoted string') : this.#more('rawString', close + 1 - this.#at);
  }

  #number(): 'more' | 'failed' {
    const form =
      /[+-]?(?:0[xX][0-9a-fA-F_]*|0[oO][0-7_]*|0[bB][01_]*|[0-9_]*)(?:\.[0-9a-fA-F_]*)?(?:[eEpP][+-]?[0-9_]*)?i?/y;
    const decimal = /[+-]?[0-9_]*(?:\.[0-9_]*)?(?:[eE][+-]?[0-9_]*)?i?/y;
    const rest = this.#source.slice(this.#at).replace(/^[+-]/, '');
    const pattern = /^0[xXoObB]/.test(rest) ? form : decimal;
    pattern.lastIndex = this.#at;
    const text = pattern.exec(this.#source)?.[0] ?? '';
    const end = this.#at + text.length;
    if (alphanumeric.test(this.#codePoint(end))) {
      return this.#failed(`bad number syntax: "${this.#source.slice(this.#at, end + 1)}"`);
    }
    const sign = this.#source[end];
    if (sign === '+' || sign === '-') {
      pattern.lastIndex = end;
      const imaginary = pattern.exec(this.#source)?.[0] ?? '';
      if (!imaginary.endsWith('i')) {
        return this.#failed(`bad number syntax: "${this.#source.slice(this.#at, end + imaginary.length)}"`);
      }
      return this.#more('complex', text.length + imaginary.length);
    }
    return this.#more('number', text.length);
  }

  #codePoint(at: number): string {
    const code = this.#source.codePointAt(at);
    return code === undefined ? '' : String.fromCodePoint(code);
  }

  #more(type: TokenType, length: number): 'more' {
    this.#take(type, this.#at + length);
    return 'more';
  }

  #failedAt(message: string, length: number): 'failed' {
    this.#at += length;
    return this.#failed(message);
  }

  #failed(message: string): 'failed' {
    this.#tokens.push({ type: 'error', text: message, at: this.#start, line: this.#startLine });
    return 'failed';
  }

  #fail(message: string): 'end' {
    this.#failed(message);
    return 'end';
  }

  #take(type: TokenType, end: number): void {
    this.#tokens.push({ type, text: this.#source.slice(this.#at, end), at: this.#at, line: this.#line });
    this.#skipTo(end);
  }

  #skipSpaces(): void {
    let end = this.#at;
    while (spaces.has(this.#source[end] ?? '')) end++;
    this.#skipTo(end);
  }

  #skipTo(end: number): void {
    for (let i = this.#at; i < end; i++) if (this.#source.charCodeAt(i) === 10) this.#line++;
    this.#at = end;
    this.#start = end;
    this.#startLine = this.#line;
  }
}

function trimRight(source: string, end: number, start: number): number {
  let at = end;
  while (at > start && spaces.has(source[at - 1] ?? '')) at--;
  return at;
}

/** fmt's %#U. */
function unicodeName(char: string): string {
  const code = char.codePointAt(0);
  if (code === undefined) return 'U+FFFFFFFFFFFFFFFF';
  const name = `U+${code.toString(16).toUpperCase().padStart(4, '0')}`;
  return /\p{C}/u.test(char) ? name : `${name} '${char}'`;
}
