// `.argocd-source.yaml` and `.argocd-source-<application>.yaml` beside the manifests: laid over the source as a JSON
// merge patch. They may change how a tool renders, never what is rendered: repository, revision, path and chart stay.
import type { ApplicationSource } from '@fairlead/contracts';
import { RenderError } from './errors.ts';
import { joinPath, type TracedTree } from './tree/index.ts';
import { parseDocuments } from './yaml/index.ts';

type Fields = Readonly<Record<string, unknown>>;

const fixed = ['repoURL', 'targetRevision', 'path', 'chart', 'ref'] as const;

const isFields = (value: unknown): value is Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

export async function withOverrides(
  tree: TracedTree,
  source: ApplicationSource,
  { path, application }: { path: string; application: string | undefined },
): Promise<ApplicationSource> {
  const names = ['.argocd-source.yaml', ...(isFileName(application) ? [`.argocd-source-${application}.yaml`] : [])];
  let merged: Fields = source;
  for (const name of names) {
    const file = joinPath(path, name);
    const content = await tree.read(file);
    if (!content) continue;
    const [patch = {}] = parseDocuments(content.toString('utf8'), file);
    if (!isFields(patch)) throw new RenderError(`${file}: must be a map of source fields`);
    merged = { ...mergePatch(merged, patch), ...kept(source) };
    for (const field of fixed) if (source[field] === undefined) merged = without(merged, field);
  }
  return merged as ApplicationSource; // the source itself with tools' fields changed; those pass the contract
}

const isFileName = (name: string | undefined): name is string => name !== undefined && /^[\w.-]+$/.test(name);

const kept = (source: ApplicationSource): Fields => Object.fromEntries(fixed.map((field) => [field, source[field]]));

const without = (fields: Fields, left: string): Fields =>
  Object.fromEntries(Object.entries(fields).filter(([name]) => name !== left));

/** RFC 7396. */
function mergePatch(target: unknown, patch: Fields): Fields {
  const merged = new Map(Object.entries(isFields(target) ? target : {}));
  for (const [key, value] of Object.entries(patch)) {
    if (value === null) merged.delete(key);
    else merged.set(key, isFields(value) ? mergePatch(merged.get(key), value) : value);
  }
  return Object.fromEntries(merged);
}
