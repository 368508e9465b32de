// `transformers` and `generators`: kustomize's built-in ones, configured as objects. Others are programs of somebody
// else and are refused by name.
import { UnsupportedSourceError } from '../errors.ts';
import { type Fields, fieldsOf, listOf, textMap, textOf } from './fields.ts';
import { generateOne } from './generators.ts';
import { setImages, setReplicas } from './images.ts';
import type { ReadBytes } from './key-values.ts';
import type { Kustomization } from './kustomization.ts';
import { putPairs } from './labels.ts';
import { addPrefixAndSuffix, setNamespace } from './naming.ts';
import { applyPatches, applyStrategicMerges, type ReadText } from './patches.ts';
import { replaceValues } from './replacements.ts';
import type { Resource } from './resource.ts';
import { fieldSpecOf, noConfig, type TransformerConfig } from './transformer-config.ts';

export interface Plugin {
  readonly fields: Fields;
  /** The one that names it. */
  readonly kustomization: Kustomization;
}

type Transform = (
  resources: readonly Resource[],
  plugin: Plugin,
  readText: ReadText,
) => Promise<readonly Resource[]> | readonly Resource[];

/** A kustomization with nothing but what the plugin says. */
function standIn({ kustomization }: Plugin, fields: Fields, config: TransformerConfig = noConfig): Kustomization {
  const { file, folder } = kustomization;
  return { file, folder, fields, config };
}

const specsOf = ({ fields, kustomization }: Plugin) =>
  listOf(fields['fieldSpecs']).map((spec) => fieldSpecOf(spec, `${kustomization.file}: ${textOf(fields['kind'])}`));

/** Work that changes objects in place. */
const inPlace =
  (work: (resources: readonly Resource[], plugin: Plugin) => void): Transform =>
  (resources, plugin) => {
    work(resources, plugin);
    return resources;
  };

const pairs = (field: 'labels' | 'annotations'): Transform =>
  inPlace((resources, plugin) => {
    const where = `${plugin.kustomization.file}: ${textOf(plugin.fields['kind'])}`;
    putPairs(resources, { pairs: textMap(plugin.fields[field], where), specs: specsOf(plugin) });
  });

const affixes = inPlace((resources, plugin) => {
  const { prefix, suffix } = plugin.fields;
  const specs = specsOf(plugin);
  const config: TransformerConfig = { specs: { namePrefix: specs, nameSuffix: specs }, nameReferences: [] };
  addPrefixAndSuffix(resources, standIn(plugin, { namePrefix: prefix, nameSuffix: suffix }, config));
});

const patchWith =
  (field: string, entryOf: (fields: Fields) => Fields): Transform =>
  (resources, plugin, readText) => {
    const kustomization = standIn(plugin, { [field]: [entryOf(plugin.fields)] });
    return applyPatches(resources, { kustomization, field, readText });
  };

const given = (fields: Fields): Fields =>
  Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined && value !== ''));

const transforms: Readonly<Record<string, Transform>> = {
  LabelTransformer: pairs('labels'),
  AnnotationsTransformer: pairs('annotations'),
  PrefixTransformer: affixes,
  SuffixTransformer: affixes,
  PrefixSuffixTransformer: affixes,
  NamespaceTransformer: inPlace((resources, plugin) => {
    const { namespace } = fieldsOf(plugin.fields['metadata']);
    const specs = specsOf(plugin);
    const config: TransformerConfig = { specs: { namespace: specs }, nameReferences: [] };
    const renames = specs.some(({ path }) => path === 'metadata/name');
    setNamespace(resources, standIn(plugin, { namespace }, config), { renames });
  }),
  ImageTagTransformer: inPlace((resources, plugin) => {
    const config: TransformerConfig = { specs: { images: specsOf(plugin) }, nameReferences: [] };
    setImages(resources, standIn(plugin, { images: [plugin.fields['imageTag']] }, config));
  }),
  ReplicaCountTransformer: inPlace((resources, plugin) =>
    setReplicas(resources, standIn(plugin, { replicas: [plugin.fields['replica']] })),
  ),
  PatchTransformer: patchWith('patches', ({ path, patch, target, options }) => given({ path, patch, target, options })),
  PatchJson6902Transformer: patchWith('patchesJson6902', ({ path, jsonOp, target }) =>
    given({ path, patch: jsonOp, target }),
  ),
  PatchStrategicMergeTransformer: (resources, plugin, readText) => {
    const { paths, patches } = plugin.fields;
    const all = [...listOf(paths), ...(textOf(patches) === '' ? [] : [patches])];
    return applyStrategicMerges(resources, standIn(plugin, { patchesStrategicMerge: all }), readText);
  },
  ReplacementTransformer: async (resources, plugin, readText) => {
    await replaceValues(resources, standIn(plugin, { replacements: plugin.fields['replacements'] }), readText);
    return resources;
  },
};

export async function runTransformer(
  resources: readonly Resource[],
  plugin: Plugin,
  readText: ReadText,
): Promise<readonly Resource[]> {
  const transform = isBuiltin(plugin) ? transforms[textOf(plugin.fields['kind'])] : undefined;
  return transform ? transform(resources, plugin, readText) : refuse(plugin, 'transformer');
}

export async function runGenerator(resources: Resource[], plugin: Plugin, read: ReadBytes): Promise<void> {
  const { apiVersion: _version, kind, metadata, ...rest } = plugin.fields;
  const made = kind === 'ConfigMapGenerator' ? 'ConfigMap' : kind === 'SecretGenerator' ? 'Secret' : undefined;
  if (!made || !isBuiltin(plugin)) return refuse(plugin, 'generator');
  const { name, namespace } = fieldsOf(metadata);
  await generateOne(
    resources,
    { ...given({ name, namespace }), ...rest },
    {
      kind: made,
      kustomization: plugin.kustomization,
      read,
    },
  );
}

const isBuiltin = ({ fields }: Plugin): boolean => fields['apiVersion'] === 'builtin';

function refuse({ fields, kustomization }: Plugin, what: string): never {
  const { apiVersion, kind } = fields;
  throw new UnsupportedSourceError(
    `${kustomization.file}: ${what} ${textOf(kind)} (${textOf(apiVersion)}) is not supported`,
  );
}
