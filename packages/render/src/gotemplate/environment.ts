// What an execution is given: templates, functions, and what may still be spent.
import type { ParsedTemplate } from './parse.ts';
import type { GoFunction } from './value.ts';

export type MissingKey = 'default' | 'zero' | 'error';

/** Shared by all executions of one render: what may still be spent. */
export interface Budget {
  steps: number;
  outputChars: number;
  /** Executions inside executions (`include`, `tpl`) that may still be begun. */
  nesting: number;
  /** Asked every few thousand steps; throws when time is up. */
  readonly check?: () => void;
}

export interface Environment {
  readonly templates: ReadonlyMap<string, ParsedTemplate>;
  readonly functions: ReadonlyMap<string, GoFunction>;
  readonly missingKey: MissingKey;
  readonly budget: Budget;
  /** Go's own limit of nested {{template}} calls. */
  readonly maxDepth: number;
}
