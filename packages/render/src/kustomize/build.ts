// One kustomization built: its resources, then its generators, components and transformers, in kustomize's order.
// Hash suffixes, references and order come last, once, for the whole.
import { posix } from 'node:path';
import { redactUrl } from '@fairlead/git';
import type { TracedCharts } from '../charts/index.ts';
import { RenderError, UnsupportedSourceError } from '../errors.ts';
import { notAllowed, parseRemote, type TracedRemotes } from '../remotes/index.ts';
import { cleanPath, joinPath, TracedTree } from '../tree/index.ts';
import { parseDocuments } from '../yaml/index.ts';
import { configOfCrds } from './crds.ts';
import { type Fields, fieldsOf, isFields, textOf } from './fields.ts';
import { generate } from './generators.ts';
import { inflateCharts } from './helm-charts.ts';
import { setImages, setReplicas } from './images.ts';
import { type Kustomization, readKustomization, textsOf } from './kustomization.ts';
import { addAnnotations, addLabels } from './labels.ts';
import { addPrefixAndSuffix, setNamespace } from './naming.ts';
import { applyPatches, applyStrategicMerges } from './patches.ts';
import { type Plugin, runGenerator, runTransformer } from './plugins.ts';
import { replaceValues } from './replacements.ts';
import { Resource, sameId, showId } from './resource.ts';
import { mergedConfig, noConfig, parseConfig, type TransformerConfig } from './transformer-config.ts';
import { addVar, declareVars, type Var } from './vars.ts';

export interface Build {
  readonly tree: TracedTree;
  readonly signal?: AbortSignal | undefined;
  /** Where charts come from that are not in the tree. */
  readonly charts?: TracedCharts | undefined;
  /** Other repositories to build on. */
  readonly remotes?: TracedRemotes | undefined;
  /** The repository that `tree` is of, for those that are not the application's own. */
  readonly repository: string;
  /** Folders that are being built, outermost first. */
  readonly stack: readonly string[];
  /** What this kustomization and those it uses hand up. */
  readonly accumulated: Accumulated;
}

export interface Accumulated {
  config: TransformerConfig;
  readonly vars: Var[];
}

const asKustomize = { booleans: 'kustomize' } as const;
const maxDepth = 100;
const maxResources = 100_000;

/** `found` are the objects a component works on; a kustomization starts from none. */
export async function build(kustomization: Kustomization, { stack, ...rest }: Build, found: readonly Resource[] = []) {
  rest.signal?.throwIfAborted();
  const { folder, file } = kustomization;
  const here = rest.repository + folder;
  if (stack.includes(here)) throw new RenderError(`${file}: cycle detected: ${[...stack, here].join(' → ')}`);
  if (stack.length >= maxDepth) throw new RenderError(`${file}: more than ${maxDepth} kustomizations deep`);
  const inner: Build = { ...rest, stack: [...stack, here] };
  let resources = [...found];
  for (const path of [...textsOf(kustomization, 'resources'), ...textsOf(kustomization, 'bases')]) {
    append(resources, await resourcesAt(kustomization, path, inner), file);
  }
  const { accumulated } = rest;
  const read = (path: string) => readBeside(rest.tree, kustomization, path);
  const readText = async (path: string) => (await read(path)).toString('utf8');
  for (const path of textsOf(kustomization, 'configurations'))
    accumulated.config = mergedConfig(accumulated.config, parseConfig(await readText(path), joinPath(folder, path)));
  for (const path of textsOf(kustomization, 'crds'))
    accumulated.config = mergedConfig(accumulated.config, configOfCrds(await readText(path), joinPath(folder, path)));
  const configured = { ...kustomization, config: accumulated.config };
  await generate(resources, configured, read);
  append(
    resources,
    await inflateCharts(configured, { tree: rest.tree, charts: rest.charts, signal: rest.signal }),
    file,
  );
  for (const plugin of await pluginsOf(configured, 'generators', inner)) await runGenerator(resources, plugin, read);
  for (const path of textsOf(kustomization, 'components')) {
    resources = [...(await componentAt(kustomization, path, inner)(resources))];
  }
  const whole = { ...kustomization, config: accumulated.config };
  let built = await transform(resources, whole, readText);
  for (const plugin of await pluginsOf(whole, 'transformers', inner))
    built = await runTransformer(built, plugin, readText);
  declareVars(accumulated.vars, built, whole);
  return built;
}

/** The objects that `generators` or `transformers` name: files, folders, or written in place. */
async function pluginsOf(kustomization: Kustomization, field: string, inner: Build): Promise<Plugin[]> {
  const plugins: Plugin[] = [];
  for (const entry of textsOf(kustomization, field)) {
    const isInline = /\n|: /.test(entry);
    const alone = { ...inner, accumulated: { config: noConfig, vars: [] } };
    const found = isInline
      ? parseDocuments(entry, `${kustomization.file}: ${field}`).flatMap((one) => objectsOf(one, kustomization.file))
      : await resourcesAt(kustomization, entry, alone);
    plugins.push(...found.map(({ fields }) => ({ fields, kustomization })));
  }
  return plugins;
}

async function transform(
  resources: readonly Resource[],
  kustomization: Kustomization,
  readText: (path: string) => Promise<string>,
): Promise<readonly Resource[]> {
  let built = await applyStrategicMerges(resources, kustomization, readText);
  built = await applyPatches(built, { kustomization, field: 'patches', readText });
  setNamespace(built, kustomization);
  addPrefixAndSuffix(built, kustomization);
  addLabels(built, kustomization);
  addAnnotations(built, kustomization);
  built = await applyPatches(built, { kustomization, field: 'patchesJson6902', readText });
  setReplicas(built, kustomization);
  setImages(built, kustomization);
  await replaceValues(built, kustomization, readText);
  refuseTwins(built, kustomization.file);
  return built;
}

function append(resources: Resource[], added: readonly Resource[], file: string): void {
  resources.push(...added);
  if (resources.length > maxResources) throw new RenderError(`${file}: more than ${maxResources} objects`);
  refuseTwins(resources, file);
}

function refuseTwins(resources: readonly Resource[], file: string): void {
  const seen = new Map<string, Resource>();
  for (const resource of resources) {
    const key = JSON.stringify(Object.values(resource.id));
    const twin = seen.get(key);
    if (twin && sameId(twin.id, resource.id)) {
      throw new RenderError(`${file}: may not add resource with an already registered id: ${showId(resource.id)}`);
    }
    seen.set(key, resource);
  }
}

async function resourcesAt(kustomization: Kustomization, path: string, inner: Build): Promise<readonly Resource[]> {
  const place = await placeOf(kustomization, path, inner);
  if (place.folder !== undefined) {
    const base = await readKustomization(place.build.tree, place.folder);
    if (base.fields['kind'] === 'Component') {
      throw new RenderError(`${kustomization.file}: ${path} is a Component; it belongs in "components"`);
    }
    const accumulated: Accumulated = { config: noConfig, vars: [] };
    const built = await build(base, { ...place.build, accumulated });
    inner.accumulated.config = mergedConfig(inner.accumulated.config, accumulated.config);
    for (const one of accumulated.vars) addVar(inner.accumulated.vars, one);
    return built;
  }
  const target = targetOf(kustomization, path);
  const content = await readBeside(inner.tree, kustomization, path);
  return parseDocuments(content.toString('utf8'), target, asKustomize).flatMap((document) =>
    objectsOf(document, target),
  );
}

function componentAt(kustomization: Kustomization, path: string, inner: Build) {
  return async (resources: readonly Resource[]): Promise<readonly Resource[]> => {
    const { build: within, folder = targetOf(kustomization, path) } = await placeOf(kustomization, path, inner);
    const component = await readKustomization(within.tree, folder);
    if (component.fields['kind'] !== 'Component') {
      throw new RenderError(`${kustomization.file}: components: ${path} is not of kind Component`);
    }
    return build(component, within, resources);
  };
}

/** Where an entry leads: a folder, here or in another repository; no folder for what is a file, or nothing. */
async function placeOf(
  kustomization: Kustomization,
  path: string,
  inner: Build,
): Promise<{ build: Build; folder?: string }> {
  if (!remote.test(path)) {
    const target = targetOf(kustomization, path);
    if (await inner.tree.isFolder(target)) return { build: inner, folder: target };
    const isElsewhere = onGitHub.test(path) && (await inner.tree.read(target)) === undefined;
    if (!isElsewhere) return { build: inner };
  }
  const { file } = kustomization;
  const found = parseRemote(path);
  if (!found) throw new RenderError(`${file}: ${shown(path)} names no repository`);
  if (/^https?:\/\/.*\.(?:ya?ml|json)$/i.test(path))
    throw new UnsupportedSourceError(`${file}: ${shown(path)}: files by URL are not supported; name a git repository`);
  if (!inner.remotes) throw new RenderError(`${file}: ${notAllowed(found.url, []).message}`);
  const { tree, commit } = await inner.remotes.open(found).catch((cause: unknown) => {
    if (!(cause instanceof RenderError)) throw cause;
    throw new RenderError(`${file}: ${cause.message}`, { cause, code: cause.code });
  });
  const traced = new TracedTree(tree);
  const folder = cleanPath(found.path);
  if (!(await traced.isFolder(folder)))
    throw new RenderError(`${file}: ${shown(path)}: ${folder} is no folder at ${found.revision}`);
  return { build: { ...inner, tree: traced, repository: `${shown(found.url)}@${commit}//` }, folder };
}

const shown = (url: string): string => redactUrl(url.replace(/\/\/[^/@]*@/, '//'));

/** Lists, of whatever kind, become their items. */
function objectsOf(document: unknown, file: string): Resource[] {
  if (!isFields(document)) throw new RenderError(`${file}: a document is not an object`);
  const { kind, apiVersion, items } = document;
  if (textOf(kind) === '') throw new RenderError(`${file}: an object has no "kind"`);
  if (Array.isArray(items) && textOf(kind).endsWith('List')) return items.flatMap((item) => objectsOf(item, file));
  if (textOf(apiVersion) === '') throw new RenderError(`${file}: ${textOf(kind)} has no "apiVersion"`);
  const metadata: Fields = fieldsOf(document['metadata']);
  if (textOf(metadata['name']) === '' && textOf(metadata['generateName']) === '') {
    throw new RenderError(`${file}: ${textOf(kind)} has no metadata.name`);
  }
  return [new Resource(document, file)];
}

const remote =
  /^(?:[a-z][a-z0-9+.-]*:\/\/|[^/]*@[^/]*:|git::|[^/]+\.[a-z]+\/[^/]+\/[^/]+.*(?:\?|\/\/))|\?(?:.*&)?(?:ref|version)=/i;

/** A repository without a word that it is one, where nothing here has that name. */
const onGitHub = /^github\.com\/[^/]+\/[^/]+/i;

/** Where an entry leads inside the repository; undefined for what is written in place, remote, or leads out. */
export function localTarget(folder: string, entry: string): string | undefined {
  if (entry === '' || /\n|: /.test(entry) || entry.startsWith('/') || remote.test(entry)) return undefined;
  const target = posix.normalize(joinPath(folder, entry)).replace(/\/$/, '');
  if (target === '..' || target.startsWith('../')) return undefined;
  return target === '.' ? '' : target;
}

function targetOf({ folder, file }: Kustomization, path: string): string {
  if (path.startsWith('/')) throw new RenderError(`${file}: ${path} is absolute; it must be relative`);
  return cleanPath(joinPath(folder, path));
}

/** Files must stand in or below the folder of the kustomization that names them; folders need not. */
async function readBeside(tree: TracedTree, kustomization: Kustomization, path: string): Promise<Buffer> {
  const { folder, file } = kustomization;
  const target = targetOf(kustomization, path);
  if (folder !== '' && posix.relative(folder, target).startsWith('..')) {
    throw new RenderError(`${file}: security; file ${path} is not in or below ${folder}`);
  }
  const content = await tree.read(target);
  if (!content) throw new RenderError(`${file}: ${path} does not exist`);
  return content;
}
