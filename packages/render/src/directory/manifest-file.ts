// One file of manifests. Files that plainly are something else (a values file, a CI definition) are passed over, as
// Argo CD does; a file that looks like a manifest and is not a valid one is an error.
import { RenderError } from '../errors.ts';
import type { Manifest } from '../manifest.ts';
import { parseDocuments } from '../yaml/index.ts';

interface FileManifests {
  readonly manifests: readonly Manifest[];
  readonly warnings: readonly string[];
}

const skipMark = '+argocd:skip-file-rendering';
const none: FileManifests = { manifests: [], warnings: [] };

/** Every document must be a manifest; nothing is passed over. */
export function manifestsOfText(text: string, file: string): Manifest[] {
  const documents = file.endsWith('.json') ? [parseJson(text, file)] : parseDocuments(text, file);
  return documents.flatMap((document) => flatten(document, file));
}

/** What a program gave: an object, or an array of them. */
export function manifestsOfValue(value: unknown, file: string): Manifest[] {
  return (Array.isArray(value) ? value : [value]).flatMap((document) => flatten(document, file));
}

export function manifestsOfFile(text: string, file: string): FileManifests {
  if (text.includes(skipMark)) return none;
  if (file.endsWith('.json')) return { manifests: flatten(parseJson(text, file), file), warnings: [] };
  const looksLikeManifest = ['apiVersion:', 'kind:', 'metadata:'].every((word) => text.includes(word));
  try {
    const manifests = parseDocuments(text, file).flatMap((document) => flatten(document, file));
    return { manifests, warnings: [] };
  } catch (error) {
    if (looksLikeManifest || !(error instanceof RenderError)) throw error;
    return { manifests: [], warnings: [`${error.message}; it does not look like a manifest and was passed over`] };
  }
}

function parseJson(text: string, file: string): unknown {
  try {
    return JSON.parse(text);
  } catch (cause) {
    throw new RenderError(`${file}: is not JSON (${(cause as Error).message})`); // JSON.parse throws SyntaxError only
  }
}

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** Lists, of whatever kind, become their items. */
function flatten(document: unknown, file: string): Manifest[] {
  if (!isRecord(document)) throw new RenderError(`${file}: a document is not an object`);
  const { apiVersion, kind, metadata, items } = document;
  if (typeof kind !== 'string' || kind === '') throw new RenderError(`${file}: an object has no "kind"`);
  if (typeof apiVersion !== 'string' || apiVersion === '')
    throw new RenderError(`${file}: ${kind} has no "apiVersion"`);
  if (Array.isArray(items) && kind.endsWith('List')) return items.flatMap((item) => flatten(item, file));
  const { name, generateName } = isRecord(metadata) ? metadata : {};
  const isNamed = typeof name === 'string' && name !== '';
  if (!isNamed && typeof generateName !== 'string') throw new RenderError(`${file}: ${kind} has no metadata.name`);
  const named = { ...(isRecord(metadata) ? metadata : {}), name: isNamed ? name : '' };
  return [{ ...document, apiVersion, kind, metadata: named }];
}
