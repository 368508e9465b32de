// A kind as data: how it is named, what it can do, how it is defaulted, checked and printed. Everything that differs
// between kinds is in such rows; the verbs treat them all alike.
import type { KubeObject } from '@fairlead/kube/object';
import type { Shape } from '@fairlead/kube/patch';
import { builtInSchema, type Schema, shapeOf } from '../schema/index.ts';

export interface Column {
  readonly name: string;
  readonly type: 'string' | 'integer' | 'date' | 'number' | 'boolean';
  readonly format?: string;
  readonly description?: string;
  /** 0 is always shown, 1 with `-o wide`. */
  readonly priority: number;
  readonly value: (object: KubeObject, context: { readonly nowMs: number }) => unknown;
}

export interface FieldError {
  readonly type:
    | 'Required'
    | 'Invalid'
    | 'Forbidden'
    | 'NotSupported'
    | 'Duplicate'
    | 'TooLong'
    | 'TooMany'
    | 'TypeInvalid'
    | 'NotFound';
  readonly field: string;
  readonly message: string;
  readonly value?: unknown;
  /** The value as Kubernetes shows it, where that is not JSON. */
  readonly shown?: string;
}

/** What the rules of a kind may ask of the cluster. */
export interface RuleContext {
  readonly now: string;
  readonly allocateClusterIp: () => string;
  readonly allocateNodePort: () => number;
  readonly hasServiceAccount: (namespace: string, name: string) => boolean;
  /** Five letters for a name that must be new. */
  readonly randomSuffix: () => string;
}

export interface ScalePaths {
  readonly specReplicas: readonly string[];
  readonly statusReplicas: readonly string[];
  readonly selector: readonly string[];
}

export interface ResourceType {
  readonly group: string;
  readonly version: string;
  readonly kind: string;
  readonly plural: string;
  readonly singular: string;
  readonly shortNames: readonly string[];
  readonly categories: readonly string[];
  readonly namespaced: boolean;
  /** Where objects of this kind are kept: the same for all versions of a kind. */
  readonly storageKey: string;
  /** A status subresource: status is written only there. */
  readonly hasStatus: boolean;
  readonly hasGeneration: boolean;
  readonly scale?: ScalePaths | undefined;
  /** Further subresources told of in discovery, e.g. `log`. */
  readonly subresources: readonly string[];
  readonly shape: Shape;
  /** What fields there are; undefined when nothing is known of them. */
  readonly schema?: Schema | undefined;
  /** Strategic merge patch is for built-in kinds only. */
  readonly isBuiltIn: boolean;
  readonly names: 'subdomain' | 'label' | 'path' | 'service';
  /** Beyond metadata.name and metadata.namespace. */
  readonly selectableFields: readonly string[];
  readonly columns: readonly Column[];
  /** Fills what is absent; runs on every write. Must not change what is there. */
  readonly defaults?: ((object: KubeObject) => KubeObject) | undefined;
  /** Once, before the first write: initial status, allocations. */
  readonly prepareCreate?: ((object: KubeObject, context: RuleContext) => KubeObject) | undefined;
  readonly prepareUpdate?: ((next: KubeObject, previous: KubeObject) => KubeObject) | undefined;
  /** What the cluster gives out to an object that has changed; the fields belong to nobody. */
  readonly allocate?: ((next: KubeObject, previous: KubeObject, context: RuleContext) => KubeObject) | undefined;
  /** Keeps members of a status in step with each other. */
  readonly prepareStatus?: ((status: unknown) => unknown) | undefined;
  /** Seconds between the wish to delete and the end, unless the caller says otherwise; 0 ends at once. */
  readonly graceSeconds?: ((object: KubeObject) => number) | undefined;
  /** What else changes when the deletion begins. */
  readonly markDeleted?: ((object: KubeObject) => KubeObject) | undefined;
  /** Something beside metadata.finalizers that holds the deletion. */
  readonly holdsDeletion?: ((object: KubeObject) => boolean) | undefined;
  /** Finalizers that every object has from the moment its deletion begins. */
  readonly finalizersAtDeletion?: readonly string[] | undefined;
  /** A deletion answers with the object as it was, not with a Status. */
  readonly answersDeleted: boolean;
  /** Objects that can never be deleted, by name. */
  readonly undeletable?: readonly string[] | undefined;
  /** Of a version that is not the one that is kept: from that one, and to it. */
  readonly conversion?:
    | { readonly fromStored: (object: KubeObject) => KubeObject; readonly toStored: (object: KubeObject) => KubeObject }
    | undefined;
  /** What is taken, with a word that it should not be written so any more. */
  readonly warnings?: ((object: KubeObject) => readonly string[]) | undefined;
  readonly validate?: ((next: KubeObject, previous: KubeObject | undefined) => readonly FieldError[]) | undefined;
}

export type ResourceRow = Pick<ResourceType, 'group' | 'version' | 'kind' | 'plural' | 'shape'> & Partial<ResourceType>;

/** A row with the usual values filled in. */
export function resourceType(row: ResourceRow): ResourceType {
  const schema = row.schema ?? (row.isBuiltIn === false ? undefined : builtInSchema(row.group, row.version, row.kind));
  return {
    singular: row.kind.toLowerCase(),
    shortNames: [],
    categories: [],
    namespaced: true,
    storageKey: row.group === '' ? row.plural : `${row.group}/${row.plural}`,
    hasStatus: false,
    answersDeleted: false,
    hasGeneration: false,
    subresources: [],
    isBuiltIn: true,
    names: 'subdomain',
    selectableFields: [],
    columns: [],
    ...row,
    schema,
    shape: (schema && shapeOf(schema)) ?? row.shape,
  };
}

/** `deployments.apps`, `pods`: how Kubernetes names a resource in messages. */
export function qualifiedPlural({ plural, group }: Pick<ResourceType, 'plural' | 'group'>): string {
  return group === '' ? plural : `${plural}.${group}`;
}
