// The YAML of an Application as a document that can be changed in place. Promise: what is not changed stays as it was
// written, comments, order, quotes and unknown fields included; a field that becomes empty goes, and with it the maps that
// held nothing else.
import { type Document, isMap, isScalar, isSeq, parseAllDocuments } from 'yaml';

export type ManifestDocument = Document.Parsed;
export type FieldPath = readonly (string | number)[];

/** Undefined when the text is not one YAML object: then only the text can be edited. */
export function readDocument(text: string): ManifestDocument | undefined {
  const documents = parseAllDocuments(text);
  if (!Array.isArray(documents)) return undefined;
  const [only, ...more] = documents;
  return only && more.length === 0 && only.errors.length === 0 && isMap(only.contents) ? only : undefined;
}

/** Written the way it was: the ways that people write lists and indents are tried until one gives the text back. */
export function changeText(text: string, change: (document: ManifestDocument) => void): string {
  const document = readDocument(text);
  if (!document) return text;
  const style = writingStyles.find((each) => document.toString(each) === text) ?? writingStyles[0];
  change(document);
  return document.toString(style);
}

const writingStyles = [
  { lineWidth: 0, indentSeq: true },
  { lineWidth: 0, indentSeq: false },
  { lineWidth: 0, indentSeq: true, flowCollectionPadding: false },
  { lineWidth: 0, indentSeq: false, flowCollectionPadding: false },
  { lineWidth: 0, indent: 4, indentSeq: true },
  { lineWidth: 0, indent: 4, indentSeq: false },
] as const;

/** As it is written: `1.10` stays `1.10` though YAML reads a number there. */
export function textAt(document: ManifestDocument, path: FieldPath): string {
  const node = document.getIn(path, true);
  if (!isScalar(node) || node.value === null || node.value === undefined) return '';
  return typeof node.value === 'string' ? node.value : (node.source ?? String(node.value));
}

export const isSet = (document: ManifestDocument, path: FieldPath): boolean => {
  const value = document.getIn(path);
  return value !== undefined && value !== null;
};

export function setAt(document: ManifestDocument, path: FieldPath, value: unknown): void {
  const before = document.getIn(path, true);
  if (isScalar(before) && (typeof value !== 'object' || value === null)) {
    if (before.value === value) return;
    // Only text keeps the quotes of before: a number in quotes is another value, and `""` needs them for being empty.
    if (typeof value !== 'string' || before.value === '') before.type = 'PLAIN';
    before.value = value;
    return;
  }
  for (let depth = 1; depth < path.length; depth++) {
    const parent = path.slice(0, depth);
    const node = document.getIn(parent, true);
    if (!isMap(node) && !isSeq(node)) document.setIn(parent, document.createNode({}));
    // `{}` is only how nothing is written; what comes into it is written as the rest of the file.
    else if (node.items.length === 0) node.flow = false;
  }
  document.setIn(path, document.createNode(value));
}

export function removeAt(document: ManifestDocument, path: FieldPath): void {
  if (!document.hasIn(path)) return;
  document.deleteIn(path);
  const parent = path.slice(0, -1);
  const node = document.getIn(parent, true);
  const isEmpty = (isMap(node) || isSeq(node)) && node.items.length === 0;
  if (isEmpty && parent.length > 1) removeAt(document, parent);
}

/** Texts of a list; what is no text in it is left out. */
export function textsAt(document: ManifestDocument, path: FieldPath): readonly string[] {
  const node = document.getIn(path, true);
  return isSeq(node) ? node.items.map((_, index) => textAt(document, [...path, index])).filter(Boolean) : [];
}
