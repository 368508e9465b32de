// Jsonnet evaluated in process, as go-jsonnet 0.21 would.
//
// Promises: a program reads files of the repository only, all of them traced; it has no clock, chance, network or host
// object; steps, calls, text, values and time are bounded. Messages name file, line and column. Not here: native
// functions (`std.native` is null), and `std.trace` says nothing to anybody.
import type { ApplicationSource } from '@fairlead/contracts';
import { RenderError } from '../errors.ts';
import { cleanPath, type TracedTree } from '../tree/index.ts';
import { loadProgram } from './program.ts';
import { type Binding, runProgram, snippetName } from './run.ts';

export interface JsonnetSettings {
  readonly extVars: readonly Binding[];
  readonly tlas: readonly Binding[];
  /** Folders from the root of the repository. */
  readonly libs: readonly string[];
}

/** `spec.source.directory.jsonnet`, as Argo CD has it. */
export function jsonnetSettingsOf({ directory }: ApplicationSource): JsonnetSettings {
  const given = fieldsOf(fieldsOf(directory)['jsonnet']);
  return {
    extVars: listOf(given['extVars']).map((item) => bindingOf(item, 'extVars')),
    tlas: listOf(given['tlas']).map((item) => bindingOf(item, 'tlas')),
    libs: listOf(given['libs']).map((folder) => cleanPath(String(folder).replace(/^\/+/, ''))),
  };
}

const fieldsOf = (value: unknown): Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null ? { ...value } : {};
const listOf = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);

function bindingOf(item: unknown, list: string): Binding {
  const { name, value = '', code } = fieldsOf(item);
  if (typeof name !== 'string' || name === '')
    throw new RenderError(`source.directory.jsonnet.${list}: an entry has no name`);
  return { name, value: String(value), isCode: code === true };
}

export async function evaluateFile(
  tree: TracedTree,
  file: string,
  { settings, path, signal }: { settings: JsonnetSettings; path: string; signal?: AbortSignal | undefined },
): Promise<unknown> {
  const { extVars, tlas, libs } = settings;
  const code = [
    ...extVars.filter(({ isCode }) => isCode).map((one) => [snippetName('extvar', one), one.value] as const),
    ...tlas.filter(({ isCode }) => isCode).map((one) => [snippetName('top-level-arg', one), one.value] as const),
  ];
  const program = await loadProgram(tree, file, { folders: [path, ...libs], snippets: new Map(code) });
  return runProgram(program, { extVars, tlas, signal });
}
