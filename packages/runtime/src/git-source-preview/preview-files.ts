// Which files of a repository a Git Source would take, by the very selection that the renderer uses, and what they hold.
import { errorMessage } from '@fairlead/base';
import type { Repository } from '@fairlead/git';
import { directorySelection, parseDocuments } from '@fairlead/render';

export interface PreviewedFile {
  readonly path: string;
  readonly included: boolean;
  readonly holds?: string[];
  readonly problem?: string;
}

interface PreviewQuery {
  readonly commit: string;
  readonly path: string;
  readonly include: string;
  readonly exclude: string;
}

const maxFiles = 1_000;
/** Folders are visited breadth first up to this many entries; what lies beyond is told as `more`. */
const maxEntries = 20_000;
const suffixes = ['.yaml', '.yml', '.json'];
const maxReadBytes = 256 * 1024;

export async function previewFiles(
  repository: Repository,
  { commit, path, include, exclude }: PreviewQuery,
): Promise<{ files: PreviewedFile[]; more: boolean }> {
  const { found, more } = await manifestsUnder(repository, commit, path);
  const isWanted = directorySelection({ include, exclude });
  const files: PreviewedFile[] = [];
  for (const { relative, id } of found.slice(0, maxFiles)) {
    const file = { path: relative, included: isWanted(relative) };
    files.push(file.included ? { ...file, ...(await contentOf(repository, relative, id)) } : file);
  }
  return { files, more: more || found.length > maxFiles };
}

async function manifestsUnder(repository: Repository, commit: string, root: string) {
  const found: { relative: string; id: string }[] = [];
  const folders = [''];
  let seen = 0;
  for (let folder = folders.shift(); folder !== undefined && seen < maxEntries; folder = folders.shift()) {
    const at = [root, folder].filter(Boolean).join('/');
    for (const { name, kind, id } of (await repository.tree(commit, at)) ?? []) {
      seen++;
      const relative = folder === '' ? name : `${folder}/${name}`;
      if (kind === 'tree') folders.push(relative);
      else if (kind === 'blob' && suffixes.some((suffix) => name.endsWith(suffix))) found.push({ relative, id });
    }
  }
  return { found: found.sort((a, b) => (a.relative < b.relative ? -1 : 1)), more: folders.length > 0 };
}

async function contentOf(repository: Repository, file: string, id: string): Promise<Partial<PreviewedFile>> {
  try {
    const text = (await repository.readBlob(id)).toString('utf8');
    if (text.length > maxReadBytes) return {};
    const holds = parseDocuments(text, file).flatMap((document) => nameOf(document) ?? []);
    return holds.length > 0 ? { holds } : { problem: 'holds no manifest' };
  } catch (error) {
    return { problem: errorMessage(error) };
  }
}

function nameOf(document: unknown): string | undefined {
  const { kind, metadata } = (document ?? {}) as { kind?: unknown; metadata?: { name?: unknown } };
  return typeof kind === 'string' ? `${kind} ${String(metadata?.name ?? '')}`.trim() : undefined;
}
