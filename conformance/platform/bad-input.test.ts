// Every route of the platform with input that is wrong in every way its schema allows (types, missing and unknown members,
// NUL, length, depth, size, places of pages): each answer is a 4xx with code, field and reason, and nothing is written.
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
  readonly const?: unknown;
  readonly enum?: readonly unknown[];
  readonly pattern?: string;
  readonly minLength?: number;
  readonly minItems?: number;
  readonly minimum?: number;
  readonly items?: Schema;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  readonly anyOf?: readonly Schema[];
}

/** Of no type that a schema of ours asks for. */
const wrongFor = ({ type, anyOf }: Schema): unknown =>
  type === 'string' || anyOf ? { not: 'this' } : type === 'object' ? 'text' : type === 'array' ? 7 : 'neither';

/** Some word that the schema takes, so that what is wrong stands alone. */
const words = ['x', 'walked', '2026-01-01T00:00:00Z', 'https://x.example/a.git', 'A'.repeat(43), 'a'.repeat(40), '1'];

function sampleOf(schema: Schema): unknown {
  const { type, anyOf, pattern, minLength = 0, minItems = 0, properties = {}, required = [] } = schema;
  if (schema.const !== undefined) return schema.const;
  if (schema.enum) return schema.enum[0];
  if (anyOf?.[0]) return sampleOf(anyOf[0]);
  if (type === 'string') {
    const fits = (word: string) => word.length >= minLength && (!pattern || new RegExp(pattern, 'u').test(word));
    return words.find(fits) ?? 'x'.repeat(Math.max(minLength, 1));
  }
  if (type === 'integer' || type === 'number') return schema.minimum ?? 1;
  if (type === 'boolean') return true;
  if (type === 'array') return Array.from({ length: minItems }, () => sampleOf(schema.items ?? {}));
  if (type !== 'object') return null;
  return Object.fromEntries(required.map((name) => [name, sampleOf(properties[name] ?? {})]));
}

interface Bad {
  readonly what: string;
  readonly body: string;
  readonly type?: string;
  /** The schema's own complaint must name a field. */
  readonly isNamed?: boolean;
}

function badBodies({ auth, body }: Route): Bad[] {
  const schema = body as Schema; // a schema of JSON Schema's shape
  const properties = Object.entries(schema.properties ?? {}).filter(([, { type, anyOf }]) => type || anyOf);
  const json = (value: unknown) => JSON.stringify(value);
  const withMember = (name: string, value: unknown) => ({ ...(sampleOf(schema) as object), [name]: value });
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
    // Runtimes of another version may know more; what they report is looked at object by object (platform/src/ingest).
    ...(schema.properties && auth !== 'runtime'
      ? [{ what: 'a member nobody knows', body: json(withMember('misspelt', 1)), isNamed: true }]
      : []),
    ...properties
      .filter(([, { type }]) => type === 'string' && auth !== 'runtime')
      .map(([name]) => ({ what: `a NUL in ${name}`, body: json(withMember(name, 'a\0b')), isNamed: true })),
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
  const text = await answer.text();
  return { status: answer.status, body: (answer.ok ? {} : JSON.parse(text)) as Record<string, unknown> };
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
const fieldsOf = (schema: unknown) => Object.entries((schema as Schema | undefined)?.properties ?? {});

describe('bad input', () => {
  it.each(all.filter(([, { body }]) => body))(
    'in the body of %s is refused and writes nothing',
    async (name, route) => {
      const before = await everything();
      for (const bad of badBodies(route)) {
        expectRefusal(`${name} with ${bad.what}`, await ask(route, { bad }), bad.isNamed);
      }
      expect(await everything()).toBe(before);
    },
  );

  const people = all.filter(([, { auth }]) => auth !== 'runtime');

  it.each(people.filter(([, { body }]) => body))('that is larger than %s takes is not read', async (name, route) => {
    const bad = { what: 'too much', body: JSON.stringify({ a: 'x'.repeat(1024 * 1024) }) };
    const answer = await ask(route, { bad });
    expectRefusal(name, answer);
    expect([413, 404], name).toContain(answer.status); // the application in the path is looked for first
  });

  it.each(people.filter(([, { body }]) => body))(
    'of any length in the texts of %s never breaks it',
    async (name, route) => {
      const { properties = {} } = route.body as Schema;
      for (const [field] of Object.entries(properties).filter(([, { type }]) => type === 'string')) {
        const body = JSON.stringify({ ...(sampleOf(route.body as Schema) as object), [field]: 'x'.repeat(100_000) });
        const { status } = await ask(route, { bad: { what: field, body } });
        // Whether so long a text is right is the route's to say; a runtime that is away comes after that.
        expect([500, 502], `${name} ${field}`).not.toContain(status);
      }
    },
  );

  it.each(people.filter(([, { query }]) => query))('in the query of %s is refused by its name', async (name, route) => {
    const texts = fieldsOf(route.query).filter(([, { type }]) => type === 'string');
    const required = (sampleOf(route.query as Schema) ?? {}) as Record<string, string>;
    const query = (more: Record<string, string>) => `?${new URLSearchParams({ ...required, ...more })}`;
    const cases = [{ misspelt: 'x' }, ...texts.map(([field]) => ({ [field]: 'a\0b' }))];
    for (const given of cases) {
      const { status, body } = await ask(route, { query: query(given) });
      const told = `${name} ${JSON.stringify(given)}: ${status} ${JSON.stringify(body)}`;
      expect([400, 404], told).toContain(status); // what the path names may be missing first
      if (status === 400) expect(body['message'], told).toContain(Object.keys(given)[0]);
    }
    for (const [field] of texts) {
      const { status } = await ask(route, { query: query({ [field]: 'x'.repeat(5_000) }) });
      expect([500, 502], `${name} ${field}`).not.toContain(status);
    }
  });

  const paged = people.filter(([, { query }]) => fieldsOf(query).some(([field]) => field === 'after'));
  it.each(paged)('as the place of the next page of %s is refused', async (name, route) => {
    const forged = [[], [1, 2, 3], ['a', 'b'], [null], [1e300], [{}], ['name', 0, 'x', 'y', 'z', 'w']].map((parts) =>
      Buffer.from(JSON.stringify(parts)).toString('base64url'),
    );
    for (const after of ['x', '%25', '....', ...forged]) {
      const answer = await ask(route, { query: `?after=${after}` });
      expect([400, 404], `${name} ${after}: ${JSON.stringify(answer.body)}`).toContain(answer.status);
    }
  });

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
