import { nameOf } from './home.ts';
import { readDocuments } from './read-application.ts';

/** The file without the document that defines the application; null when nothing else is in it. Pure. */
export function withoutApplication(text: string, name: string): string | null {
  // A line that begins with `---` always begins a document: YAML allows it nowhere else.
  const parts = text.split(/^(?=---(?:\s|$))/m);
  const kept = parts.filter((part) => !readDocuments(part).documents.some((document) => nameOf(document) === name));
  const rest = kept.join('').replace(/^---[^\S\n]*\n/, '');
  return readDocuments(rest).documents.length === 0 ? null : rest;
}
