// What is known of an object's fields, in the form of OpenAPI v3 as Kubernetes uses it. Built-in kinds come from recorded
// facts, custom ones from their definitions; both are read by the same code.
import { builtInSchemas } from './built-in.gen.ts';

export interface Schema {
  readonly $ref?: string;
  readonly type?: string;
  readonly format?: string;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly additionalProperties?: Schema | boolean;
  readonly items?: Schema;
  readonly required?: readonly string[];
  /** Of built-in kinds: the zero value of a field that is always there. Of custom ones: what is filled in. */
  readonly default?: unknown;
  readonly enum?: readonly unknown[];
  readonly oneOf?: readonly Schema[];
  readonly [extension: `x-kubernetes-${string}`]: unknown;
  readonly [keyword: string]: unknown;
}

/** The schema itself, its reference followed; the default beside a reference belongs to the place, not to the target. */
export function resolved(schema: Schema): Schema {
  if (schema.$ref === undefined) return schema;
  return builtInSchemas[schema.$ref] ?? schema;
}

const byKind = new Map<string, Schema>();

/** undefined for kinds whose fields are not known. */
export function builtInSchema(group: string, version: string, kind: string): Schema | undefined {
  if (byKind.size === 0) indexKinds();
  return byKind.get(`${group}/${version}/${kind}`);
}

function indexKinds(): void {
  for (const schema of Object.values(builtInSchemas)) {
    const kinds = schema['x-kubernetes-group-version-kind'];
    if (!Array.isArray(kinds) || kinds.length !== 1) continue;
    const { group, version, kind } = kinds[0] as { group: string; version: string; kind: string }; // as Kubernetes writes it
    byKind.set(`${group}/${version}/${kind}`, schema);
  }
}
