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
    return { ok: false, problems: problemsOf(compiled.Errors(value)).slice(0, maxProblems) };
  };
}

interface SchemaError {
  readonly instancePath: string;
  readonly keyword: string;
  readonly message: string;
  readonly params: object;
}

/** A field that may have one of several values is one problem, and names them. */
function problemsOf(errors: readonly SchemaError[]): Problem[] {
  const values = new Map<string, unknown[]>();
  for (const { instancePath, params } of errors) {
    const { allowedValue, allowedValues } = params as { allowedValue?: unknown; allowedValues?: unknown[] };
    const allowed = allowedValues ?? (allowedValue === undefined ? [] : [allowedValue]);
    if (allowed.length > 0) values.set(instancePath, [...(values.get(instancePath) ?? []), ...allowed]);
  }
  const told = new Set<string>();
  return errors.flatMap((error) => {
    const allowed = values.get(error.instancePath);
    if (!allowed) return [toProblem(error)];
    if (told.has(error.instancePath)) return [];
    told.add(error.instancePath);
    const reason =
      allowed.length === 1 ? `must be ${allowed[0]}` : `must be one of ${[...new Set(allowed)].join(', ')}`;
    return [{ ...toProblem(error), reason }];
  });
}

function toProblem(error: SchemaError): Problem {
  const field = error.instancePath.split('/').slice(1).join('.');
  const missing = (error.params as { requiredProperties?: string[] }).requiredProperties;
  if (missing?.length) return { field: [field, missing[0]].filter(Boolean).join('.'), reason: 'is required' };
  return { field, reason: error.message };
}
