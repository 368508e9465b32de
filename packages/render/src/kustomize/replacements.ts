// `replacements`: a value of one object copied into fields of others, whole or between delimiters.
import { RenderError } from '../errors.ts';
import { parseDocuments } from '../yaml/index.ts';
import { type Fields, fieldsOf, isFields, listOf, own, put, textOf } from './fields.ts';
import { itemsOf, type Kustomization, onlyFields } from './kustomization.ts';
import type { Resource } from './resource.ts';

export async function replaceValues(
  resources: readonly Resource[],
  kustomization: Kustomization,
  readText: (path: string) => Promise<string>,
): Promise<void> {
  const where = `${kustomization.file}: replacements`;
  for (const entry of itemsOf(kustomization, 'replacements')) {
    onlyFields(entry, ['path', 'source', 'targets'], where);
    const path = textOf(entry['path']);
    const documents = path ? parseDocuments(await readText(path), path).flat() : [entry];
    for (const replacement of documents) replaceOne(resources, fieldsOf(replacement), where);
  }
}

function replaceOne(resources: readonly Resource[], { source, targets }: Fields, where: string): void {
  if (!isFields(source) || !Array.isArray(targets)) throw new RenderError(`${where}: must have a source and targets`);
  onlyFields(source, ['group', 'version', 'kind', 'name', 'namespace', 'fieldPath', 'options'], `${where}: source`);
  const value = sourceValue(resources, source, where);
  const isPart = textOf(fieldsOf(source['options'])['delimiter']) !== '';
  for (const target of targets.map(fieldsOf)) {
    onlyFields(target, ['select', 'reject', 'fieldPaths', 'options'], `${where}: targets`);
    if (!isFields(target['select'])) throw new RenderError(`${where}: a target has no "select"`);
    const select = target['select'];
    const reject = listOf(target['reject']).map(fieldsOf);
    const paths = target['fieldPaths'] === undefined ? ['metadata.name'] : listOf(target['fieldPaths']).map(String);
    for (const resource of resources) {
      if (!isSelected(resource, select) || reject.some((one) => isSelected(resource, one))) continue;
      for (const path of paths) {
        setAt(resource, path, { value, isPart, options: fieldsOf(target['options']), where });
      }
    }
  }
}

const idFields = ['group', 'version', 'kind', 'name', 'namespace'] as const;

function isSelected({ allIds }: Resource, select: Fields): boolean {
  return allIds.some((id) => idFields.every((field) => !select[field] || select[field] === id[field]));
}

function sourceValue(resources: readonly Resource[], source: Fields, where: string): unknown {
  const found = resources.filter((resource) => isSelected(resource, source));
  const [resource] = found;
  if (!resource || found.length > 1) {
    throw new RenderError(
      `${where}: ${found.length === 0 ? 'nothing' : 'more than one object'} selected by the source`,
    );
  }
  const path = textOf(source['fieldPath']) || 'metadata.name';
  const value = segmentsOf(path).reduce((at: unknown, segment) => memberOf(at, segment)?.value, resource.fields);
  if (value === undefined)
    throw new RenderError(`${where}: fieldPath ${path} is missing in ${resource.kind} ${resource.name}`);
  const { delimiter, index = 0 } = fieldsOf(source['options']);
  if (typeof delimiter !== 'string' || delimiter === '') return value;
  const part = String(value).split(delimiter)[Number(index)];
  if (part === undefined)
    throw new RenderError(`${where}: options.index ${String(index)} is out of bounds for ${path}`);
  return part;
}

/** Dots separate; a dot inside brackets or behind a backslash does not. `[a.b]` is the name a.b, `[a=b]` an item of a list. */
function segmentsOf(path: string): string[] {
  const found = path.match(/(?:\\.|\[[^\]]*\]|[^.\\[])+/g) ?? [];
  return found.map((part) => {
    const segment = part.replaceAll('\\.', '.');
    const [, inside] = /^\[([^=\]]*)\]$/.exec(segment) ?? [];
    if (inside === undefined) return segment;
    if (inside.includes('.')) return inside;
    throw new RenderError(
      `fieldPath ${path}: list path element must contain fieldName=fieldValue for element to match`,
    );
  });
}

interface Member {
  readonly value: unknown;
  readonly set: (value: unknown) => void;
}

function memberOf(at: unknown, segment: string): Member | undefined {
  return membersOf(at, segment)[0];
}

function membersOf(at: unknown, segment: string): Member[] {
  if (Array.isArray(at)) {
    const list: unknown[] = at;
    const [, key, wanted] = /^\[([^=]+)=(.*)\]$/s.exec(segment) ?? [];
    return list.flatMap((value, index) => {
      const isMeant =
        segment === '*' ||
        segment === String(index) ||
        (key !== undefined && isFields(value) && String(own(value, key)) === wanted);
      return isMeant ? [{ value, set: (next: unknown) => list.splice(index, 1, next) }] : [];
    });
  }
  if (!isFields(at)) return [];
  const keys = segment === '*' ? Object.keys(at) : [segment];
  return keys.flatMap((key) => {
    const value = own(at, key);
    return value === undefined ? [] : [{ value, set: (next: unknown) => put(at, key, next) }];
  });
}

interface Setting {
  /** Cut out of a longer text. */
  readonly isPart: boolean;
  readonly value: unknown;
  readonly options: Fields;
  readonly where: string;
}

function setAt(resource: Resource, path: string, setting: Setting): void {
  const segments = segmentsOf(path);
  const count = descend(resource.fields, segments, isAnnotation(segments) ? asText(setting) : setting);
  if (count === 0) {
    throw new RenderError(
      `${setting.where}: unable to find field ${path} in replacement target ${resource.kind} ${resource.name}`,
    );
  }
}

/** Annotations are texts, whatever the type of the source. */
const isAnnotation = ([first, second]: readonly string[]): boolean => first === 'metadata' && second === 'annotations';

function asText(setting: Setting): Setting {
  const isScalar = typeof setting.value !== 'object';
  return isScalar ? { ...setting, value: String(setting.value) } : setting;
}

function descend(at: unknown, segments: readonly string[], setting: Setting): number {
  const [segment, ...rest] = segments;
  if (segment === undefined) return 0;
  let members = membersOf(at, segment);
  if (members.length === 0 && setting.options['create'] === true) members = madeMembers(at, segment, rest);
  let count = 0;
  for (const { value, set } of members) {
    if (rest.length > 0) count += descend(value, rest, setting);
    else {
      set(replaced(value, setting));
      count++;
    }
  }
  return count;
}

function madeMembers(at: unknown, segment: string, rest: readonly string[]): Member[] {
  const empty = rest.length === 0 ? undefined : /^(?:\[|\d+$)/.test(rest[0] ?? '') ? [] : {};
  if (Array.isArray(at)) {
    const [, key, wanted] = /^\[([^=]+)=(.*)\]$/s.exec(segment) ?? [];
    if (key === undefined) return [];
    const item: Fields = {};
    put(item, key, wanted);
    at.push(item);
    return membersOf(at, segment);
  }
  if (!isFields(at) || segment === '*') return [];
  if (empty !== undefined) put(at, segment, empty);
  return [{ value: empty, set: (next) => put(at, segment, next) }];
}

/** A scalar target keeps its type: text stays text, a number stays one when the new value reads as one. */
function replaced(target: unknown, { value, isPart, options, where }: Setting): unknown {
  const { delimiter, index = 0 } = options;
  if (typeof delimiter === 'string' && delimiter !== '') {
    if (isFields(value) || Array.isArray(value))
      throw new RenderError(`${where}: delimiter can only be used with scalars`);
    const parts = String(target ?? '').split(delimiter);
    const at = Number(index);
    if (at < 0) parts.unshift(String(value));
    else if (at >= parts.length) parts.push(String(value));
    else parts[at] = String(value);
    return parts.join(delimiter);
  }
  if (isFields(value) || Array.isArray(value)) return structuredClone(value);
  if (typeof target === 'string') return String(value);
  if (typeof target === 'number' || typeof target === 'boolean') return parseDocuments(String(value), where)[0];
  // Text cut out of text has lost its quotes: where there was nothing, it is read as it looks.
  return isPart ? (parseDocuments(String(value), where, { booleans: 'kustomize' })[0] ?? value) : value;
}
