// The documents of a YAML stream as plain JSON values. Hostile input is bounded: depth and aliases by the parser, the
// expanded size here, because aliases multiply only when the value is copied out.
import { loadAll, YAMLException } from 'js-yaml';
import { RenderError } from '../errors.ts';
import { readBlocks } from './block-reader.ts';
import { schemas } from './kube-schema.ts';
import type { Booleans } from './scalar.ts';

const maxNodes = 1_000_000;
const maxAliases = 10_000;
const maxDepth = 200;

interface ParseOptions {
  /** Whose reading of `yes`, `on`, `n` …; Kubernetes takes them for booleans. */
  readonly booleans?: Booleans;
}

/** Throws a RenderError that names file and line. Empty documents are left out. */
export function parseDocuments(given: string, file: string, { booleans = 'kubernetes' }: ParseOptions = {}): unknown[] {
  const text = given.endsWith('\n') ? given : withOpenEnd(given);
  const read = readBlocks(text, booleans);
  if (read) return read.filter((document) => document !== null);
  return parseThoroughly(text, file, booleans);
}

const blockHeader = /^((?:.*?(?::|-|\?)[ \t]+|[ \t]*)(?:[!&]\S+[ \t]+)*[|>][1-9]?)\+?([ \t]*(?:[ \t]#.*)?)$/;

/** A block of text that ends with the file, without a line break, has none in go-yaml; js-yaml would add it. */
function withOpenEnd(text: string): string {
  const lines = text.split('\n');
  const last = lines.at(-1) ?? '';
  if (last.trim() === '' || lines.length < 2) return text;
  const indentOf = (line: string) => line.length - line.trimStart().length;
  let least = indentOf(last);
  // The outermost of the lines that everything after them is inside of: what looks like a header below it is text.
  let header: number | undefined;
  for (let at = lines.length - 2; at >= 0 && least > 0; at--) {
    const line = lines[at] ?? '';
    if (line.trim() === '' || indentOf(line) >= least) continue;
    least = indentOf(line);
    if (blockHeader.test(line)) header = at;
  }
  if (header !== undefined) lines[header] = (lines[header] ?? '').replace(blockHeader, '$1-$2');
  return lines.join('\n');
}

/** Everything that YAML has, by js-yaml. */
export function parseThoroughly(text: string, file: string, booleans: Booleans): unknown[] {
  try {
    const documents = loadAll(text, { schema: schemas[booleans], json: true, maxAliases });
    const budget = { nodes: maxNodes, file };
    return documents
      .filter((document) => document !== null && document !== undefined)
      .map((document) => plain(document, budget));
  } catch (cause) {
    if (!(cause instanceof YAMLException)) throw cause;
    const line = cause.mark ? `:${cause.mark.line + 1}` : '';
    throw new RenderError(`${file}${line}: ${cause.reason}`);
  }
}

interface Allowance {
  nodes: number;
  readonly file: string;
}

/** Copies out of js-yaml's values, where an alias is the very object it names, and may name what it is in. */
function plain(value: unknown, allowance: Allowance, depth = 0): unknown {
  if (--allowance.nodes < 0) throw new RenderError(`${allowance.file}: holds more than ${maxNodes} values`);
  if (typeof value !== 'object' || value === null) return value;
  if (depth > maxDepth)
    throw new RenderError(`${allowance.file}: nesting exceeds ${maxDepth}, or an alias names what it is in`);
  if (Array.isArray(value)) return value.map((item) => plain(item, allowance, depth + 1));
  const entries = Object.entries(value).map(([key, inner]): [string, unknown] => [
    key,
    plain(inner, allowance, depth + 1),
  ]);
  return Object.fromEntries(entries);
}
