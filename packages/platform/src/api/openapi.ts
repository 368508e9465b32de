// OpenAPI 3.1 from the table of routes: 3.1 takes JSON Schema as it is, and that is what the contract is made of.
import { ApiErrorBody, type Route } from '@fairlead/contracts';

interface ObjectSchema {
  readonly properties: Readonly<Record<string, unknown>>;
  readonly required?: readonly string[];
}

const security = { user: [{ apiKey: [] }, { session: [] }], runtime: [{ runtimeToken: [] }], none: [] } as const;

export function openApiDocument(routes: Readonly<Record<string, Route>>, { version }: { version: string }): object {
  const paths: Record<string, Record<string, object>> = {};
  for (const [name, route] of Object.entries(routes)) {
    paths[route.path] = { ...paths[route.path], [route.method.toLowerCase()]: operation(name, route) };
  }
  return {
    openapi: '3.1.0',
    info: { title: 'Fairlead platform API', version },
    paths,
    components: {
      schemas: { Error: ApiErrorBody },
      securitySchemes: {
        apiKey: { type: 'http', scheme: 'bearer' },
        session: { type: 'apiKey', in: 'cookie', name: 'fairlead_session' },
        runtimeToken: { type: 'http', scheme: 'bearer', bearerFormat: 'JWT' },
      },
    },
  };
}

function operation(name: string, route: Route): object {
  const { summary, auth, status = 200, params, query, body, response } = route;
  const types = route.produces ?? ['application/json'];
  const content = Object.fromEntries(types.map((type) => [type, { schema: response }]));
  const answer = status === 204 ? {} : { content };
  return {
    operationId: name,
    summary,
    security: security[auth],
    parameters: [...parameters(params, 'path'), ...parameters(query, 'query')],
    ...(body ? { requestBody: { required: true, content: { 'application/json': { schema: body } } } } : {}),
    responses: {
      [status]: { description: 'Done', ...answer },
      default: {
        description: 'An error: a stable code, a message for people, the id of the request',
        content: { 'application/json': { schema: { $ref: '#/components/schemas/Error' } } },
      },
    },
  };
}

function parameters(schema: ObjectSchema | undefined, where: 'path' | 'query'): object[] {
  const required = new Set(schema?.required ?? []);
  return Object.entries(schema?.properties ?? {}).map(([name, member]) => ({
    name,
    in: where,
    required: where === 'path' || required.has(name),
    schema: member,
  }));
}
