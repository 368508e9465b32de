// index.yaml of a chart repository. Indexes grow to tens of megabytes while one chart is wanted: only its part is parsed.
import { RenderError } from '../errors.ts';
import { parseDocuments } from '../yaml/index.ts';

export interface IndexEntry {
  readonly version: string;
  /** Absolute, or relative to the repository. */
  readonly urls: readonly string[];
  /** SHA-256 in hex; '' when the index has none. */
  readonly digest: string;
}

/** An index that is not written the usual way is parsed whole, if it is no larger. */
const maxWholeBytes = 8 * 1024 * 1024;

/** The versions of a chart; undefined when the index does not have it. */
export function indexEntries(index: string, name: string, where: string): readonly IndexEntry[] | undefined {
  const part = blockOf(index, name);
  if (part !== undefined) return entriesOf(parseDocuments(part, where)[0]);
  if (isBlockIndex(index)) return undefined;
  if (index.length > maxWholeBytes)
    throw new RenderError(`${where}: is not laid out as Helm writes it, and too large to be read whole`);
  const [document] = parseDocuments(index, where);
  const entries = fieldsOf(document)['entries'];
  if (typeof entries !== 'object' || entries === null) throw new RenderError(`${where}: is no index of charts`);
  const found = fieldsOf(entries)[name];
  return found === undefined ? undefined : entriesOf(found);
}

const isBlockIndex = (index: string): boolean => /^entries:[ \t]*\r?\n {2}[^\s#]/m.test(index);

/** The list below `entries:` → `  name:`, as Helm writes it; undefined when it is not found that way. */
function blockOf(index: string, name: string): string | undefined {
  const start = /^entries:[ \t]*\r?\n/m.exec(index);
  if (!start) return undefined;
  const from = start.index + start[0].length;
  for (const written of [name, `"${name}"`, `'${name}'`]) {
    const head = `\n  ${written}:`;
    let at = index.indexOf(head, from - 1);
    while (at >= 0 && !/^[ \t]*\r?\n/.test(index.slice(at + head.length, at + head.length + 80)))
      at = index.indexOf(head, at + 1);
    if (at < 0) continue;
    const body = index.indexOf('\n', at + head.length) + 1;
    const end = /^(?: {0,1}[^\s#-]| {2}[^\s#-])/m.exec(index.slice(body));
    return index.slice(body, end ? body + end.index : undefined);
  }
  return undefined;
}

const fieldsOf = (value: unknown): Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null ? { ...value } : {};

function entriesOf(list: unknown): IndexEntry[] {
  const entries: readonly unknown[] = Array.isArray(list) ? list : [];
  return entries.map(fieldsOf).flatMap(({ version, urls, digest, removed }) => {
    if (version === undefined || version === null || removed === true) return [];
    const places = Array.isArray(urls) ? urls.filter((url) => typeof url === 'string') : [];
    const known = typeof digest === 'string' ? digest.replace(/^sha256:/, '') : '';
    return [{ version: String(version), urls: places, digest: known.toLowerCase() }];
  });
}
