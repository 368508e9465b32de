// Label selectors as text: read token by token, as Kubernetes reads them, so that what it refuses is refused in its words.
import { type Requirement, type Selector, SelectorError } from './label-selector.ts';

interface Token {
  readonly type: 'word' | 'sign' | 'end';
  readonly text: string;
}

const signs = ['==', '!=', '!', '=', '<', '>', '(', ')', ','];
const operators = 'in, notin, =, ==, !=, gt, lt';

function tokensOf(text: string): readonly Token[] {
  const tokens: Token[] = [];
  for (let at = 0; at < text.length; ) {
    if (/\s/.test(text[at] ?? '')) {
      at++;
      continue;
    }
    const sign = signs.find((candidate) => text.startsWith(candidate, at));
    const word = sign ?? /^[^\s=!<>(),]+/.exec(text.slice(at))?.[0] ?? '';
    tokens.push({ type: sign ? 'sign' : 'word', text: word });
    at += word.length;
  }
  return tokens;
}

const end: Token = { type: 'end', text: '' };

export function parseSelector(text: string): Selector {
  const reader = new SelectorReader(tokensOf(text));
  return reader.requirements();
}

class SelectorReader {
  readonly #tokens: readonly Token[];
  #at = 0;

  constructor(tokens: readonly Token[]) {
    this.#tokens = tokens;
  }

  requirements(): Selector {
    const found: Requirement[] = [];
    while (this.#peek().type !== 'end') {
      const isStart = this.#peek().type === 'word' || this.#peek().text === '!';
      if (!isStart)
        throw new SelectorError(`found '${this.#peek().text}', expected: !, identifier, or 'end of string'`);
      found.push(checked(this.#requirement()));
      const next = this.#take();
      if (next.type === 'end') return found;
      if (next.text !== ',') throw new SelectorError(`found '${next.text}', expected: ',' or 'end of string'`);
      const after = this.#peek();
      if (after.type !== 'word' && after.text !== '!') {
        throw new SelectorError(`found '${after.text}', expected: identifier after ','`);
      }
    }
    return found;
  }

  #peek(): Token {
    return this.#tokens[this.#at] ?? end;
  }

  #take(): Token {
    const token = this.#peek();
    this.#at++;
    return token;
  }

  #requirement(): Requirement {
    const isAbsent = this.#peek().text === '!';
    if (isAbsent) this.#at++;
    const key = this.#take();
    if (key.type !== 'word') throw unreadable(`found '${key.text}', expected: identifier`);
    if (isAbsent) return { key: key.text, operator: 'DoesNotExist', values: [] };
    const next = this.#peek();
    if (next.type === 'end' || next.text === ',') return { key: key.text, operator: 'Exists', values: [] };
    this.#at++;
    if (next.text === 'in' || next.text === 'notin') {
      return { key: key.text, operator: next.text === 'in' ? 'In' : 'NotIn', values: this.#values() };
    }
    const known: Readonly<Record<string, Requirement['operator']>> = {
      '=': 'In',
      '==': 'In',
      '!=': 'NotIn',
      '>': 'Gt',
      '<': 'Lt',
    };
    const operator = known[next.text];
    if (!operator) throw unreadable(`found '${next.text}', expected: ${operators}`);
    return { key: key.text, operator, values: [this.#value()] };
  }

  /** One value; nothing at all is the empty one. */
  #value(): string {
    const next = this.#peek();
    if (next.type === 'end' || next.text === ',') return '';
    this.#at++;
    if (next.type !== 'word') throw unreadable(`found '${next.text}', expected: identifier`);
    return next.text;
  }

  #values(): readonly string[] {
    const open = this.#take();
    if (open.text !== '(') throw unreadable(`found '${open.text}' expected: '('`);
    const values: string[] = [];
    for (;;) {
      const next = this.#take();
      if (next.type === 'end') {
        const wanted = values.length === 0 ? "',', ')' or identifier" : "',' or ')'";
        throw unreadable(`found '', expected: ${wanted}`);
      }
      if (next.text === ')') return values.length === 0 ? [''] : values;
      if (next.type === 'word') values.push(next.text);
      else if (next.text !== ',') throw unreadable(`found '${next.text}', expected: ',', ')' or identifier`);
      else if (this.#peek().text === ',' || this.#peek().text === ')') values.push('');
    }
  }
}

const unreadable = (why: string) => new SelectorError(`unable to parse requirement: ${why}`);

const nameForm = /^([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]$/;
const valueForm = /^(([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9])?$/;
const nameRule =
  "name part must consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character (e.g. 'MyName',  or 'my.name',  or '123-abc', regex used for validation is '([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]')";
const valueRule =
  "a valid label must be an empty string or consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character (e.g. 'MyValue',  or 'my_value',  or '12345', regex used for validation is '(([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9])?')";
const maxLength = 63;

/** Keys and values that no label can have select nothing by mistake: they are refused. */
function checked(requirement: Requirement): Requirement {
  const { key, operator, values } = requirement;
  const name = key.split('/').at(-1) ?? '';
  if (!nameForm.test(name) || name.length > maxLength || key.split('/').length > 2) {
    const rule = name.length > maxLength ? `name part must be no more than ${maxLength} bytes` : nameRule;
    throw unreadable(`<nil>: Invalid value: ${JSON.stringify(key)}: ${rule}`);
  }
  for (const [index, value] of values.entries()) {
    if (operator === 'Gt' || operator === 'Lt') {
      if (!/^-?\d+$/.test(value)) {
        throw unreadable(
          `values[0][${key}]: Invalid value: ${JSON.stringify(value)}: for 'Gt', 'Lt' operators, the value must be an integer`,
        );
      }
    } else if (!valueForm.test(value) || value.length > maxLength) {
      const rule = value.length > maxLength ? `must be no more than ${maxLength} bytes` : valueRule;
      throw unreadable(`values[${index}][${key}]: Invalid value: ${JSON.stringify(value)}: ${rule}`);
    }
  }
  return requirement;
}
