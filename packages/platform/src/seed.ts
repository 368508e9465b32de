// Many applications at once, written by SQL alone: for benches, where reporting them would take longer than measuring.
// The rows are as ingest writes them; the payloads are smaller.
import { newId, randomToken, sha256Hex } from '@fairlead/base';
import pg from 'pg';

export interface SeedSize {
  readonly applications: number;
  readonly projects: number;
  readonly runtimes: number;
}

/** Into the account `local` of a migrated, bootstrapped database. */
export async function seedApplications(databaseUrl: string, size: SeedSize): Promise<void> {
  const client = new pg.Client({ connectionString: databaseUrl });
  await client.connect();
  try {
    await client.query(`insert into runtimes (id, account_id, name, kind, connected, created_at, last_heard_at)
      select 'seed_' || n, accounts.id, 'seed-' || n, 'hybrid', false, now(), now()
      from accounts, generate_series(1, ${size.runtimes}) n where accounts.name = 'local' on conflict do nothing`);
    await client.query(applicationsOf(size));
    await client.query('vacuum analyze applications');
  } finally {
    await client.end();
  }
}

const applicationsOf = ({ applications, projects, runtimes }: SeedSize) => `
  insert into applications (account_id, runtime_id, namespace, name, project, health, sync, cluster,
    destination_namespace, attention, changed_at, health_since, search, row, labels, product, repo)
  select accounts.id, 'seed_' || (n % ${runtimes} + 1), 'argocd', app, project, health, sync, cluster, namespace,
    case health when 'Degraded' then 0 when 'Missing' then 2 when 'Progressing' then 5
      else case sync when 'OutOfSync' then 4 else 7 end end,
    now() - n * interval '7 seconds', now() - n * interval '11 seconds',
    lower(concat_ws(e'\\n', app, 'argocd', namespace, cluster, project, repo, 'apps/' || app, revision, image)),
    replace(replace(jsonb_build_object('project', project, 'health', jsonb_build_object('status', health),
      'sync', jsonb_build_object('status', sync, 'revision', revision),
      'commit', jsonb_build_object('revision', revision, 'message', 'service ' || n || ': take the next version of the image',
        'author', 'Ada Lovelace <ada@example.com>', 'date', '2026-01-01T00:00:00Z', 'url', repo || '/commit/' || revision),
      'destination', jsonb_build_object('cluster', cluster, 'namespace', namespace),
      'repoUrl', repo, 'path', 'apps/' || app, 'images', jsonb_build_array(image), 'autoSync', true,
      'operation', jsonb_build_object('phase', 'Succeeded', 'message', 'successfully synced (all tasks run)',
        'startedAt', '2026-01-01T00:00:00Z', 'finishedAt', '2026-01-01T00:00:10Z'),
      'note', case health when 'Degraded' then 'Pod ' || app || ': CrashLoopBackOff' else '' end)::text,
      '": ', '":'), ', "', ',"')::json, -- as JSON.stringify writes it; no text here has such a sequence
    jsonb_build_object('team', 'team-' || n % 40), '', repo
  from accounts, lateral (
    select n, 'service-' || lpad(n::text, 6, '0') as app, 'project-' || n % ${projects} as project,
      (array['Degraded', 'Missing', 'Progressing'])[case when n % 50 = 0 then 1 when n % 97 = 0 then 2 when n % 31 = 0 then 3 end] as bad,
      case when n % 23 = 0 then 'OutOfSync' else 'Synced' end as sync, 'cluster-' || n % 25 as cluster,
      'team-' || n % 400 as namespace, 'https://git.example/platform/repo-' || n % 60 as repo,
      md5(n::text) || substr(md5(n::text), 1, 8) as revision,
      'registry.example/platform/service-' || n || ':v' || n % 90 as image
    from generate_series(1, ${applications}) n) seeded, lateral (select coalesce(bad, 'Healthy') as health) h
  where accounts.name = 'local'
  on conflict do nothing`;

/** Another account with an administrator; gives the administrator's API key. */
export async function addAccount(databaseUrl: string, name: string): Promise<string> {
  const key = `flk_${randomToken()}`;
  const client = new pg.Client({ connectionString: databaseUrl });
  await client.connect();
  try {
    const ids = [newId('acc'), newId('user'), newId('key')];
    await client.query('insert into accounts (id, name, created_at) values ($1, $2, now())', [ids[0], name]);
    await client.query(
      `insert into users (id, account_id, name, role, created_at) values ($2, $1, 'admin', 'admin', now())`,
      ids.slice(0, 2),
    );
    await client.query(
      `insert into api_keys (id, user_id, name, key_hash, prefix, created_at) values ($1, $2, 'first', $3, $4, now())`,
      [ids[2], ids[1], sha256Hex(key), key.slice(0, 10)],
    );
    return key;
  } finally {
    await client.end();
  }
}

export interface PastSize {
  readonly applications: number;
  readonly days: number;
  readonly versionsPerDay: number;
  /** In each version's tree; every second version has a new tree, one a day new resources. */
  readonly nodes: number;
}

/** Past states of the applications of runtime `seed-1`; gives how many bytes of disk they take. */
export async function seedPast(databaseUrl: string, size: PastSize): Promise<number> {
  const client = new pg.Client({ connectionString: databaseUrl });
  await client.connect();
  try {
    await client.query(`insert into runtimes (id, account_id, name, kind, connected, created_at, last_heard_at)
      select 'seed_1', accounts.id, 'seed-1', 'hybrid', false, now(), now() from accounts where accounts.name = 'local'
      on conflict do nothing`);
    for (let first = 1; first <= size.applications; first += applicationsAtOnce) {
      const last = Math.min(size.applications, first + applicationsAtOnce - 1);
      await client.query(pastOf(size, first, last));
    }
    await client.query('vacuum analyze application_versions, contents');
    const { rows } = await client.query<{ bytes: string }>(
      `select pg_total_relation_size('application_versions') + pg_total_relation_size('contents') as bytes`,
    );
    return Number(rows[0]?.bytes);
  } finally {
    await client.end();
  }
}

const applicationsAtOnce = 50;
const hashOf = (text: string) => `encode(sha256(convert_to(${text}, 'UTF8')), 'hex')`;

/** The same parts as ingest writes (see past/record-versions), with random names, which compress as badly as real ones. */
const pastOf = ({ days, versionsPerDay, nodes }: PastSize, first: number, last: number) => `
  with moments as (
    select app, v, 'service-' || lpad(app::text, 6, '0') as name,
      now() - v * interval '1 second' * ${Math.floor(86_400 / versionsPerDay)} as at
    from generate_series(${first}, ${last}) app, generate_series(1, ${days * versionsPerDay}) v
  ), heads as (
    select app, v, at, name, jsonb_build_object('name', name, 'namespace', 'argocd', 'uid', 'uid-' || app, 'labels', '{}'::jsonb,
      'annotations', '{}'::jsonb, 'spec', jsonb_build_object('project', 'default',
        'source', jsonb_build_object('repoURL', 'https://git.example/platform/repo', 'path', name, 'targetRevision', 'main'),
        'destination', jsonb_build_object('server', 'https://kubernetes.default.svc', 'namespace', name)),
      'sync', jsonb_build_object('status', 'Synced', 'revision', md5(app || '/' || v)),
      'health', jsonb_build_object('status', case v % 3 when 0 then 'Progressing' else 'Healthy' end),
      'history', '[]'::jsonb, 'conditions', '[]'::jsonb, 'images', jsonb_build_array('registry.example/' || name || ':v' || v))::text as head
    from moments
  ), trees as (
    select app, t, (select jsonb_agg(jsonb_build_object('uid', md5(app || '/' || t || '/' || n), 'group', 'apps',
        'version', 'v1', 'kind', 'ReplicaSet', 'namespace', 'argocd', 'name', 'service-' || md5(n || '/' || app || '/' || t),
        'parents', jsonb_build_array(md5(app || '/' || n)), 'health', jsonb_build_object('status', 'Healthy')))::text
      from generate_series(1, ${nodes}) n) as tree
    from (select distinct app, v / 2 as t from moments) changed
  ), resources as (
    select app, r, (select jsonb_agg(jsonb_build_object('group', '', 'version', 'v1', 'kind', 'ConfigMap',
        'namespace', 'argocd', 'name', 'config-' || n, 'sync', 'Synced',
        'desired', md5(app || '/' || r || n) || md5('a' || app || '/' || r || n),
        'live', md5(app || '/' || r || n) || md5('a' || app || '/' || r || n)))::text
      from generate_series(1, 10) n) as resources
    from (select distinct app, v / ${versionsPerDay} as r from moments) changed
  ), account as (select id from accounts where name = 'local'
  ), kept as (
    insert into contents (account_id, hash, body, created_at, named_at)
    select account.id, ${hashOf('body')}, body, now(), now()
    from account, (select head as body from heads union select tree from trees union select resources from resources) bodies
    on conflict do nothing
  )
  insert into application_versions (account_id, runtime_id, key, at, epoch, sequence, uid, health, sync, head, tree, resources)
  select account.id, 'seed_1', 'argocd/' || name, at, 1, ${days * versionsPerDay + 1} - v, 'uid-' || app, 'Healthy', 'Synced',
    ${hashOf('head')}, ${hashOf('tree')}, ${hashOf('resources')}
  from account, heads join trees using (app) join resources using (app)
  where trees.t = v / 2 and resources.r = v / ${versionsPerDay}
  on conflict do nothing`;
