// The text of a policy: lines of `p, subject, resource, action, object, effect` and `g, member, role`, separated by
// commas, quoted as in CSV; empty lines and lines that begin with `#` say nothing. Pure.
import { TerminalError } from '@fairlead/base';

export interface PolicyRule {
  readonly subject: string;
  readonly resource: string;
  readonly action: string;
  readonly object: string;
  readonly effect: string;
}

/** Whoever is `member` may do what `role` may. */
export interface PolicyLink {
  readonly member: string;
  readonly role: string;
}

export interface PolicyParts {
  readonly rules: readonly PolicyRule[];
  readonly links: readonly PolicyLink[];
}

export class PolicyTextError extends TerminalError {
  constructor(line: string) {
    super(
      'policy_text',
      `invalid RBAC policy: ${line} (allowed: p, subject, resource, action, object, effect and g, member, role)`,
    );
  }
}

export function parsePolicy(text: string): PolicyParts {
  const rules: PolicyRule[] = [];
  const links: PolicyLink[] = [];
  for (const line of text.split('\n').map((one) => one.trim())) {
    if (line === '' || line.startsWith('#')) continue;
    const fields = fieldsOf(line);
    const [type, first = '', second = '', action = '', object = '', effect = ''] = fields;
    if (type === 'p' && fields.length === 6) rules.push({ subject: first, resource: second, action, object, effect });
    else if (type === 'g' && fields.length === 3) links.push({ member: first, role: second });
    else throw new PolicyTextError(line);
  }
  return { rules, links };
}

/** Space before a field counts for nothing; a field in quotes may hold commas, and quotes written twice. */
function fieldsOf(line: string): string[] {
  const field = /\s*(?:"((?:[^"]|"")*)"|([^",]*))(,|$)/y;
  const fields: string[] = [];
  for (;;) {
    const found = field.exec(line);
    if (!found) throw new PolicyTextError(line);
    const [, quoted, plain = '', end] = found;
    fields.push(quoted === undefined ? plain : quoted.replaceAll('""', '"'));
    if (end === '') return fields;
  }
}
