// The syntax tree of a template, and its nodes written back as Go writes them into error messages.

interface At {
  /** Index in the source text. */
  readonly at: number;
}

export type Operand =
  | (At & { readonly kind: 'bool'; readonly value: boolean })
  | (At & { readonly kind: 'string'; readonly quoted: string; readonly text: string })
  | NumberNode
  | (At & { readonly kind: 'nil' })
  | (At & { readonly kind: 'dot' })
  | FieldNode
  | VariableNode
  | ChainNode
  | (At & { readonly kind: 'identifier'; readonly name: string })
  | PipeNode;

export interface NumberNode extends At {
  readonly kind: 'number';
  readonly text: string;
  /** The number as an integer, when it is one. */
  readonly int?: bigint;
  readonly float?: number;
}

export interface FieldNode extends At {
  readonly kind: 'field';
  readonly names: readonly string[];
}

export interface VariableNode extends At {
  readonly kind: 'variable';
  /** The variable with its `$`, then fields. */
  readonly names: readonly string[];
}

export interface ChainNode extends At {
  readonly kind: 'chain';
  readonly operand: Operand;
  readonly fields: readonly string[];
}

export interface CommandNode extends At {
  readonly kind: 'command';
  readonly args: readonly Operand[];
  /** All but the first. */
  readonly rest: readonly Operand[];
}

export interface PipeNode extends At {
  readonly kind: 'pipe';
  readonly declares: readonly VariableNode[];
  readonly assigns: boolean;
  readonly commands: readonly CommandNode[];
}

export interface BranchNode extends At {
  readonly kind: 'if' | 'with' | 'range';
  readonly pipe: PipeNode;
  readonly body: ListNode;
  readonly otherwise?: ListNode;
}

export interface TemplateNode extends At {
  readonly kind: 'template';
  readonly name: string;
  readonly pipe?: PipeNode;
}

export interface ListNode extends At {
  readonly kind: 'list';
  readonly nodes: readonly Statement[];
}

export type Statement =
  | (At & { readonly kind: 'text'; readonly text: string })
  | (At & { readonly kind: 'action'; readonly pipe: PipeNode })
  | BranchNode
  | TemplateNode
  | (At & { readonly kind: 'break' | 'continue' });

export type Node = Operand | CommandNode | Statement | ListNode;

export function show(node: Node): string {
  switch (node.kind) {
    case 'bool':
      return String(node.value);
    case 'string':
      return node.quoted;
    case 'number':
      return node.text;
    case 'nil':
      return 'nil';
    case 'dot':
      return '.';
    case 'identifier':
      return node.name;
    case 'field':
      return node.names.map((name) => `.${name}`).join('');
    case 'variable':
      return node.names.join('.');
    case 'chain':
      return `${showArgument(node.operand)}${node.fields.map((name) => `.${name}`).join('')}`;
    case 'command':
      return node.args.map(showArgument).join(' ');
    case 'pipe':
      return showPipe(node);
    default:
      return showStatement(node);
  }
}

const showArgument = (node: Operand): string => (node.kind === 'pipe' ? `(${show(node)})` : show(node));

function showPipe({ declares, assigns, commands }: PipeNode): string {
  const names = declares.map(show).join(', ');
  const head = names === '' ? '' : `${names} ${assigns ? '=' : ':='} `;
  return head + commands.map(show).join(' | ');
}

function showStatement(node: Statement | ListNode): string {
  switch (node.kind) {
    case 'text':
      return node.text;
    case 'action':
      return `{{${show(node.pipe)}}}`;
    case 'list':
      return node.nodes.map(show).join('');
    case 'template':
      return `{{template ${JSON.stringify(node.name)}${node.pipe ? ` ${show(node.pipe)}` : ''}}}`;
    case 'break':
    case 'continue':
      return `{{${node.kind}}}`;
    default: {
      const otherwise = node.otherwise ? `{{else}}${show(node.otherwise)}` : '';
      return `{{${node.kind} ${show(node.pipe)}}}${show(node.body)}${otherwise}{{end}}`;
    }
  }
}
