// Sets of field paths in the form managedFields.fieldsV1 has on the wire: nested records whose keys are path elements
// (`f:name`, `k:{"name":"x"}`, `v:"x"`). A path is a member of the set when its node is empty or holds a `.`.
import { isRecord } from '../object/index.ts';
import type { KeyedListShape } from './shape.ts';

export interface FieldSet {
  readonly [element: string]: FieldSet;
}

export const emptyFieldSet: FieldSet = {};
const member: FieldSet = {};

/** A root without children is the empty set; below the root an empty node is a member. */
export const isEmptySet = (set: FieldSet | undefined): boolean => set === undefined || Object.keys(set).length === 0;

export function isMember(node: FieldSet | undefined): boolean {
  return node !== undefined && (isEmptySet(node) || Object.hasOwn(node, '.'));
}

const elementsOf = (node: FieldSet | undefined) => Object.keys(node ?? {}).filter((element) => element !== '.');

/** A node from its children; undefined when it would stand for nothing. */
function nodeOf(children: Record<string, FieldSet>, isIn: boolean): FieldSet | undefined {
  if (Object.keys(children).length === 0) return isIn ? member : undefined;
  return isIn ? { '.': member, ...children } : children;
}

type Rule = (inA: boolean, inB: boolean) => boolean;

function combine(a: FieldSet | undefined, b: FieldSet | undefined, rule: Rule): FieldSet | undefined {
  const children: Record<string, FieldSet> = {};
  for (const element of new Set([...elementsOf(a), ...elementsOf(b)])) {
    const child = combine(a?.[element], b?.[element], rule);
    if (child) children[element] = child;
  }
  return nodeOf(children, rule(isMember(a), isMember(b)));
}

/** At the root an empty record means "nothing", not "the root itself". */
function combineRoots(a: FieldSet, b: FieldSet, rule: Rule): FieldSet {
  const children: Record<string, FieldSet> = {};
  for (const element of new Set([...elementsOf(a), ...elementsOf(b)])) {
    const child = combine(a[element], b[element], rule);
    if (child) children[element] = child;
  }
  return children;
}

export const unionOf = (a: FieldSet, b: FieldSet): FieldSet => combineRoots(a, b, (inA, inB) => inA || inB);
export const intersectionOf = (a: FieldSet, b: FieldSet): FieldSet => combineRoots(a, b, (inA, inB) => inA && inB);
export const differenceOf = (a: FieldSet, b: FieldSet): FieldSet => combineRoots(a, b, (inA, inB) => inA && !inB);

/** Paths as people read them: `.spec.containers[name="web"].image`. */
export function pathsOf(set: FieldSet, prefix = ''): string[] {
  return elementsOf(set).flatMap((element) => {
    const node = set[element] ?? member;
    const path = prefix + readable(element);
    return [...(isMember(node) ? [path] : []), ...pathsOf(node, path)];
  });
}

function readable(element: string): string {
  const body = element.slice(2);
  if (element.startsWith('f:')) return `.${body}`;
  if (element.startsWith('v:')) return `[=${body}]`;
  const keys: unknown = JSON.parse(body);
  const pairs = isRecord(keys) ? Object.entries(keys).map(([key, value]) => `${key}=${JSON.stringify(value)}`) : [];
  return `[${pairs.join(',')}]`;
}

export const fieldElement = (name: string): string => `f:${name}`;
export const valueElement = (value: unknown): string => `v:${JSON.stringify(value)}`;

/** The path element of a keyed list's item; undefined when a key is missing and has no default. */
export function keyElement(item: unknown, { keys, keyDefaults = {} }: KeyedListShape): string | undefined {
  if (!isRecord(item)) return undefined;
  const values: Record<string, unknown> = {};
  for (const key of [...keys].sort()) {
    const value = item[key] ?? keyDefaults[key];
    if (value === undefined) return undefined;
    values[key] = value;
  }
  return `k:${JSON.stringify(values)}`;
}

/** The items of a list by path element; undefined when the list cannot be told apart item by item. */
export function itemsByElement(list: readonly unknown[], shape: KeyedListShape): Map<string, unknown> | undefined {
  const items = new Map<string, unknown>();
  for (const item of list) {
    const element = keyElement(item, shape);
    if (element === undefined || items.has(element)) return undefined;
    items.set(element, item);
  }
  return items;
}
