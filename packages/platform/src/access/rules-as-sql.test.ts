import { silentLogger } from '@fairlead/base';
import {
  type AccessRuleInput,
  decide,
  isSeen,
  namedObject,
  type ObjectAttributes,
  type Policy,
  type Question,
  visibilityOf,
} from '@fairlead/contracts';
import fc from 'fast-check';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { isVisible, migrate, openStore, type Store } from '../store/index.ts';
import { startTestServer, type TestServer } from '../store/testing.ts';

const policy = (rules: AccessRuleInput[], fallback: Policy['default']): Policy => ({ default: fallback, rules });

describe('rules as SQL', () => {
  let server: TestServer;
  let store: Store;
  const words = ['a', 'ab', 'a_b', 'a%b', 'b\\a', 'B', '\u{1F600}b', 'a-b-a'];
  const places = [
    'r0 https://git.example/a',
    'r0 https://git.example/a https://git.example/b',
    'r1 https://git.example/a',
  ];
  const rows: ObjectAttributes[] = Array.from({ length: 120 }, (_, n) => {
    const word = (step: number) => words[Math.floor(n / step) % words.length] ?? '';
    const labels = n % 5 === 0 ? {} : { [n % 2 ? 'tier' : 'own?er']: word(3) };
    return {
      runtime: `r${n % 3}`,
      cluster: word(1),
      namespace: word(2),
      project: word(5),
      name: `${word(7)}${n}`,
      labels,
      manifests: ['', ...places][Math.floor(n / 2) % 4],
    };
  });

  beforeAll(async () => {
    server = await startTestServer();
    store = openStore({ url: await server.createDatabase(), log: silentLogger });
    await migrate(store.db, { log: silentLogger, signal: AbortSignal.timeout(60_000), clock: store.clock });
    const at = new Date(store.clock.now());
    await store.db.insertInto('accounts').values({ id: 'a', name: 'a', created_at: at }).execute();
    for (const name of ['r0', 'r1', 'r2']) {
      const runtime = { id: name, account_id: 'a', name, kind: 'hybrid', connected: false, created_at: at } as const;
      await store.db.insertInto('runtimes').values(runtime).execute();
    }
    for (const { runtime, cluster, namespace, project, name, labels, manifests } of rows) {
      const common = { health: 'Healthy', sync: 'Synced', attention: 7, search: '', product: '', repo: '', row: '{}' };
      const key = { account_id: 'a', runtime_id: runtime, namespace: 'argocd', name, changed_at: at, health_since: at };
      const asked = { cluster, destination_namespace: namespace, project, labels: JSON.stringify(labels), manifests };
      await store.db
        .insertInto('applications')
        .values({ ...common, ...key, ...asked })
        .execute();
    }
  });
  afterAll(async () => {
    await store?.close();
    await server?.stop();
  });

  const glob = fc.oneof(
    fc.constantFrom(...words),
    fc.string({ unit: fc.constantFrom('*', '?', 'a', 'b', '_', '%', '\\', '-'), minLength: 1, maxLength: 4 }),
  );
  const globs = fc.array(glob, { minLength: 1, maxLength: 3 });
  const rules = fc.array(
    fc.record({
      name: fc.constantFrom('one', 'two'),
      effect: fc.constantFrom('allow' as const, 'deny' as const),
      teams: fc.subarray(['x', 'y', '*'], { minLength: 1 }),
      entity: fc.constantFrom('application' as const, 'application' as const, 'runtime' as const),
      actions: fc.subarray(['VIEW' as const, 'SYNC' as const, 'REFRESH' as const], { minLength: 1 }),
      attributes: fc.record(
        {
          runtimes: fc.array(fc.constantFrom('r0', 'r?', '*1'), { minLength: 1, maxLength: 2 }),
          clusters: globs,
          namespaces: globs,
          projects: globs,
          names: globs,
          labels: fc.dictionary(fc.constantFrom('tier', 'own?er'), glob, { minKeys: 1 }),
        },
        { requiredKeys: [] },
      ),
    }),
    { maxLength: 6 },
  );
  const question = fc.record({
    entity: fc.constant('application' as const),
    action: fc.constantFrom('VIEW' as const, 'SYNC' as const, 'REFRESH' as const),
    subject: fc.record({
      isAdmin: fc.integer({ min: 0, max: 9 }).map((n) => n === 0),
      teams: fc.subarray(['x', 'y']),
    }),
  });

  it('select exactly the rows that the evaluator allows', async () => {
    const law = async (
      known: AccessRuleInput[],
      fallback: Policy['default'],
      asked: Question,
      git: string[] | null,
    ) => {
      const byRules = visibilityOf(policy(known, fallback), asked);
      const visibility = git === null ? byRules : { ...byRules, manifests: git };
      const selected = await store.db
        .selectFrom('applications')
        .innerJoin('runtimes', 'runtimes.id', 'applications.runtime_id')
        .select('applications.name')
        .where(isVisible(visibility))
        .execute();
      const isReadable = ({ manifests = '' }: ObjectAttributes) => git === null || git.includes(manifests);
      const allowed = rows.filter((row) => decide(policy(known, fallback), asked, row).allowed && isReadable(row));
      expect(selected.map(({ name }) => name).sort()).toEqual(allowed.map(({ name }) => name).sort());
      expect(rows.filter((row) => isSeen(visibility, row))).toEqual(allowed);
    };
    const fallback = fc.constantFrom('open' as const, 'closed' as const);
    const git = fc.option(fc.subarray(places));
    await fc.assert(fc.asyncProperty(rules, fallback, question, git, law), { numRuns: 1_000, seed: 20_261_115 });
  }, 60_000);

  it.each(['cluster', 'gitSource'] as const)('select exactly what the evaluator allows of each %s', async (entity) => {
    const named = rows.map(({ runtime, name }) => ({ entity, runtime, name }));
    const ofEntity = ({ attributes, ...known }: AccessRuleInput): AccessRuleInput => {
      const { runtimes, clusters, names } = attributes;
      const given = { runtimes, names, ...(entity === 'cluster' ? { clusters } : {}) };
      const kept = Object.entries(given).filter(([, patterns]) => patterns !== undefined);
      return { ...known, entity, attributes: Object.fromEntries(kept) };
    };
    const law = async (known: AccessRuleInput[], fallback: Policy['default'], asked: Question) => {
      const rulesOf = policy(known.map(ofEntity), fallback);
      const visibility = visibilityOf(rulesOf, { ...asked, entity });
      const { rows: selected } = await sql<{ name: string }>`
        select reported_objects.payload ->> 'name' as name
        from jsonb_to_recordset(${JSON.stringify(named.map(({ runtime, name }) => ({ runtime_id: runtime, payload: { name } })))}::jsonb)
          as reported_objects(runtime_id text, payload jsonb) join runtimes on runtimes.id = reported_objects.runtime_id
        where ${isVisible(visibility, entity)}`.execute(store.db);
      const allowed = named.filter((each) => decide(rulesOf, { ...asked, entity }, namedObject(each)).allowed);
      expect(selected.map(({ name }) => name).sort()).toEqual(allowed.map(({ name }) => name).sort());
    };
    const fallback = fc.constantFrom('open' as const, 'closed' as const);
    await fc.assert(fc.asyncProperty(rules, fallback, question, law), { numRuns: 200, seed: 20_261_116 });
  });
});
