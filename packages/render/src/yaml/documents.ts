// The documents of a YAML stream as plain JSON values. Hostile input is bounded: depth and aliases by the parser, the
// expanded size here, because aliases multiply only when the value is copied out.
import { loadAll, YAMLException } from 'js-yaml';
import { RenderError } from '../errors.ts';
import { readBlocks } from './block-reader.ts';
import { schemas } from './kube-schema.ts';
import type { Booleans } from './scalar.ts';

const maxNodes = 1_000_000;
const maxAliases = 10_000;

interface ParseOptions {
  /** Whose reading of `yes`, `on`, `n` …; Kubernetes takes them for booleans. */
  readonly booleans?: Booleans;
}

/** Throws a RenderError that names file and line. Empty documents are left out. */
export function parseDocuments(text: string, file: string, { booleans = 'kubernetes' }: ParseOptions = {}): unknown[] {
  const read = readBlocks(text, booleans);
  if (read) return read.filter((document) => document !== null);
  return parseThoroughly(text, file, booleans);
}

/** Everything that YAML has, by js-yaml. */
export function parseThoroughly(text: string, file: string, booleans: Booleans): unknown[] {
  try {
    const documents = loadAll(text, { schema: schemas[booleans], json: true, maxAliases });
    const budget = { nodes: maxNodes, file };
    return documents.filter((document) => document !== null && document !== undefined).map((d) => plain(d, budget));
  } catch (cause) {
    if (!(cause instanceof YAMLException)) throw cause;
    const line = cause.mark ? `:${cause.mark.line + 1}` : '';
    throw new RenderError(`${file}${line}: ${cause.reason}`);
  }
}

function plain(value: unknown, budget: { nodes: number; readonly file: string }): unknown {
  if (--budget.nodes < 0) throw new RenderError(`${budget.file}: holds more than ${maxNodes} values`);
  if (Array.isArray(value)) return value.map((item) => plain(item, budget));
  if (typeof value !== 'object' || value === null) return value;
  const entries = Object.entries(value).map(([key, inner]): [string, unknown] => [key, plain(inner, budget)]);
  return Object.fromEntries(entries);
}
