// Kinds of settings: each knows how to read itself from a manifest and how to write itself into one.
import { isMap, isSeq } from 'yaml';
import { type FieldPath, isSet, type ManifestDocument, removeAt, setAt, textAt, textsAt } from './manifest-document.ts';

interface Described {
  readonly label: string;
  readonly hint?: string;
  readonly placeholder?: string;
}

interface Setting<V> extends Described {
  /** Where problems of the runtime are reported for it, e.g. `spec.source.path`. */
  readonly field: string;
  readonly read: (document: ManifestDocument) => V;
  readonly write: (document: ManifestDocument, value: V) => void;
}

export interface TextSetting extends Setting<string> {
  readonly kind: 'text' | 'lines';
}
export interface ChoiceSetting extends Setting<string> {
  readonly kind: 'choice';
  readonly options: readonly { readonly value: string; readonly label: string }[];
}
export interface CheckSetting extends Setting<boolean> {
  readonly kind: 'check';
}
export type AnySetting = TextSetting | ChoiceSetting | CheckSetting;

const fieldOf = (path: FieldPath): string => path.join('.');

export function text(path: FieldPath, described: Described): TextSetting {
  return {
    ...described,
    kind: 'text',
    field: fieldOf(path),
    read: (document) => textAt(document, path),
    write: (document, value) => {
      if (value === '') removeAt(document, path);
      else writeText(document, path, value);
    },
  };
}

/** What reads the same is left as it is written: `1.10` needs no quotes as long as nobody changes it. */
function writeText(document: ManifestDocument, path: FieldPath, value: string): void {
  if (!isSet(document, path) || textAt(document, path) !== value) setAt(document, path, value);
}

/** Stays in the manifest when it is empty: a new application shows what is still to be filled in. */
export function neededText(path: FieldPath, described: Described): TextSetting {
  return { ...text(path, described), write: (document, value) => writeText(document, path, value) };
}

/** A whole number; anything else is written as it is typed, for the runtime to refuse. */
export function number(path: FieldPath, described: Described): TextSetting {
  return {
    ...text(path, described),
    write: (document, value) => {
      if (value === '') removeAt(document, path);
      else setAt(document, path, /^-?\d{1,15}$/.test(value) ? Number(value) : value);
    },
  };
}

export function block(path: FieldPath, described: Described): TextSetting {
  return { ...text(path, described), kind: 'lines' };
}

/** A list of texts, one on each line. */
export function lines(path: FieldPath, described: Described): TextSetting {
  return {
    ...text(path, described),
    kind: 'lines',
    read: (document) => textsAt(document, path).join('\n'),
    write: (document, value) => writeList(document, path, linesOf(value)),
  };
}

function writeList(document: ManifestDocument, path: FieldPath, wanted: readonly string[]): void {
  const node = document.getIn(path, true);
  if (wanted.length === 0) removeAt(document, path);
  else if (!isSeq(node)) setAt(document, path, [...wanted]);
  else {
    const before = node.items.map((_, index) => textAt(document, [...path, index]));
    // The nodes of what stays are used again, so that their comments stay.
    node.items = wanted.map((value) => node.items[before.indexOf(value)] ?? document.createNode(value));
  }
}

/** A list of `{name, value}`, one `NAME=value` on each line; other fields of an entry stay with its name. */
export function pairs(path: FieldPath, described: Described): TextSetting {
  const nameAt = (document: ManifestDocument, index: number) => textAt(document, [...path, index, 'name']);
  return {
    ...text(path, described),
    kind: 'lines',
    read: (document) => {
      const node = document.getIn(path, true);
      if (!isSeq(node)) return '';
      return node.items
        .map((_, index) => `${nameAt(document, index)}=${textAt(document, [...path, index, 'value'])}`)
        .join('\n');
    },
    write: (document, value) => {
      const wanted = linesOf(value).map(pairOf);
      if (wanted.length === 0) return removeAt(document, path);
      const node = document.getIn(path, true);
      if (!isSeq(node)) return setAt(document, path, wanted);
      const names = node.items.map((_, index) => nameAt(document, index));
      node.items = wanted.map((pair) => {
        const known = node.items[names.indexOf(pair.name)];
        if (!isMap(known)) return document.createNode(pair);
        if (known.get('value') !== pair.value) known.set('value', pair.value);
        return known;
      });
    },
  };
}

function pairOf(line: string): { readonly name: string; readonly value: string } {
  const at = line.indexOf('=');
  return at < 0 ? { name: line, value: '' } : { name: line.slice(0, at), value: line.slice(at + 1) };
}

const linesOf = (value: string): readonly string[] => value.split('\n').filter((line) => line.trim() !== '');

export function check(path: FieldPath, described: Described): CheckSetting {
  return {
    ...described,
    kind: 'check',
    field: fieldOf(path),
    read: (document) => document.getIn(path) === true,
    write: (document, isOn) => {
      if (isOn || isSet(document, path)) setAt(document, path, isOn);
    },
  };
}

const optionsPath = ['spec', 'syncPolicy', 'syncOptions'] as const;

function optionValue(document: ManifestDocument, name: string): string {
  const found = textsAt(document, optionsPath).findLast((option) => option.startsWith(`${name}=`));
  return found?.slice(name.length + 1) ?? '';
}

function writeOption(document: ManifestDocument, name: string, value: string): void {
  const before = textsAt(document, optionsPath);
  const isIt = (option: string) => option.startsWith(`${name}=`);
  const wanted = value === '' ? [] : [`${name}=${value}`];
  const at = before.findIndex(isIt);
  const others = before.filter((option) => !isIt(option));
  writeList(document, optionsPath, at < 0 ? [...others, ...wanted] : others.toSpliced(at, 0, ...wanted));
}

/** One of `spec.syncPolicy.syncOptions` that is on or off; `on` is what is written when it is chosen. */
export function option(name: string, described: Described, on: 'true' | 'false' = 'true'): CheckSetting {
  return {
    ...described,
    kind: 'check',
    field: optionsPath.join('.'),
    read: (document) => optionValue(document, name) === on,
    write: (document, isOn) => writeOption(document, name, isOn ? on : ''),
  };
}

export function optionChoice(name: string, described: Described, options: ChoiceSetting['options']): ChoiceSetting {
  return {
    ...described,
    ...{ kind: 'choice', options, field: optionsPath.join('.') },
    read: (document) => optionValue(document, name),
    write: (document, value) => writeOption(document, name, value),
  };
}
