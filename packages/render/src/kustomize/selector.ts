// Which objects a patch or a replacement means: group, version, kind, name and namespace by anchored patterns (RE2, so
// no pattern can run away), labels and annotations by Kubernetes' selectors.
import { RE2JS } from 're2js';
import { RenderError } from '../errors.ts';
import { type Fields, fieldsOf, own, textOf } from './fields.ts';
import { onlyFields } from './kustomization.ts';
import type { Resource } from './resource.ts';

export type Match = (resource: Resource) => boolean;

const known = ['group', 'version', 'kind', 'name', 'namespace', 'labelSelector', 'annotationSelector'];

export function matcherOf(target: Fields, where: string): Match {
  onlyFields(target, known, where);
  const pattern = (field: string) => anchored(textOf(target[field]), `${where}: ${field}`);
  const [group, version, kind] = [pattern('group'), pattern('version'), pattern('kind')];
  const [name, namespace] = [pattern('name'), pattern('namespace')];
  const labels = selectorOf(textOf(target['labelSelector']), `${where}: labelSelector`);
  const annotations = selectorOf(textOf(target['annotationSelector']), `${where}: annotationSelector`);
  return (resource) => {
    const { id, originalId } = resource;
    return (
      (namespace(originalId.namespace) || namespace(id.namespace)) &&
      (name(originalId.name) || name(id.name)) &&
      group(id.group) &&
      version(id.version) &&
      kind(id.kind) &&
      labels(fieldsOf(resource.metadata['labels'])) &&
      annotations(fieldsOf(resource.metadata['annotations']))
    );
  };
}

function anchored(pattern: string, where: string): (text: string) => boolean {
  if (pattern === '') return () => true;
  const compiled = compile(`^(?:${pattern})$`, where);
  return (text) => compiled.matcher(text).find();
}

export function compile(pattern: string, where: string): RE2JS {
  try {
    return RE2JS.compile(pattern);
  } catch (cause) {
    throw new RenderError(`${where}: ${JSON.stringify(pattern)} is not a regular expression`, { cause });
  }
}

type Labels = (labels: Fields) => boolean;
const name = '[A-Za-z0-9]([-A-Za-z0-9_./]*[A-Za-z0-9])?';
const forms: readonly [RegExp, (key: string, values: readonly string[]) => Labels][] = [
  [new RegExp(`^(?<key>${name})$`), (key) => (labels) => own(labels, key) !== undefined],
  [new RegExp(`^!\\s*(?<key>${name})$`), (key) => (labels) => own(labels, key) === undefined],
  [
    new RegExp(`^(?<key>${name})\\s*==?\\s*(?<values>[^\\s=!,()]*)$`),
    (key, [value]) =>
      (labels) =>
        own(labels, key) === value,
  ],
  [
    new RegExp(`^(?<key>${name})\\s*!=\\s*(?<values>[^\\s=!,()]*)$`),
    (key, [value]) =>
      (labels) =>
        own(labels, key) !== value,
  ],
  [
    new RegExp(`^(?<key>${name})\\s+in\\s*\\((?<values>[^()]*)\\)$`),
    (key, values) => (labels) => values.includes(textOrNone(own(labels, key))),
  ],
  [
    new RegExp(`^(?<key>${name})\\s+notin\\s*\\((?<values>[^()]*)\\)$`),
    (key, values) => (labels) => !values.includes(textOrNone(own(labels, key))),
  ],
];

/** A label that is absent equals no value, not even the empty one. */
const textOrNone = (value: unknown): string => (typeof value === 'string' ? value : '\0');

function selectorOf(text: string, where: string): Labels {
  if (text.trim() === '') return () => true;
  const terms = text.split(/,(?![^(]*\))/).map((part) => termOf(part.trim(), where));
  return (labels) => terms.every((term) => term(labels));
}

function termOf(text: string, where: string): Labels {
  for (const [form, make] of forms) {
    const groups = form.exec(text)?.groups;
    if (!groups) continue;
    const values = (groups['values'] ?? '').split(',').map((value) => value.trim());
    return make(groups['key'] ?? '', values);
  }
  throw new RenderError(`${where}: ${JSON.stringify(text)} is not a selector`);
}
