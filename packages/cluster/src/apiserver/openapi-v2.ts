// The older form of what the server serves, which clients still ask for: kubectl where it does not find a kind in the newer
// one, client-go for its OpenAPI schema (as protobuf only). Made from the same schemas, kept until the kinds change.
import { isRecord } from '@fairlead/kube/object';
import { double, flag, message, text, whole } from '../protobuf/index.ts';
import type { Registry, ResourceType } from '../registry/index.ts';
import { documentOf } from './openapi.ts';

const protobufTypes = [
  'application/com.github.proto-openapi.spec.v2@v1.0+protobuf',
  'application/com.github.proto-openapi.spec.v2.v1.0+protobuf',
];

type Node = Readonly<Record<string, unknown>>;

export class OpenApiV2 {
  readonly #registry: Registry;
  #kept: { types: readonly ResourceType[]; document: Node; json?: Buffer; protobuf?: Buffer } | undefined;

  constructor(registry: Registry) {
    this.#registry = registry;
  }

  answer(accept: string | undefined): { body: Buffer; contentType: string } {
    const kept = this.#present();
    const wanted = protobufTypes.find((type) => accept?.includes(type));
    if (wanted) {
      kept.protobuf ??= encodeDocument(kept.document);
      return { body: kept.protobuf, contentType: protobufTypes[1] ?? wanted };
    }
    kept.json ??= Buffer.from(JSON.stringify(kept.document));
    return { body: kept.json, contentType: 'application/json' };
  }

  #present() {
    const types = this.#registry.all();
    const isSame =
      this.#kept?.types.length === types.length && this.#kept.types.every((type, at) => type === types[at]);
    if (!this.#kept || !isSame) this.#kept = { types, document: swagger(types) };
    return this.#kept;
  }
}

function swagger(types: readonly ResourceType[]): Node {
  const { paths, components } = documentOf(types) as { paths: Record<string, Node>; components: { schemas: Node } }; // as it builds them
  return {
    swagger: '2.0',
    info: { title: 'Kubernetes', version: 'unversioned' },
    paths: Object.fromEntries(Object.entries(paths).map(([path, item]) => [path, pathItem(item)])),
    definitions: Object.fromEntries(Object.entries(components.schemas).map(([name, schema]) => [name, older(schema)])),
  };
}

function pathItem(item: Node): Node {
  const operations = Object.entries(item).map(([method, given]) => {
    const { parameters, responses: _responses, ...rest } = given as Node; // an operation
    const query = Array.isArray(parameters)
      ? parameters.map((one) => ({ name: (one as Node)['name'], in: 'query', type: 'string', uniqueItems: true }))
      : [];
    return [
      method,
      { ...rest, ...(query.length > 0 ? { parameters: query } : {}), responses: { 200: { description: 'OK' } } },
    ];
  });
  return Object.fromEntries(operations) as Node; // of pairs
}

const onlyNewer = ['anyOf', 'oneOf', 'not', 'nullable'];

/** References lead elsewhere, and what the older form cannot say is left out: it then promises less, never more. */
function older(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(older);
  if (!isRecord(value)) return value;
  const entries = Object.entries(value).filter(([key]) => !onlyNewer.includes(key));
  const plain: Record<string, unknown> = {};
  for (const [key, inner] of entries) {
    // A member may be called like a keyword.
    if (key === 'properties')
      plain[key] = Object.fromEntries(schemasIn(inner).map(([name, one]) => [name, older(one)]));
    else if (key === '$ref') plain['$ref'] = String(inner).replace('#/components/schemas/', '#/definitions/');
    else if (key === 'allOf' && Array.isArray(inner) && inner.length === 1) Object.assign(plain, older(inner[0]));
    else if (key === 'enum' || key === 'default' || key.startsWith('x-')) plain[key] = inner;
    else plain[key] = older(inner);
  }
  return plain;
}

/** Names of properties may be those of keywords: their values are schemas all the same. */
const schemasIn = (value: unknown): [string, Node][] =>
  isRecord(value) ? Object.entries(value).filter((entry): entry is [string, Node] => isRecord(entry[1])) : [];

function encodeDocument(document: Node): Buffer {
  const info = document['info'] as Node; // ours
  return Buffer.concat([
    text(1, document['swagger']),
    message(2, text(1, info['title']), text(2, info['version'])),
    message(8, ...schemasIn(document['paths']).map(([name, item]) => message(2, text(1, name), encodePath(item)))),
    message(9, ...schemasIn(document['definitions']).map(([name, schema]) => named(1, name, schema))),
  ]);
}

const named = (number: number, name: string, schema: Node) =>
  message(number, text(1, name), message(2, encodeSchema(schema)));

const methods: Readonly<Record<string, number>> = { get: 2, put: 3, post: 4, delete: 5, patch: 8 };

function encodePath(item: Node): Buffer {
  const operations = schemasIn(item).map(([method, operation]) => {
    const parameters = Array.isArray(operation['parameters']) ? (operation['parameters'] as Node[]) : []; // ours
    const fields = parameters.map((one) => {
      const query = message(
        3,
        text(2, one['in']),
        text(4, one['name']),
        text(6, one['type']),
        flag(20, one['uniqueItems']),
      );
      return message(8, message(1, message(2, query)));
    });
    const ok = message(9, message(1, text(1, '200'), message(2, message(1, text(1, 'OK')))));
    return message(methods[method] ?? 2, ...fields, ok, ...extensions(13, operation));
  });
  return message(2, ...operations);
}

const any = (number: number, value: unknown) => message(number, text(2, `${JSON.stringify(value)}\n`));

const extensions = (number: number, node: Node): Buffer[] =>
  Object.entries(node)
    .filter(([key]) => key.startsWith('x-'))
    .map(([key, value]) => message(number, text(1, key), any(2, value)));

function encodeSchema(schema: Node): Buffer {
  const { items, properties, additionalProperties, allOf, required, type } = schema;
  const list = (value: unknown) => (Array.isArray(value) ? value : []);
  return Buffer.concat([
    text(1, schema['$ref']),
    text(2, schema['format']),
    text(4, schema['description']),
    ...(schema['default'] === undefined ? [] : [any(5, schema['default'])]),
    double(7, schema['maximum']),
    flag(8, schema['exclusiveMaximum']),
    double(9, schema['minimum']),
    flag(10, schema['exclusiveMinimum']),
    whole(11, schema['maxLength']),
    whole(12, schema['minLength']),
    text(13, schema['pattern']),
    whole(14, schema['maxItems']),
    whole(15, schema['minItems']),
    ...list(required).map((name) => text(19, name)),
    ...list(schema['enum']).map((value) => any(20, value)),
    ...(isRecord(additionalProperties) ? [message(21, message(1, encodeSchema(additionalProperties)))] : []),
    ...(additionalProperties === true ? [message(21, flag(2, true))] : []),
    ...(typeof type === 'string' ? [message(22, text(1, type))] : []),
    ...(isRecord(items) ? [message(23, message(1, encodeSchema(items)))] : []),
    ...list(allOf).map((inner) => message(24, encodeSchema(inner as Node))),
    ...(isRecord(properties)
      ? [message(25, ...schemasIn(properties).map(([name, inner]) => named(1, name, inner)))]
      : []),
    ...extensions(31, schema),
  ]);
}
