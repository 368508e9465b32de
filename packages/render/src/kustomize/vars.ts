// `vars`: values of fields, put where `$(NAME)` stands in fields that may hold such references. A var is bound to its
// object where it is declared, and read when everything else is done.
import { RenderError } from '../errors.ts';
import { changeField, type FieldSpec } from './field-spec.ts';
import { type Fields, fieldsOf, isFields, own, put, textOf } from './fields.ts';
import { itemsOf, type Kustomization, onlyFields } from './kustomization.ts';
import { inContainers, inPods } from './reference-fields.ts';
import { groupVersionOf, type Resource, showId } from './resource.ts';

export interface Var {
  readonly name: string;
  readonly where: string;
  readonly fieldPath: string;
  /** Undefined when no object matched. */
  readonly resource: Resource | undefined;
}

export function declareVars(vars: Var[], resources: readonly Resource[], kustomization: Kustomization): void {
  const where = `${kustomization.file}: vars`;
  for (const entry of itemsOf(kustomization, 'vars')) {
    onlyFields(entry, ['name', 'objref', 'fieldref'], where);
    const name = textOf(entry['name']);
    if (name === '') throw new RenderError(`${where}: an entry has no name`);
    const fieldPath = textOf(fieldsOf(entry['fieldref'])['fieldpath'] ?? fieldsOf(entry['fieldref'])['fieldPath']);
    addVar(vars, { name, where, fieldPath: fieldPath || 'metadata.name', resource: find(resources, entry, where) });
  }
}

export function addVar(vars: Var[], added: Var): void {
  const known = vars.find(({ name }) => name === added.name);
  if (known) throw new RenderError(`${added.where}: var ${added.name} already encountered`);
  vars.push(added);
}

function find(resources: readonly Resource[], { name: varName, objref }: Fields, where: string): Resource | undefined {
  const { apiVersion, group, version, kind, name, namespace } = fieldsOf(objref);
  const wanted =
    apiVersion === undefined ? { group: textOf(group), version: textOf(version) } : groupVersionOf(apiVersion);
  const found = resources.filter(({ allIds }) =>
    allIds.some(
      (id) =>
        id.group === wanted.group &&
        id.version === wanted.version &&
        id.kind === kind &&
        id.name === name &&
        (textOf(namespace) === '' || id.namespace === namespace),
    ),
  );
  if (found.length > 1)
    throw new RenderError(
      `${where}: found ${found.length} matches for var ${String(varName)}: ${found.map(({ id }) => showId(id)).join(', ')}`,
    );
  return found[0];
}

const places: readonly FieldSpec[] = [
  ...inContainers('args', 'command', 'env/value', 'volumeMounts/mountPath'),
  ...inPods('volumes/nfs/server').filter(
    ({ kind }) => !['CronJob', 'StatefulSet', 'ReplicationController'].includes(kind ?? ''),
  ),
  { path: 'spec/template/metadata/annotations', kind: 'Deployment' },
  { path: 'spec/volumeClaimTemplates/spec/nfs/server', kind: 'StatefulSet' },
  { path: 'spec/nfs/server', kind: 'PersistentVolume' },
  ...['spec/rules/host', 'spec/tls/hosts', 'spec/tls/secretName'].map((path) => ({ path, kind: 'Ingress' })),
  ...['spec/ports/port', 'spec/ports/targetPort'].map((path) => ({ path, kind: 'Service' })),
  { path: 'metadata/labels' },
  { path: 'metadata/annotations' },
].filter(({ kind }) => kind !== 'ReplicationController');

export function resolveVars(resources: readonly Resource[], vars: readonly Var[], more: readonly FieldSpec[]): void {
  if (vars.length === 0) return;
  const values = new Map(vars.map((one) => [one.name, fieldValue(one)]));
  for (const resource of resources) {
    for (const spec of [...places, ...more]) changeField(resource, spec, (value) => expanded(value, values));
  }
}

type Scalar = string | number | boolean;

function fieldValue({ name, where, fieldPath, resource }: Var): Scalar {
  if (!resource)
    throw new RenderError(`${where}: var ${name} cannot be mapped to a field in the set of known resources`);
  const segments = (fieldPath.match(/(?:\\.|\[[^\]]*\]|[^.\\[])+?(?=\.|\[|$)|\[[^\]]*\]/g) ?? []).map((part) =>
    part.replaceAll('\\.', '.').replace(/^\[(.*)\]$/, '$1'),
  );
  let at: unknown = resource.fields;
  for (const segment of segments) {
    if (Array.isArray(at)) at = at[Number(segment)];
    else at = isFields(at) ? own(at, segment) : undefined;
  }
  if (typeof at === 'string' || typeof at === 'number' || typeof at === 'boolean') return at;
  throw new RenderError(`${where}: var ${name}: no field ${fieldPath} in ${showId(resource.id)}`);
}

function expanded(value: unknown, values: ReadonlyMap<string, Scalar>): unknown {
  if (typeof value === 'string') return expandedText(value, values);
  if (isFields(value)) {
    for (const [key, inner] of Object.entries(value)) {
      if (typeof inner === 'string') put(value, key, expandedText(inner, values));
    }
  }
  return value;
}

/** `$$` is a dollar; a name that is not known stays as it is written. One reference and nothing else keeps its type. */
function expandedText(text: string, values: ReadonlyMap<string, Scalar>): Scalar {
  const [, only = ''] = /^\$\(([^()]*)\)$/.exec(text) ?? [];
  const whole = values.get(only);
  if (whole !== undefined) return whole;
  return text.replace(/\$(?:(\$)|\(([^)]*)\))/g, (written, dollar: string | undefined, name: string) =>
    dollar ? '$' : String(values.get(name) ?? written),
  );
}
