// One schema = the runtime check, the TypeScript type and the JSON Schema. This file is the runtime check.
import type { Static, TSchema } from 'typebox';
import { Compile } from 'typebox/compile';

export interface Problem {
  /** Dotted path of the field, '' for the whole value. */
  readonly field: string;
  readonly reason: string;
}

export type Checked<T> =
  | { readonly ok: true; readonly value: T }
  | { readonly ok: false; readonly problems: Problem[] };

const maxProblems = 10;

/** Compiles the schema once; the returned function never throws and never changes the value. */
export function checker<S extends TSchema>(schema: S): (value: unknown) => Checked<Static<S>> {
  const compiled = Compile(schema);
  return (value) => {
    if (compiled.Check(value)) return { ok: true, value: value as Static<S> };
    const problems = compiled.Errors(value).slice(0, maxProblems).map(toProblem);
    return { ok: false, problems };
  };
}

function toProblem(error: { instancePath: string; message: string; params: object }): Problem {
  const field = error.instancePath.split('/').slice(1).join('.');
  const missing = (error.params as { requiredProperties?: string[] }).requiredProperties;
  if (missing?.length) return { field: [field, missing[0]].filter(Boolean).join('.'), reason: 'is required' };
  return { field, reason: error.message };
}
