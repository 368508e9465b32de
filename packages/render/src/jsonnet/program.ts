// A program and everything it imports, read before it runs: imports are written out in the text, so that evaluating
// needs no file any more, and every file that it might read is in the read set.
import { posix } from 'node:path';
import { RenderError } from '../errors.ts';
import { cleanPath, type TracedTree } from '../tree/index.ts';
import { JsonnetError } from './errors.ts';
import { tokensOf } from './lexer.ts';
import type { Node } from './nodes.ts';
import { parseJsonnet } from './parser.ts';

export interface Program {
  readonly main: string;
  /** Text and bytes of files, by path. */
  readonly files: ReadonlyMap<string, Buffer>;
  readonly parsed: ReadonlyMap<string, Node>;
  /** Which file an import means, by importing file and written path; undefined when there is none. */
  readonly imports: ReadonlyMap<string, string | undefined>;
}

export const importKey = (file: string, path: string): string => `${file}\n${path}`;

const maxFiles = 5_000;
const maxBytes = 64 * 1024 * 1024;

/** `folders` are searched after the folder of the importing file, the last first. */
export async function loadProgram(
  tree: TracedTree,
  main: string,
  { folders, snippets }: { folders: readonly string[]; snippets: ReadonlyMap<string, string> },
): Promise<Program> {
  const files = new Map<string, Buffer>();
  const parsed = new Map<string, Node>();
  const imports = new Map<string, string | undefined>();
  let bytes = 0;
  const keep = (file: string, content: Buffer) => {
    files.set(file, content);
    bytes += content.length;
    if (files.size > maxFiles || bytes > maxBytes)
      throw new RenderError(`${main}: imports more than ${maxFiles} files or ${maxBytes} bytes`);
  };
  const find = async (from: string, path: string): Promise<string | undefined> => {
    const places = snippets.has(from) ? [] : [posix.dirname(from)];
    for (const folder of [...places, ...[...folders].reverse()]) {
      const file = cleanPath(posix.join(folder === '' ? '.' : folder, path));
      if (files.has(file)) return file;
      const content = (await tree.isFile(file)) ? await tree.read(file) : undefined;
      if (!content) continue;
      keep(file, content);
      return file;
    }
    return undefined;
  };
  const parse = async (file: string, text: string): Promise<void> => {
    if (parsed.has(file)) return;
    parsed.set(file, parseText(text, file));
    for (const { how, path } of importsOf(text, file)) {
      if (path.startsWith('/')) throw new RenderError(`${file}: import of ${path}: absolute paths are not allowed`);
      const target = await find(file, path);
      imports.set(importKey(file, path), target);
      if (target !== undefined && how === 'import') await parse(target, files.get(target)?.toString('utf8') ?? '');
    }
  };
  for (const [name, text] of snippets) {
    keep(name, Buffer.from(text));
    await parse(name, text);
  }
  const content = await tree.read(main);
  if (!content) throw new RenderError(`${main}: does not exist`);
  keep(main, content);
  await parse(main, content.toString('utf8'));
  return { main, files, parsed, imports };
}

function parseText(text: string, file: string): Node {
  try {
    return parseJsonnet(text, file);
  } catch (cause) {
    if (cause instanceof RangeError)
      throw new JsonnetError(`${file}: expressions are nested too deep`, { isPlaced: true });
    throw cause;
  }
}

/** By tokens: a word of import and the text after it. */
function importsOf(text: string, file: string): { how: string; path: string }[] {
  const tokens = tokensOf(text, file);
  return tokens.flatMap(({ kind, text: word }, index) => {
    const next = tokens[index + 1];
    const isImport = kind === 'keyword' && word.startsWith('import');
    return isImport && next?.kind === 'string' ? [{ how: word, path: next.text }] : [];
  });
}
