// OpenAPI v3, as much as clients need to decide how to talk to us: which kinds exist under which path, that patch takes
// dryRun and fieldValidation. Schemas of the kinds are not told yet, so `kubectl explain` has nothing to say.
import { contentHash } from '@fairlead/base';
import type { Registry, ResourceType } from '../registry/index.ts';

const rootOf = ({ group, version }: { group: string; version: string }) =>
  group === '' ? `api/${version}` : `apis/${group}/${version}`;

export function openApiIndex(registry: Registry): object {
  const roots = new Map(registry.all().map((type) => [rootOf(type), type]));
  const paths = [...roots].map(([root, type]) => {
    const hash = contentHash(openApiDocument(registry, type)).slice(0, 32).toUpperCase();
    return [root, { serverRelativeURL: `/openapi/v3/${root}?hash=${hash}` }];
  });
  return { paths: Object.fromEntries(paths) };
}

/** undefined when there is no such group and version. */
export function openApiDocument(
  registry: Registry,
  { group, version }: { group: string; version: string },
): object | undefined {
  const types = registry.all().filter((type) => type.group === group && type.version === version);
  if (types.length === 0) return undefined;
  const paths = Object.fromEntries(types.flatMap(pathsOf));
  const schemas = Object.fromEntries(types.map((type) => [schemaName(type), schemaOf(type)]));
  return { openapi: '3.0.0', info: { title: 'Kubernetes', version: 'unversioned' }, paths, components: { schemas } };
}

const schemaName = ({ group, version, kind }: ResourceType) =>
  `${(group === '' ? 'core' : group).split('.').toReversed().join('.')}.${version}.${kind}`;

function schemaOf({ group, version, kind }: ResourceType): object {
  return {
    type: 'object',
    description: `${kind} of ${group === '' ? 'the core group' : group}.`,
    properties: { apiVersion: { type: 'string' }, kind: { type: 'string' }, metadata: { type: 'object' } },
    'x-kubernetes-preserve-unknown-fields': true,
    'x-kubernetes-group-version-kind': [{ group, version, kind }],
  };
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
