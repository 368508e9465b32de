// `spec.source.kustomize` as Argo CD has it, laid over the kustomization of the application as `kustomize edit` would.
import type { ApplicationSource } from '@fairlead/contracts';
import { RenderError, UnsupportedSourceError } from '../errors.ts';
import { type Fields, fieldsOf, listOf, textMap, textOf } from './fields.ts';
import type { Kustomization } from './kustomization.ts';

const refused = ['commonAnnotationsEnvsubst', 'ignoreMissingComponents'];

export function withSource(kustomization: Kustomization, source: ApplicationSource): Kustomization {
  const given = fieldsOf((source as Fields)['kustomize']); // the contract lets fields it does not name pass
  for (const field of refused) {
    if (given[field]) throw new UnsupportedSourceError(`source.kustomize.${field} is not supported yet`);
  }
  if (Object.keys(given).length === 0) return kustomization;
  const { fields } = kustomization;
  const changed: Fields = { ...fields };
  for (const field of ['namePrefix', 'nameSuffix', 'namespace'])
    if (textOf(given[field])) changed[field] = given[field];
  for (const field of ['patches', 'components']) {
    if (Array.isArray(given[field])) changed[field] = [...listOf(fields[field]), ...given[field]];
  }
  if (given['images'])
    changed['images'] = byName(
      fields['images'],
      listOf(given['images']).map((text) => imageOf(String(text))),
    );
  if (given['replicas']) {
    const replicas = listOf(given['replicas']).map(fieldsOf);
    changed['replicas'] = byName(
      fields['replicas'],
      replicas.map(({ name, count }) => ({ name, count: Number(count) })),
    );
  }
  if (given['commonLabels']) addLabels(changed, given);
  if (given['commonAnnotations'])
    addPairs(changed, { field: 'commonAnnotations', given, force: 'forceCommonAnnotations' });
  return { ...kustomization, fields: changed };
}

function byName(existing: unknown, given: readonly Fields[]): Fields[] {
  const merged = new Map(listOf(existing).map((item) => [textOf(fieldsOf(item)['name']), fieldsOf(item)]));
  for (const item of given) merged.set(textOf(item['name']), item);
  return [...merged.values()];
}

/** `name=new:tag`, `name:tag`, `name@digest`. */
function imageOf(text: string): Fields {
  const equals = text.indexOf('=');
  const image = text.slice(equals + 1);
  const [, name = '', newTag, digest] = /^(.*?)(?::([^:/@]+))?(?:@(.+))?$/s.exec(image) ?? [];
  const own = equals < 0 ? { name } : { name: text.slice(0, equals), newName: name };
  return { ...own, ...(newTag && { newTag }), ...(digest && { digest }) };
}

function addLabels(changed: Fields, given: Fields): void {
  if (given['labelWithoutSelector'] !== true) {
    addPairs(changed, { field: 'commonLabels', given, force: 'forceCommonLabels' });
    return;
  }
  const entry = { pairs: given['commonLabels'], includeTemplates: given['labelIncludeTemplates'] === true };
  changed['labels'] = [...listOf(changed['labels']), entry];
}

function addPairs(changed: Fields, { field, given, force }: { field: string; given: Fields; force: string }): void {
  const existing = fieldsOf(changed[field]);
  const added = textMap(given[field], `source.kustomize.${field}`);
  const twice = Object.keys(added).filter((key) => Object.hasOwn(existing, key));
  if (twice.length > 0 && given[force] !== true) {
    throw new RenderError(`source.kustomize.${field}: ${twice.join(', ')} is in the kustomization already`);
  }
  changed[field] = { ...existing, ...added };
}
