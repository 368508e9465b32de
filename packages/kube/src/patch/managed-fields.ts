// Who owns which field of an object (metadata.managedFields), and server-side apply on top of it.
// Promises: an applied field belongs to its manager; a field that others own with another value is a conflict unless
// forced; a field the manager no longer applies goes, unless somebody else owns it. Pure: time and shape are given.
import { FairleadError } from '@fairlead/base';
import { equalJson, isRecord, type KubeObject, type ManagedFieldsEntry } from '../object/index.ts';
import { changedFields, fieldsOf } from './changed-fields.ts';
import {
  differenceOf,
  emptyFieldSet,
  type FieldSet,
  intersectionOf,
  isEmptySet,
  pathsOf,
  unionOf,
} from './field-set.ts';
import { mergeApplied, removeFields } from './merge-applied.ts';
import { memberShape, type Shape } from './shape.ts';

export interface FieldConflict {
  readonly manager: string;
  readonly operation: 'Apply' | 'Update';
  readonly apiVersion: string;
  readonly subresource?: string | undefined;
  readonly paths: readonly string[];
}

export class ApplyConflictError extends FairleadError {
  readonly conflicts: readonly FieldConflict[];

  constructor(conflicts: readonly FieldConflict[]) {
    super('apply_conflict', conflictMessage(conflicts));
    this.conflicts = conflicts;
  }
}

interface Identity {
  readonly manager: string;
  readonly apiVersion: string;
  readonly subresource?: string | undefined;
  /** As Kubernetes writes times. */
  readonly time: string;
  readonly shape: Shape | undefined;
}

export interface ApplyInput extends Identity {
  /** undefined: the object does not exist yet. */
  readonly live: KubeObject | undefined;
  /** The manager's whole intent. */
  readonly applied: KubeObject;
  readonly force?: boolean | undefined;
}

export function applyConfiguration(input: ApplyInput): KubeObject {
  const { live, applied, shape, force = false } = input;
  const intent = withoutNulls(applied, shape) as KubeObject; // nulls are "not applied"; the rest is unchanged
  const entries = live?.metadata.managedFields ?? [];
  const own = entries.find((entry) => isSame(entry, input, 'Apply'));
  const others =
    entries.length === 0 && live ? beforeFirstApply(input, live) : entries.filter((entry) => entry !== own);
  const intentSet = ownable(fieldsOf(intent, shape));
  const merged = mergeApplied(live ? withoutManagedFields(live) : {}, withoutManagedFields(intent), shape);
  const dropped = differenceOf(setOf(own), intentSet);
  const kept = others.reduce((all, entry) => unionOf(all, setOf(entry)), intentSet);
  const pruned = removeFields(merged, { remove: differenceOf(dropped, kept), keep: kept, shape }) as KubeObject; // an object stays one
  const { changed, removed } = changedFields(live ? withoutManagedFields(live) : {}, pruned, shape);
  const contested = intersectionOf(changed, intentSet);
  const conflicts = others.flatMap((entry) => conflictWith(entry, contested));
  if (conflicts.length > 0 && !force) throw new ApplyConflictError(conflicts);
  const lost = unionOf(contested, removed);
  const rest = others.flatMap((entry) => withFields(entry, differenceOf(setOf(entry), lost)));
  const isSameObject = live !== undefined && isEmptySet(changed) && isEmptySet(removed);
  const mine = isSameObject ? sinceBefore(input, own, intentSet) : newEntry(input, 'Apply', intentSet);
  return withManagedFields(pruned, [...rest, ...(isEmptySet(intentSet) ? [] : [mine])]);
}

/** The time is that of the last change of the object; who changes nothing has none of its own. */
function sinceBefore(input: ApplyInput, own: ManagedFieldsEntry | undefined, fields: FieldSet): ManagedFieldsEntry {
  if (own) return equalJson(own.fieldsV1, fields) ? own : { ...own, apiVersion: input.apiVersion, fieldsV1: fields };
  const { time: _time, ...entry } = newEntry(input, 'Apply', fields);
  return entry;
}

/** What is there although nobody is known to have written it counts as somebody's. */
function beforeFirstApply(input: ApplyInput, live: KubeObject): ManagedFieldsEntry[] {
  const fields = ownable(fieldsOf(withoutManagedFields(live), input.shape));
  if (isEmptySet(fields)) return [];
  const { time: _time, ...entry } = newEntry({ ...input, manager: 'before-first-apply' }, 'Update', fields);
  return [entry];
}

export interface TrackInput extends Identity {
  readonly before: KubeObject | undefined;
  readonly after: KubeObject;
}

/** The managedFields of `after` once `manager` has written it by create, update or patch: what it changed is its own. */
export function trackUpdate(input: TrackInput): readonly ManagedFieldsEntry[] {
  const { before, after, shape } = input;
  const entries = before?.metadata.managedFields ?? [];
  const changes = changedFields(before ? withoutManagedFields(before) : {}, withoutManagedFields(after), shape);
  const changed = ownable(changes.changed);
  if (isEmptySet(changed) && isEmptySet(changes.removed)) return entries;
  const own = entries.find((entry) => isSame(entry, input, 'Update'));
  const lost = unionOf(changed, changes.removed);
  const rest = entries
    .filter((entry) => entry !== own)
    .flatMap((entry) => withFields(entry, differenceOf(setOf(entry), lost)));
  const mine = unionOf(differenceOf(setOf(own), changes.removed), changed);
  if (isEmptySet(mine)) return rest;
  const isUnchanged = own && isEmptySet(changed) && equalJson(own.fieldsV1, mine);
  return inOrder([...rest, isUnchanged ? own : newEntry(input, 'Update', mine)]);
}

/** Who updates in another version is another; who applies is the same in all of them. */
function isSame(entry: ManagedFieldsEntry, identity: Identity, operation: 'Apply' | 'Update'): boolean {
  const { manager, subresource, apiVersion } = identity;
  return (
    (operation === 'Apply' || entry.apiVersion === apiVersion) &&
    entry.manager === manager &&
    entry.operation === operation &&
    (entry.subresource ?? '') === (subresource ?? '')
  );
}

const setOf = (entry: ManagedFieldsEntry | undefined): FieldSet => (entry ? (entry.fieldsV1 as FieldSet) : {}); // the wire form is the set

function withFields(entry: ManagedFieldsEntry, fields: FieldSet): ManagedFieldsEntry[] {
  if (isEmptySet(fields)) return [];
  return equalJson(fields, entry.fieldsV1) ? [entry] : [{ ...entry, fieldsV1: fields }];
}

function newEntry(identity: Identity, operation: 'Apply' | 'Update', fields: FieldSet): ManagedFieldsEntry {
  const { manager, apiVersion, time, subresource } = identity;
  const entry = { manager, operation, apiVersion, fieldsType: 'FieldsV1', fieldsV1: fields } as const;
  // Kubernetes keeps no time for what came through a scale.
  if (subresource === 'scale') return { ...entry, subresource };
  return subresource ? { ...entry, time, subresource } : { ...entry, time };
}

function conflictWith(entry: ManagedFieldsEntry, contested: FieldSet): FieldConflict[] {
  const paths = pathsOf(intersectionOf(setOf(entry), contested));
  if (paths.length === 0) return [];
  const { manager, operation, apiVersion, subresource } = entry;
  return [{ manager, operation, apiVersion, subresource, paths }];
}

/** Identity and bookkeeping belong to nobody. */
const neverOwned: FieldSet = Object.fromEntries(['apiVersion', 'kind'].map((name) => [`f:${name}`, {}]));
const neverOwnedMeta = [
  'name',
  'namespace',
  'uid',
  'resourceVersion',
  'generation',
  'creationTimestamp',
  'deletionTimestamp',
  'deletionGracePeriodSeconds',
  'selfLink',
  'managedFields',
].map((name) => `f:${name}`);

function ownable(set: FieldSet): FieldSet {
  const { 'f:metadata': metadata = emptyFieldSet, ...rest } = differenceOf(set, neverOwned);
  const kept = Object.entries(metadata).filter(([element]) => !neverOwnedMeta.includes(element));
  return kept.length === 0 ? rest : { 'f:metadata': Object.fromEntries(kept), ...rest };
}

/** Appliers first, then by time and name: the order in which Kubernetes writes them. */
function inOrder(entries: readonly ManagedFieldsEntry[]): readonly ManagedFieldsEntry[] {
  const keyOf = ({ operation, time = '', manager = '', apiVersion, subresource = '' }: ManagedFieldsEntry) =>
    [operation, time, manager, apiVersion, subresource].join('\u0000');
  return [...entries].sort((a, b) => (keyOf(a) < keyOf(b) ? -1 : 1));
}

function withoutManagedFields(object: KubeObject): Record<string, unknown> {
  const { managedFields: _dropped, ...metadata } = object.metadata;
  return { ...object, metadata };
}

function withManagedFields(object: KubeObject, managedFields: readonly ManagedFieldsEntry[]): KubeObject {
  return { ...object, metadata: { ...object.metadata, managedFields: inOrder(managedFields) } };
}

function withoutNulls(value: unknown, shape: Shape | undefined): unknown {
  const itemShape = shape?.type === 'keyed-list' ? shape.item : undefined;
  if (Array.isArray(value)) return value.map((item) => withoutNulls(item, itemShape));
  if (!isRecord(value)) return value;
  // A key of a map is applied even when nothing stands behind it.
  const isMap = shape?.type === 'struct' && Object.keys(shape.fields).length === 0;
  const kept = Object.entries(value).filter(([, inner]) => (isMap || inner !== null) && inner !== undefined);
  return Object.fromEntries(kept.map(([key, inner]) => [key, withoutNulls(inner, memberShape(shape, key))]));
}

/** Kubernetes' own words, which kubectl prints and people search for. */
function conflictMessage(conflicts: readonly FieldConflict[]): string {
  const count = conflicts.reduce((sum, { paths }) => sum + paths.length, 0);
  const texts = conflicts.map(({ manager, apiVersion, subresource, operation, paths }) => {
    const suffix = subresource ? ` with subresource "${subresource}"` : '';
    const using = operation === 'Update' ? ` using ${apiVersion}` : '';
    const who = `"${manager}"${suffix}${using}`;
    return count === 1
      ? `conflict with ${who}: ${paths[0]}`
      : `conflicts with ${who}:\n${paths.map((path) => `- ${path}`).join('\n')}`;
  });
  return `Apply failed with ${count} ${count === 1 ? 'conflict' : 'conflicts'}: ${texts.join('\n')}`;
}
