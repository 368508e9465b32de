// OpenAPI v3, as much as clients need: which kinds exist under which path, that patch takes dryRun and fieldValidation, and
// the fields of every kind (without prose), which is what `kubectl explain` shows.
import { createHash } from 'node:crypto';
import type { Registry, ResourceType } from '../registry/index.ts';
import { builtInName, publicSchemas, type Schema } from '../schema/index.ts';

const rootOf = ({ group, version }: { group: string; version: string }) =>
  group === '' ? `api/${version}` : `apis/${group}/${version}`;

interface Document {
  /** What it was made of; the same rows give the same document. */
  readonly types: readonly ResourceType[];
  readonly json: Buffer;
  readonly hash: string;
}

/** One document a group and version, made when it is first asked for and again when its kinds have changed. */
export class OpenApiDocuments {
  readonly #registry: Registry;
  readonly #documents = new Map<string, Document>();

  constructor(registry: Registry) {
    this.#registry = registry;
  }

  index(): object {
    const roots = new Map<string, ResourceType[]>();
    for (const type of this.#registry.all()) roots.set(rootOf(type), [...(roots.get(rootOf(type)) ?? []), type]);
    // What is no longer served is no longer kept.
    for (const root of this.#documents.keys()) if (!roots.has(root)) this.#documents.delete(root);
    const paths = [...roots].map(([root, types]) => {
      const { hash } = this.#document(root, types);
      return [root, { serverRelativeURL: `/openapi/v3/${root}?hash=${hash}` }];
    });
    return { paths: Object.fromEntries(paths) };
  }

  /** undefined when there is no such group and version. */
  document({ group, version }: { group: string; version: string }): Buffer | undefined {
    const types = this.#registry.all().filter((type) => type.group === group && type.version === version);
    return types.length === 0 ? undefined : this.#document(rootOf({ group, version }), types).json;
  }

  #document(root: string, types: readonly ResourceType[]): Document {
    const known = this.#documents.get(root);
    if (known?.types.length === types.length && known.types.every((type, index) => type === types[index])) return known;
    const json = Buffer.from(JSON.stringify(documentOf(types)));
    const hash = createHash('sha256').update(json).digest('hex').slice(0, 32).toUpperCase();
    const document = { types, json, hash };
    this.#documents.set(root, document);
    return document;
  }
}

export function documentOf(types: readonly ResourceType[]): object {
  const paths = Object.fromEntries(types.flatMap(pathsOf));
  const schemas = publicSchemas(Object.fromEntries(types.map((type) => [schemaName(type), schemaOf(type)])));
  return { openapi: '3.0.0', info: { title: 'Kubernetes', version: 'unversioned' }, paths, components: { schemas } };
}

function schemaName(type: ResourceType): string {
  const { group, version, kind, schema } = type;
  const known = type.isBuiltIn && schema ? builtInName(schema) : undefined;
  return known ?? `${(group === '' ? 'core' : group).split('.').toReversed().join('.')}.${version}.${kind}`;
}

function schemaOf({ group, version, kind, schema }: ResourceType): Schema {
  const own: Schema = schema ?? { type: 'object', 'x-kubernetes-preserve-unknown-fields': true };
  return { ...own, 'x-kubernetes-group-version-kind': [{ group, version, kind }] };
}

const parameter = (name: string) => ({ name, in: 'query', schema: { type: 'string', uniqueItems: true } });
const writeParameters = ['dryRun', 'fieldManager', 'fieldValidation', 'force'].map(parameter);

function pathsOf(type: ResourceType): [string, object][] {
  const { group, version, kind, plural, namespaced } = type;
  const base = `/${rootOf(type)}${namespaced ? '/namespaces/{namespace}' : ''}/${plural}`;
  const ref = { $ref: `#/components/schemas/${schemaName(type)}` };
  const operation = (action: string, extra: object = {}) => ({
    'x-kubernetes-action': action,
    'x-kubernetes-group-version-kind': { group, version, kind },
    responses: { 200: { description: 'OK', content: { 'application/json': { schema: ref } } } },
    ...extra,
  });
  const write = { parameters: writeParameters };
  return [
    [base, { get: operation('list'), post: operation('post', write) }],
    [
      `${base}/{name}`,
      {
        get: operation('get'),
        put: operation('put', write),
        delete: operation('delete', write),
        patch: operation('patch', write),
      },
    ],
  ];
}
