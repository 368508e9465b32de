// A kustomization file: found, parsed and checked for fields we do not know, before anything is built from it.
import { RenderError, UnsupportedSourceError } from '../errors.ts';
import { joinPath, type TracedTree } from '../tree/index.ts';
import { parseDocuments } from '../yaml/index.ts';
import { type Fields, isFields, listOf } from './fields.ts';
import { noConfig, type TransformerConfig } from './transformer-config.ts';

export interface Kustomization {
  /** Folder from the root of the repository. */
  readonly folder: string;
  /** The file, for messages. */
  readonly file: string;
  readonly fields: Fields;
  /** What `configurations` say, its own and those of what it uses. */
  readonly config: TransformerConfig;
}

const fileNames = ['kustomization.yaml', 'kustomization.yml', 'Kustomization'];

const supported = new Set([
  'apiVersion',
  'kind',
  'metadata',
  'resources',
  'bases',
  'components',
  'patches',
  'patchesStrategicMerge',
  'patchesJson6902',
  'configMapGenerator',
  'secretGenerator',
  'generatorOptions',
  'images',
  'replicas',
  'namePrefix',
  'nameSuffix',
  'namespace',
  'commonLabels',
  'labels',
  'commonAnnotations',
  'replacements',
  'sortOptions',
  'buildMetadata',
  'configurations',
  'crds',
  'generators',
  'helmCharts',
  'helmGlobals',
  'transformers',
  'vars',
]);

const notYet = new Set(['helmChartInflationGenerator', 'imageTags', 'openapi', 'validators']);

async function filesIn(tree: TracedTree, folder: string): Promise<string[]> {
  const found: string[] = [];
  for (const name of fileNames) if (await tree.isFile(joinPath(folder, name))) found.push(joinPath(folder, name));
  return found;
}

/** For those who leave judging it to another program; undefined when there is none. */
export async function looseKustomization(tree: TracedTree, folder: string): Promise<Kustomization | undefined> {
  const [file] = await filesIn(tree, folder);
  if (file === undefined) return undefined;
  const [fields] = parseDocuments((await tree.read(file))?.toString('utf8') ?? '', file);
  return { folder, file, fields: isFields(fields) ? fields : {}, config: noConfig };
}

export async function readKustomization(tree: TracedTree, folder: string): Promise<Kustomization> {
  const found = await filesIn(tree, folder);
  const [file] = found;
  if (file === undefined) throw new RenderError(`${folder || '.'}: has no ${fileNames.join(' or ')}`);
  if (found.length > 1) throw new RenderError(`${folder || '.'}: has more than one kustomization file`);
  const documents = parseDocuments((await tree.read(file))?.toString('utf8') ?? '', file);
  if (documents.length > 1) throw new RenderError(`${file}: holds more than one document`);
  const fields = documents[0];
  if (!isFields(fields)) throw new RenderError(`${file}: is empty or not a map`);
  checkFields(fields, file);
  return { folder, file, fields, config: noConfig };
}

function checkFields(fields: Fields, file: string): void {
  for (const [field, value] of Object.entries(fields)) {
    const isEmpty = value === null || (Array.isArray(value) && value.length === 0);
    if (notYet.has(field) && !isEmpty)
      throw new UnsupportedSourceError(`${file}: field "${field}" is not supported yet`);
    if (!supported.has(field) && !notYet.has(field)) throw new RenderError(`${file}: unknown field "${field}"`);
  }
  for (const field of ['namePrefix', 'nameSuffix', 'namespace']) {
    const value = fields[field] ?? '';
    if (typeof value !== 'string') throw new RenderError(`${file}: ${field} must be a string`);
  }
  const { kind = 'Kustomization', apiVersion } = fields;
  if (kind !== 'Kustomization' && kind !== 'Component') {
    throw new RenderError(`${file}: kind is ${JSON.stringify(kind)}; it should be Kustomization or Component`);
  }
  const version = kind === 'Component' ? 'kustomize.config.k8s.io/v1alpha1' : 'kustomize.config.k8s.io/v1beta1';
  if (apiVersion !== undefined && apiVersion !== version) {
    throw new RenderError(`${file}: apiVersion for ${kind} should be ${version}`);
  }
}

/** The objects of a list field; anything else in it is an error. */
export function itemsOf({ fields, file }: Kustomization, field: string): Fields[] {
  return listOf(fields[field]).map((item) => {
    if (!isFields(item)) throw new RenderError(`${file}: ${field}: an entry is not a map`);
    return item;
  });
}

export function textsOf({ fields, file }: Kustomization, field: string): string[] {
  return listOf(fields[field]).map((item) => {
    if (typeof item !== 'string' || item === '') throw new RenderError(`${file}: ${field}: an entry is not a path`);
    return item;
  });
}

/** Refuses members of an entry that are neither known nor empty. */
export function onlyFields(entry: Fields, known: readonly string[], where: string): void {
  for (const field of Object.keys(entry)) {
    if (!known.includes(field)) throw new RenderError(`${where}: unknown field "${field}"`);
  }
}
