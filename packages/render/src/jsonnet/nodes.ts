// The syntax tree of Jsonnet, sugar included where evaluating it directly is as short as removing it.

export interface Place {
  readonly file: string;
  /** Offset in the text; line and column are found only when something fails. */
  readonly at: number;
}

export interface Bind {
  readonly name: string;
  readonly body: Node;
}

export interface Param {
  readonly name: string;
  readonly byDefault: Node | undefined;
}

export interface Argument {
  readonly name: string | undefined;
  readonly value: Node;
}

export type Visibility = 'inherit' | 'hidden' | 'visible';

export interface FieldNode {
  readonly name: Node;
  /** Written in brackets. */
  readonly isComputed: boolean;
  readonly plus: boolean;
  readonly visibility: Visibility;
  readonly body: Node;
}

export interface ForSpec {
  readonly kind: 'for';
  readonly name: string;
  readonly list: Node;
}

export interface IfSpec {
  readonly kind: 'if';
  readonly condition: Node;
}

export type Spec = ForSpec | IfSpec;

export interface ObjectNode extends Place {
  readonly kind: 'object';
  readonly fields: readonly FieldNode[];
  readonly locals: readonly Bind[];
  readonly asserts: readonly AssertNode[];
}

export interface AssertNode extends Place {
  readonly kind: 'assert';
  readonly condition: Node;
  readonly message: Node | undefined;
  /** What the whole is worth; an assertion of an object has none. */
  readonly rest: Node | undefined;
}

export interface FunctionNode extends Place {
  readonly kind: 'function';
  readonly params: readonly Param[];
  readonly body: Node;
}

export type Node =
  | (Place & { readonly kind: 'literal'; readonly value: null | boolean | number | string })
  | (Place & { readonly kind: 'self' | 'dollar' })
  | (Place & { readonly kind: 'variable'; readonly name: string })
  | (Place & { readonly kind: 'superIndex'; readonly index: Node })
  | (Place & { readonly kind: 'inSuper'; readonly index: Node })
  | (Place & { readonly kind: 'index'; readonly target: Node; readonly index: Node })
  | (Place & { readonly kind: 'slice'; readonly target: Node; readonly parts: readonly (Node | undefined)[] })
  | (Place & {
      readonly kind: 'apply';
      readonly target: Node;
      readonly args: readonly Argument[];
      readonly strict: boolean;
    })
  | (Place & { readonly kind: 'array'; readonly items: readonly Node[] })
  | (Place & { readonly kind: 'arrayComp'; readonly body: Node; readonly specs: readonly Spec[] })
  | (Place & {
      readonly kind: 'objectComp';
      readonly field: FieldNode;
      readonly locals: readonly Bind[];
      readonly specs: readonly Spec[];
    })
  | (Place & { readonly kind: 'unary'; readonly operator: string; readonly operand: Node })
  | (Place & { readonly kind: 'binary'; readonly operator: string; readonly left: Node; readonly right: Node })
  | (Place & {
      readonly kind: 'if';
      readonly condition: Node;
      readonly then: Node;
      readonly otherwise: Node | undefined;
    })
  | (Place & { readonly kind: 'local'; readonly binds: readonly Bind[]; readonly body: Node })
  | (Place & { readonly kind: 'error'; readonly message: Node })
  | (Place & { readonly kind: 'import'; readonly how: 'import' | 'importstr' | 'importbin'; readonly path: string })
  | ObjectNode
  | AssertNode
  | FunctionNode;
