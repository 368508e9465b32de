// A path into objects of some kinds, as kustomize configures its transformers. Lists on the way are walked through.
import { type Fields, isFields, own, put } from './fields.ts';
import type { Resource } from './resource.ts';

export interface FieldSpec {
  readonly path: string;
  readonly group?: string | undefined;
  readonly version?: string | undefined;
  readonly kind?: string | undefined;
  /** Whether objects missing on the way, and the field, are made. */
  readonly create?: boolean | undefined;
}

export function selects({ group, version, kind }: FieldSpec, { id }: Resource): boolean {
  return (!group || group === id.group) && (!version || version === id.version) && (!kind || kind === id.kind);
}

/** Replaces the value at the end of each matching path by what `change` makes of it. */
export function changeField(resource: Resource, spec: FieldSpec, change: (value: unknown) => unknown): void {
  if (!selects(spec, resource)) return;
  const segments = spec.path.split(/(?<!\\)\//).map((segment) => segment.replaceAll('\\/', '/'));
  changeAt(resource.fields, { segments, create: spec.create ?? false, change });
}

interface Walk {
  readonly segments: readonly string[];
  readonly create: boolean;
  readonly change: (value: unknown) => unknown;
}

function changeAt(fields: Fields, { segments, create, change }: Walk): void {
  const [written, ...rest] = segments;
  if (written === undefined) return;
  // A list is never made: there is no telling of how many items.
  const isList = written.endsWith('[]');
  const segment = isList ? written.slice(0, -2) : written;
  const value = own(fields, segment) ?? undefined;
  if (rest.length === 0) {
    if (value === undefined && !create) return;
    put(fields, segment, Array.isArray(value) ? value.map(change) : change(value));
    return;
  }
  if (value === undefined) {
    if (!create || isList) return;
    const made: Fields = {};
    put(fields, segment, made);
    changeAt(made, { segments: rest, create, change });
  } else visit(value, { segments: rest, create, change });
}

function visit(value: unknown, walk: Walk): void {
  if (Array.isArray(value)) for (const item of value) visit(item, walk);
  else if (isFields(value)) changeAt(value, walk);
}
