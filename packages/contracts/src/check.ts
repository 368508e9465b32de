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
    return { ok: false, problems: problemsOf(compiled.Errors(value), schema).slice(0, maxProblems) };
  };
}

interface SchemaError {
  readonly instancePath: string;
  readonly schemaPath: string;
  readonly keyword: string;
  readonly message: string;
  readonly params: object;
}

/** A field that may have one of several values is one problem, and names them. */
function problemsOf(errors: readonly SchemaError[], schema: TSchema): Problem[] {
  const values = new Map<string, unknown[]>();
  for (const { instancePath, params } of errors) {
    const { allowedValue, allowedValues } = params as { allowedValue?: unknown; allowedValues?: unknown[] };
    const allowed = allowedValues ?? (allowedValue === undefined ? [] : [allowedValue]);
    if (allowed.length > 0) values.set(instancePath, [...(values.get(instancePath) ?? []), ...allowed]);
  }
  const told = new Set<string>();
  return errors.flatMap((error) => {
    const allowed = values.get(error.instancePath);
    if (!allowed) return [toProblem(error, schema)];
    if (told.has(error.instancePath)) return [];
    told.add(error.instancePath);
    const reason =
      allowed.length === 1 ? `must be ${allowed[0]}` : `must be one of ${[...new Set(allowed)].join(', ')}`;
    return [{ ...toProblem(error, schema), reason }];
  });
}

function toProblem(error: SchemaError, schema: TSchema): Problem {
  const field = error.instancePath.split('/').slice(1).join('.');
  const missing = (error.params as { requiredProperties?: string[] }).requiredProperties;
  if (missing?.length) return { field: [field, missing[0]].filter(Boolean).join('.'), reason: 'is required' };
  const rule = error.keyword === 'pattern' ? ruleAt(schema, error.schemaPath) : undefined;
  return { field, reason: rule ? `does not fit: use ${rule}` : error.message };
}

/** What the schema at the path says of itself: people cannot read patterns. */
function ruleAt(schema: TSchema, path: string): string | undefined {
  const parts = path.split('/').slice(1);
  const at = parts.reduce<unknown>((within, part) => (within as Record<string, unknown> | undefined)?.[part], schema);
  return (at as { description?: string } | undefined)?.description;
}
