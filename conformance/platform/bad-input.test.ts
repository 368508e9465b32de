// Every route of the platform with input that is wrong in every way its schema allows: each answer is a 4xx with code,
// field and reason, and nothing is written.
import { type Route, routes } from '@fairlead/contracts';
import { adminKey, dumpDatabase, registerTestRuntime, startTestPlatform } from '@fairlead/platform/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

type Platform = Awaited<ReturnType<typeof startTestPlatform>>;
let platform: Platform;
let runtimeToken: () => Promise<string>;

beforeAll(async () => {
  platform = await startTestPlatform();
  const runtime = await registerTestRuntime(platform, 'walked');
  runtimeToken = () => runtime.token();
  await platform.api.call('listRuntimes', {}); // notes the first use of the key
});
afterAll(() => platform?.stop());

interface Schema {
  readonly type?: string;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  readonly anyOf?: readonly Schema[];
}

/** Of no type that a schema of ours asks for. */
const wrongFor = ({ type, anyOf }: Schema): unknown =>
  type === 'string' || anyOf ? { not: 'this' } : type === 'object' ? 'text' : type === 'array' ? 7 : 'neither';

interface Bad {
  readonly what: string;
  readonly body: string;
  readonly type?: string;
  /** The schema's own complaint must name a field. */
  readonly isNamed?: boolean;
}

function badBodies(schema: Schema): Bad[] {
  const properties = Object.entries(schema.properties ?? {}).filter(([, { type, anyOf }]) => type || anyOf);
  const json = (value: unknown) => JSON.stringify(value);
  return [
    { what: 'no JSON', body: '{"a": ' },
    { what: 'another type', body: 'a=b', type: 'application/x-www-form-urlencoded' },
    { what: 'an array', body: '[]' },
    { what: 'null', body: 'null' },
    { what: 'nested without end', body: '['.repeat(5_000) + ']'.repeat(5_000) },
    ...(schema.required?.length ? [{ what: 'nothing that is required', body: '{}', isNamed: true }] : []),
    ...properties.map(([name, of]) => ({
      what: `${name} of a wrong type`,
      body: json({ [name]: wrongFor(of) }),
      isNamed: true,
    })),
  ];
}

/** Parameters of which not every word is one. */
const named: Readonly<Record<string, string>> = { runtime: 'walked', component: 'engine' };
const filled = (path: string) => path.replaceAll(/\{(\w+)\}/g, (_, name: string) => named[name] ?? 'x');

async function ask(route: Route, { query = '', bad }: { query?: string; bad?: Bad }) {
  const token = route.auth === 'runtime' ? await runtimeToken() : adminKey;
  const answer = await fetch(`${platform.url}${filled(route.path)}${query}`, {
    method: route.method,
    headers: {
      ...(route.auth === 'none' ? {} : { authorization: `Bearer ${token}` }),
      ...(bad ? { 'content-type': bad.type ?? 'application/json' } : {}),
    },
    ...(bad ? { body: bad.body } : {}),
  });
  return { status: answer.status, body: (await answer.json()) as Record<string, unknown> };
}

/** What was denied is noted; when a runtime or key was last heard is no content. */
async function everything(): Promise<string> {
  const dump = [...(await dumpDatabase(platform.databaseUrl))];
  const kept = dump.filter(([table]) => !table.startsWith('audit') && !['api_keys', 'runtimes'].includes(table));
  return kept.map(([table, rows]) => `${table}\n${rows.join('\n')}`).join('\n');
}

function expectRefusal(name: string, { status, body }: Awaited<ReturnType<typeof ask>>, isNamed = false): void {
  const told = `${name}: ${status} ${JSON.stringify(body).slice(0, 300)}`;
  expect(status, told).toBeGreaterThanOrEqual(400);
  expect(status, told).toBeLessThan(500);
  expect(body, told).toMatchObject({
    code: expect.any(String),
    message: expect.any(String),
    requestId: expect.any(String),
  });
  expect(body['code'], told).not.toBe('internal');
  if (!isNamed || body['code'] !== 'bad_request') return;
  const { problems } = body['details'] as { problems: { field: string; reason: string }[] };
  expect(problems[0]?.field, told).not.toBe('');
  expect(problems[0]?.reason, told).not.toBe('');
}

const all = Object.entries<Route>(routes);

describe('bad input', () => {
  it.each(all.filter(([, { body }]) => body))(
    'in the body of %s is refused and writes nothing',
    async (name, route) => {
      const before = await everything();
      for (const bad of badBodies(route.body as Schema)) {
        // a schema of JSON Schema's shape
        expectRefusal(`${name} with ${bad.what}`, await ask(route, { bad }), bad.isNamed);
      }
      expect(await everything()).toBe(before);
    },
  );

  const numbers = all.flatMap(([name, route]) =>
    Object.entries((route.query as Schema | undefined)?.properties ?? {})
      .filter(([, { type }]) => type === 'integer' || type === 'boolean')
      .map(([field]) => ({ name, route, field })),
  );
  it.each(numbers)('in the query of $name, field $field, is refused by that name', async ({ name, route, field }) => {
    const { status, body } = await ask(route, { query: `?${field}=neither` });
    // Which application, user or team is not there may be said first.
    expect([400, 404], `${name}: ${JSON.stringify(body)}`).toContain(status);
    if (status === 400) expect(body['message']).toContain(field);
  });

  it.each(all.filter(([, { path }]) => path.includes('{')))(
    'in the path of %s never breaks the platform',
    async (name, route) => {
      for (const text of ['%00', '%2e%2e%2f', 'x'.repeat(2_000), '%ff', '%F0%9F%92%A5', "'%20or%201=1"]) {
        const path = route.path.replaceAll(/\{(\w+)\}/g, text);
        const token = route.auth === 'runtime' ? await runtimeToken() : adminKey;
        const answer = await fetch(`${platform.url}${path}`, {
          method: route.method,
          headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
          ...(route.method === 'GET' ? {} : { body: '{}' }),
        });
        await answer.arrayBuffer();
        expect(answer.status, `${name} ${path}`).toBeLessThan(500);
      }
    },
  );
});
