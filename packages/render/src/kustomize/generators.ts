// ConfigMaps and Secrets made from pairs, and how they meet an object of the same name: create, merge or replace.
import { isUtf8 } from 'node:buffer';
import { RenderError } from '../errors.ts';
import { childOf, type Fields, fieldsOf, put, textMap, textOf } from './fields.ts';
import { pairsOf, type ReadBytes } from './key-values.ts';
import { itemsOf, type Kustomization, onlyFields } from './kustomization.ts';
import { Resource, sameId, showId } from './resource.ts';

const known = ['name', 'namespace', 'behavior', 'literals', 'files', 'envs', 'env', 'options', 'type'];
const optionNames = ['labels', 'annotations', 'disableNameSuffixHash', 'immutable'];
const lineLength = 70;

/** Adds what the kustomization generates to `resources`, or merges it into what is there. */
export async function generate(resources: Resource[], kustomization: Kustomization, read: ReadBytes): Promise<void> {
  for (const kind of ['ConfigMap', 'Secret'] as const) {
    const field = kind === 'ConfigMap' ? 'configMapGenerator' : 'secretGenerator';
    for (const args of itemsOf(kustomization, field)) await generateOne(resources, args, { kind, kustomization, read });
  }
}

/** One ConfigMap or Secret. */
export async function generateOne(resources: Resource[], args: Fields, making: Omit<Making, 'where'>): Promise<void> {
  const { kind, kustomization } = making;
  const where = `${kustomization.file}: ${kind} generator ${textOf(args['name'])}`;
  onlyFields(args, known, where);
  const made = await makeObject(args, { ...making, where });
  absorb(resources, made, { behavior: textOf(args['behavior']) || 'create', where });
}

interface Making {
  readonly kind: 'ConfigMap' | 'Secret';
  readonly kustomization: Kustomization;
  readonly where: string;
  readonly read: ReadBytes;
}

async function makeObject(args: Fields, { kind, kustomization, where, read }: Making): Promise<Resource> {
  const name = textOf(args['name']);
  if (name === '') throw new RenderError(`${where}: has no name`);
  const namespace = textOf(args['namespace']);
  const fields: Fields = { apiVersion: 'v1', kind, metadata: { name, ...(namespace && { namespace }) } };
  if (kind === 'Secret') Object.assign(fields, { type: textOf(args['type']) || 'Opaque', data: {} });
  for (const { key, value } of await pairsOf(args, where, read)) {
    const isText = kind === 'ConfigMap' && isUtf8(value);
    const room = kind === 'ConfigMap' && !isText ? 'binaryData' : 'data';
    put(childOf(fields, room), key, isText ? value.toString('utf8') : wrappedBase64(value));
  }
  const shared = fieldsOf(kustomization.fields['generatorOptions']);
  const options = fieldsOf(args['options']);
  for (const given of [shared, options]) onlyFields(given, optionNames, `${where}: options`);
  const resource = new Resource(fields, kustomization.file);
  resource.generator = `${kind}Generator`;
  for (const field of ['labels', 'annotations']) {
    const pairs = { ...textMap(shared[field], where), ...textMap(options[field], where) };
    if (Object.keys(pairs).length > 0) put(resource.metadata, field, pairs);
  }
  if (shared['immutable'] === true || options['immutable'] === true) put(fields, 'immutable', true);
  resource.needsHash = shared['disableNameSuffixHash'] !== true && options['disableNameSuffixHash'] !== true;
  return resource;
}

/** kustomize breaks long base64 into lines, and the breaks count in the hash. */
function wrappedBase64(value: Buffer): string {
  const text = value.toString('base64');
  if (text.length < lineLength) return text;
  return (text.match(/.{1,70}/g) ?? []).map((line) => `${line}\n`).join('');
}

function absorb(resources: Resource[], made: Resource, { behavior, where }: { behavior: string; where: string }): void {
  const found = resources.filter((resource) => resource.allIds.some((id) => sameId(id, made.id)));
  const [existing] = found;
  if (found.length > 1) throw new RenderError(`${where}: ${showId(made.id)} names more than one object`);
  // What is neither merge nor replace counts as create, whatever it says.
  if (behavior !== 'merge' && behavior !== 'replace') {
    if (existing) throw new RenderError(`${where}: ${showId(made.id)} exists; cannot create it`);
    resources.push(made);
    return;
  }
  if (!existing) throw new RenderError(`${where}: ${showId(made.id)} does not exist; cannot merge or replace`);
  const metadata = made.metadata;
  for (const field of ['labels', 'annotations']) {
    const pairs = { ...fieldsOf(existing.metadata[field]), ...fieldsOf(metadata[field]) };
    if (Object.keys(pairs).length > 0) put(metadata, field, pairs);
  }
  put(metadata, 'name', existing.name);
  if (existing.namespace) put(metadata, 'namespace', existing.namespace);
  if (behavior === 'merge') {
    for (const field of ['data', 'binaryData']) {
      const pairs = { ...fieldsOf(existing.fields[field]), ...fieldsOf(made.fields[field]) };
      if (Object.keys(pairs).length > 0) put(made.fields, field, pairs);
    }
  }
  existing.fields = made.fields;
  existing.needsHash &&= made.needsHash;
}
