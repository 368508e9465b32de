// The pairs of a generator: literals, files and environment files.
import { isUtf8 } from 'node:buffer';
import { posix } from 'node:path';
import { RenderError, UnsupportedSourceError } from '../errors.ts';
import { type Fields, listOf, textOf } from './fields.ts';

export type ReadBytes = (path: string) => Promise<Buffer>;

interface Pair {
  readonly key: string;
  readonly value: Buffer;
}

export async function pairsOf(args: Fields, where: string, read: ReadBytes): Promise<readonly Pair[]> {
  const pairs: Pair[] = [];
  const envs = [...listOf(args['envs']), ...(args['env'] ? [args['env']] : [])];
  for (const path of envs) pairs.push(...envPairs(await read(textOf(path)), `${where}: ${textOf(path)}`));
  for (const source of listOf(args['literals'])) pairs.push(literalPair(String(source), where));
  for (const source of listOf(args['files'])) {
    const { key, path } = fileSource(String(source), where);
    pairs.push({ key, value: await read(path) });
  }
  const keys = new Set<string>();
  for (const { key } of pairs) {
    if (!/^[-._a-zA-Z0-9]{1,253}$/.test(key) || /^\.\.?$/.test(key)) {
      throw new RenderError(`${where}: ${JSON.stringify(key)} is not a valid key`);
    }
    if (keys.has(key)) throw new RenderError(`${where}: key ${key} is given twice`);
    keys.add(key);
  }
  return pairs;
}

function literalPair(source: string, where: string): Pair {
  const at = source.indexOf('=');
  if (at <= 0) throw new RenderError(`${where}: invalid literal source ${source}, expected key=value`);
  const value = source.slice(at + 1);
  const [, bare] = /^(?:"(?=.*"$)|'(?=.*'$))(.*)["']$/s.exec(value) ?? [];
  return { key: source.slice(0, at), value: Buffer.from(bare ?? value) };
}

function fileSource(source: string, where: string): { key: string; path: string } {
  const parts = source.split('=');
  const [first = '', second] = parts;
  if (parts.length > 2 || first === '' || second === '') {
    throw new RenderError(`${where}: invalid file source ${JSON.stringify(source)}`);
  }
  return second === undefined ? { key: posix.basename(first), path: first } : { key: first, path: second };
}

function envPairs(content: Buffer, where: string): Pair[] {
  if (!isUtf8(content)) throw new RenderError(`${where}: is not UTF-8`);
  const lines = content
    .toString('utf8')
    .replace(/^\uFEFF/, '')
    .split(/\r?\n/);
  return lines.flatMap((raw) => {
    const line = raw.trimStart();
    if (line === '' || line.startsWith('#')) return [];
    const at = line.indexOf('=');
    if (at < 0) throw new UnsupportedSourceError(`${where}: ${line}: values from the environment are not supported`);
    return [{ key: line.slice(0, at), value: Buffer.from(line.slice(at + 1)) }];
  });
}
