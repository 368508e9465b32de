// `images` and `replicas`: single values set by the name of what they belong to.
import { RenderError } from '../errors.ts';
import { changeField, selects } from './field-spec.ts';
import { type Fields, isFields, own, put, textOf } from './fields.ts';
import { itemsOf, type Kustomization, onlyFields } from './kustomization.ts';
import type { Resource } from './resource.ts';
import { compile } from './selector.ts';

export function setImages(resources: readonly Resource[], kustomization: Kustomization): void {
  for (const entry of itemsOf(kustomization, 'images')) {
    const where = `${kustomization.file}: images`;
    onlyFields(entry, ['name', 'newName', 'newTag', 'digest', 'tagSuffix'], where);
    const pattern = `^${textOf(entry['name'])}(:[a-zA-Z0-9_.{}-]*)?(@sha256:[a-zA-Z0-9_.{}-]*)?$`;
    const matches = compile(pattern, where);
    const change = (image: string) => (matches.matcher(image).find() ? changedImage(image, entry) : image);
    for (const resource of resources) {
      const { kind, fields } = resource;
      if (kind === 'CustomResourceDefinition') continue;
      for (const spec of kustomization.config.specs.images ?? [])
        changeField(resource, spec, (image) => (typeof image === 'string' ? change(image) : image));
      changeImages(fields, change);
      // kustomize looks at these places a second time, which shows only in suffixes.
      if (entry['tagSuffix']) for (const pod of podSpecs(fields)) changeContainers(pod, change);
    }
  }
}

function podSpecs(fields: Fields): Fields[] {
  const spec = own(fields, 'spec');
  const template = isFields(spec) ? own(spec, 'template') : undefined;
  return [spec, isFields(template) ? own(template, 'spec') : undefined].filter(isFields);
}

function changeContainers(spec: Fields, change: (image: string) => string): void {
  for (const list of ['containers', 'initContainers'].map((key) => own(spec, key))) {
    for (const container of Array.isArray(list) ? list : []) {
      const image: unknown = isFields(container) ? own(container, 'image') : undefined;
      if (isFields(container) && typeof image === 'string') put(container, 'image', change(image));
    }
  }
}

function changeImages(value: unknown, change: (image: string) => string): void {
  if (Array.isArray(value)) for (const item of value) changeImages(item, change);
  if (!isFields(value)) return;
  changeContainers(value, change);
  for (const inner of Object.values(value)) changeImages(inner, change);
}

function changedImage(image: string, entry: Fields): string {
  const [beforeDigest = '', oldDigest = ''] = image.split('@');
  const colon = beforeDigest.indexOf(':', beforeDigest.lastIndexOf('/') + 1);
  const oldName = colon < 0 ? beforeDigest : beforeDigest.slice(0, colon);
  const oldTag = colon < 0 ? '' : beforeDigest.slice(colon + 1);
  const [newTag, newDigest] = [String(entry['newTag'] ?? ''), textOf(entry['digest'])];
  const suffix = textOf(entry['tagSuffix']);
  const isGiven = newTag !== '' || newDigest !== '';
  const tag = isGiven ? newTag : oldTag + suffix;
  const digest = isGiven ? newDigest : suffix === '' ? oldDigest : '';
  return `${textOf(entry['newName']) || oldName}${tag && `:${tag}`}${digest && `@${digest}`}`;
}

const scaledKinds = ['Deployment', 'ReplicationController', 'ReplicaSet', 'StatefulSet'];

export function setReplicas(resources: readonly Resource[], kustomization: Kustomization): void {
  for (const entry of itemsOf(kustomization, 'replicas')) {
    onlyFields(entry, ['name', 'count'], `${kustomization.file}: replicas`);
    const { name, count = 0 } = entry;
    const named = resources.filter(({ allIds }) => allIds.some((id) => id.name === name));
    const found = named.filter(({ kind }) => scaledKinds.includes(kind));
    const further = kustomization.config.specs.replicas ?? [];
    for (const spec of further) for (const resource of named) changeField(resource, spec, () => count);
    if (found.length === 0 && !further.some((spec) => named.some((resource) => selects(spec, resource))))
      throw new RenderError(`${kustomization.file}: replicas: nothing named ${String(name)} to scale`);
    for (const resource of found) changeField(resource, { path: 'spec/replicas', create: true }, () => count);
  }
}
