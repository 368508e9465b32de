// An object on its way through the build: its fields, and the names it had before, by which others may still call it.
import type { Manifest } from '../manifest.ts';
import { childOf, type Fields, fieldsOf, isFields, own, put, textOf } from './fields.ts';
import { isClusterScoped } from './scope.ts';

export interface ResourceId {
  readonly group: string;
  readonly version: string;
  readonly kind: string;
  readonly name: string;
  /** 'default' when a namespaced object names none; '' for objects of the cluster. */
  readonly namespace: string;
}

export class Resource {
  fields: Fields;
  readonly previousIds: ResourceId[] = [];
  readonly prefixes: string[] = [];
  readonly suffixes: string[] = [];
  needsHash = false;
  /** The file it was read from or, for what is generated, the kustomization that says so. */
  readonly origin: string;
  /** The builtin that made it; '' for what was read. */
  generator = '';

  constructor(fields: Fields, origin: string) {
    this.fields = fields;
    this.origin = origin;
  }

  get metadata(): Fields {
    return childOf(this.fields, 'metadata');
  }

  get kind(): string {
    return textOf(this.fields['kind']);
  }

  get name(): string {
    return textOf(fieldsOf(this.fields['metadata'])['name']);
  }

  get namespace(): string {
    return textOf(fieldsOf(this.fields['metadata'])['namespace']);
  }

  get id(): ResourceId {
    const { group, version } = groupVersionOf(this.fields['apiVersion']);
    const scope = isClusterScoped(group, this.kind);
    const namespace = scope ? '' : this.namespace || 'default';
    return { group, version, kind: this.kind, name: this.name, namespace };
  }

  get isClusterScoped(): boolean {
    const { group, kind } = this.id;
    return isClusterScoped(group, kind);
  }

  get originalId(): ResourceId {
    return this.previousIds[0] ?? this.id;
  }

  get allIds(): readonly ResourceId[] {
    return [...this.previousIds, this.id];
  }

  rename(name: string): void {
    if (name === this.name) return;
    this.previousIds.push(this.id);
    put(this.metadata, 'name', name);
  }

  /** Known by its earlier id from now on, also when the namespace stays: references to it are written out. */
  moveTo(namespace: string): void {
    this.previousIds.push(this.id);
    put(this.metadata, 'namespace', namespace);
  }

  toManifest(): Manifest {
    const annotations = own(this.metadata, 'annotations');
    const isEmpty = annotations === null || (isFields(annotations) && Object.keys(annotations).length === 0);
    if (isEmpty) delete this.metadata['annotations'];
    return this.fields as unknown as Manifest; // kind, apiVersion and name were checked when it was read
  }
}

export function groupVersionOf(apiVersion: unknown): { group: string; version: string } {
  const text = textOf(apiVersion);
  const slash = text.indexOf('/');
  return slash < 0 ? { group: '', version: text } : { group: text.slice(0, slash), version: text.slice(slash + 1) };
}

export const sameId = (a: ResourceId, b: ResourceId): boolean =>
  a.group === b.group &&
  a.version === b.version &&
  a.kind === b.kind &&
  a.name === b.name &&
  a.namespace === b.namespace;

export const showId = ({ group, version, kind, name, namespace }: ResourceId): string =>
  `${kind}.${version}${group && `.${group}`} ${namespace && `${namespace}/`}${name}`;
