// Many applications at once, written by SQL alone: for benches, where reporting them would take longer than measuring.
// The rows are as ingest writes them; the payloads are smaller.
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
    jsonb_build_object('project', project, 'health', jsonb_build_object('status', health),
      'sync', jsonb_build_object('status', sync, 'revision', revision),
      'commit', jsonb_build_object('revision', revision, 'message', 'service ' || n || ': take the next version of the image',
        'author', 'Ada Lovelace <ada@example.com>', 'date', '2026-01-01T00:00:00Z', 'url', repo || '/commit/' || revision),
      'destination', jsonb_build_object('cluster', cluster, 'namespace', namespace),
      'repoUrl', repo, 'path', 'apps/' || app, 'images', jsonb_build_array(image), 'autoSync', true,
      'operation', jsonb_build_object('phase', 'Succeeded', 'message', 'successfully synced (all tasks run)',
        'startedAt', '2026-01-01T00:00:00Z', 'finishedAt', '2026-01-01T00:00:10Z'),
      'note', case health when 'Degraded' then 'Pod ' || app || ': CrashLoopBackOff' else '' end),
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
