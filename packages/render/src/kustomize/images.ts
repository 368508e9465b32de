// `images` and `replicas`: single values set by the name of what they belong to.
import { RenderError } from '../errors.ts';
import { changeField } from './field-spec.ts';
import { type Fields, isFields, own, put, textOf } from './fields.ts';
import { itemsOf, type Kustomization, onlyFields } from './kustomization.ts';
import type { Resource } from './resource.ts';
import { compile } from './selector.ts';

export function setImages(resources: readonly Resource[], kustomization: Kustomization): void {
  for (const entry of itemsOf(kustomization, 'images')) {
    const where = `${kustomization.file}: images`;
    onlyFields(entry, ['name', 'newName', 'newTag', 'digest'], where);
    const pattern = `^${textOf(entry['name'])}(:[a-zA-Z0-9_.{}-]*)?(@sha256:[a-zA-Z0-9_.{}-]*)?$`;
    const matches = compile(pattern, where);
    const change = (image: string) => (matches.matcher(image).find() ? changedImage(image, entry) : image);
    for (const { kind, fields } of resources) if (kind !== 'CustomResourceDefinition') changeImages(fields, change);
  }
}

function changeImages(value: unknown, change: (image: string) => string): void {
  if (Array.isArray(value)) for (const item of value) changeImages(item, change);
  if (!isFields(value)) return;
  for (const [key, inner] of Object.entries(value)) {
    if ((key === 'containers' || key === 'initContainers') && Array.isArray(inner)) {
      for (const container of inner) {
        const image = isFields(container) ? own(container, 'image') : undefined;
        if (isFields(container) && typeof image === 'string') put(container, 'image', change(image));
      }
    }
    changeImages(inner, change);
  }
}

function changedImage(image: string, entry: Fields): string {
  const [beforeDigest = '', oldDigest = ''] = image.split('@');
  const colon = beforeDigest.indexOf(':', beforeDigest.lastIndexOf('/') + 1);
  const oldName = colon < 0 ? beforeDigest : beforeDigest.slice(0, colon);
  const oldTag = colon < 0 ? '' : beforeDigest.slice(colon + 1);
  const [newTag, newDigest] = [String(entry['newTag'] ?? ''), textOf(entry['digest'])];
  const isGiven = newTag !== '' || newDigest !== '';
  const tag = isGiven ? newTag : oldTag;
  const digest = isGiven ? newDigest : oldDigest;
  return `${textOf(entry['newName']) || oldName}${tag && `:${tag}`}${digest && `@${digest}`}`;
}

const scaledKinds = ['Deployment', 'ReplicationController', 'ReplicaSet', 'StatefulSet'];

export function setReplicas(resources: readonly Resource[], kustomization: Kustomization): void {
  for (const entry of itemsOf(kustomization, 'replicas')) {
    onlyFields(entry, ['name', 'count'], `${kustomization.file}: replicas`);
    const { name, count = 0 } = entry;
    const found = resources.filter(
      ({ kind, allIds }) => scaledKinds.includes(kind) && allIds.some((id) => id.name === name),
    );
    if (found.length === 0)
      throw new RenderError(`${kustomization.file}: replicas: nothing named ${String(name)} to scale`);
    for (const resource of found) changeField(resource, { path: 'spec/replicas', create: true }, () => count);
  }
}
