// `patches`, `patchesStrategicMerge`, `patchesJson6902`: what each patches, and with what.
import { RenderError } from '../errors.ts';
import { parseDocuments } from '../yaml/index.ts';
import { type Fields, fieldsOf, isFields, listOf, put, textOf } from './fields.ts';
import { jsonPatch } from './json-patch.ts';
import { itemsOf, type Kustomization, onlyFields } from './kustomization.ts';
import { Resource, type ResourceId, showId } from './resource.ts';
import { matcherOf } from './selector.ts';
import { strategicMerge } from './strategic-merge.ts';

const asKustomize = { booleans: 'kustomize' } as const;

/** Text of a file beside the kustomization. */
export type ReadText = (path: string) => Promise<string>;

interface Patch {
  readonly where: string;
  /** A list of operations, or objects to merge. */
  readonly operations?: readonly unknown[];
  readonly merges: readonly Fields[];
  readonly target?: Fields;
  readonly options: Fields;
}

export async function applyStrategicMerges(
  resources: readonly Resource[],
  kustomization: Kustomization,
  readText: ReadText,
): Promise<readonly Resource[]> {
  let patched = resources;
  for (const entry of listOf(kustomization.fields['patchesStrategicMerge'])) {
    const text = textOf(entry);
    const isInline = text.includes('\n') || text.includes(': ');
    const where = isInline ? `${kustomization.file}: patchesStrategicMerge` : text;
    const merges = mapsOf(parseDocuments(isInline ? text : await readText(text), where, asKustomize), where);
    patched = applyPatch(patched, { where, merges, options: {} });
  }
  return patched;
}

export async function applyPatches(
  resources: readonly Resource[],
  { kustomization, field, readText }: { kustomization: Kustomization; field: string; readText: ReadText },
): Promise<readonly Resource[]> {
  let patched = resources;
  for (const entry of itemsOf(kustomization, field)) {
    const where = `${kustomization.file}: ${field}`;
    onlyFields(entry, ['path', 'patch', 'target', 'options'], where);
    patched = applyPatch(patched, await readPatch(entry, where, readText));
  }
  return patched;
}

async function readPatch(entry: Fields, where: string, readText: ReadText): Promise<Patch> {
  const [path, inline] = [textOf(entry['path']), textOf(entry['patch'])];
  if ((path === '') === (inline === '')) throw new RenderError(`${where}: must have one of "path" and "patch"`);
  const place = path ? `${where}: ${path}` : where;
  const documents = parseDocuments(path ? await readText(path) : inline, place, asKustomize);
  const target = isFields(entry['target']) ? { target: entry['target'] } : {};
  const options = fieldsOf(entry['options']);
  const [first] = documents;
  if (Array.isArray(first)) return { where: place, operations: first, merges: [], options, ...target };
  return { where: place, merges: mapsOf(documents, place), options, ...target };
}

function mapsOf(documents: readonly unknown[], where: string): Fields[] {
  const maps = documents.filter(isFields);
  if (maps.length === 0 || maps.length !== documents.length) throw new RenderError(`${where}: is not a patch`);
  return maps;
}

function applyPatch(resources: readonly Resource[], patch: Patch): readonly Resource[] {
  const { operations, merges, target, where } = patch;
  if (target) {
    const matches = matcherOf(target, `${where}: target`);
    const merge = merges[0];
    if (merges.length > 1) throw new RenderError(`${where}: with a target there may be one patch only`);
    return resources.flatMap((resource) => {
      if (!matches(resource)) return [resource];
      if (merge) return mergeInto(resource, merge, patch);
      resource.fields = jsonPatch(resource.fields, operations ?? [], where);
      return [resource];
    });
  }
  if (operations) throw new RenderError(`${where}: must specify a target for JSON patch`);
  return merges.reduce((rest, merge) => {
    const wanted = new Resource(merge, '').id;
    const found = rest.filter((resource) => resource.allIds.some((id) => isMeant(id, wanted)));
    if (found.length !== 1) {
      const reason = found.length === 0 ? 'no matches for' : 'multiple matches for';
      throw new RenderError(`${where}: ${reason} Id ${showId(wanted)}; failed to find unique target for patch`);
    }
    return rest.flatMap((resource) => (found.includes(resource) ? mergeInto(resource, merge, patch) : [resource]));
  }, resources);
}

const isMeant = (id: ResourceId, wanted: ResourceId): boolean =>
  id.group === wanted.group &&
  id.version === wanted.version &&
  id.kind === wanted.kind &&
  id.name === wanted.name &&
  id.namespace === wanted.namespace;

/** Name and kind stay unless the options let them change; the namespace always stays. */
function mergeInto(resource: Resource, merge: Fields, { where, options }: Patch): Resource[] {
  const { id, kind, name, namespace } = resource;
  const merged = strategicMerge(resource.fields, merge, { group: id.group, where });
  if (!merged) return [];
  if (options['allowNameChange'] === true || options['allowKindChange'] === true) resource.previousIds.push(id);
  resource.fields = structuredClone(merged);
  if (options['allowKindChange'] !== true) put(resource.fields, 'kind', kind);
  if (options['allowNameChange'] !== true) put(resource.metadata, 'name', name);
  if (namespace === '') delete resource.metadata['namespace'];
  else put(resource.metadata, 'namespace', namespace);
  return [resource];
}
