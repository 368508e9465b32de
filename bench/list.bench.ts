// The list of applications as people use it: first page, filters, search, next pages, by ten clients at once, at
// 10,000 and at 50,000 applications. The account has 500 access rules for 100 teams; who asks is in five of them (25 rules
// are about them), in a second run in all (500 are), and in a third an administrator, whom no rule concerns.
import { type AccessRuleInput, createApiClient } from '@fairlead/contracts';
import { seedApplications } from '@fairlead/platform/testing';
import { cpuPer, cpuSeconds, type PlatformProcess, startPlatformProcess } from './platform-process.ts';
import { costOf } from './processes.ts';
import { type BenchContext, percentile, type Result, spreadOf } from './report.ts';

const clients = 10;
const requestsPerClient = 60;
const projects = 200;
const runtimes = 20;
const rules = 500;
const teams = 100;

export async function measure({ say }: BenchContext): Promise<Result[]> {
  const platform = await startPlatformProcess();
  try {
    await seedApplications(platform.databaseUrl, { applications: 10_000, projects, runtimes });
    const { member, ofAllTeams } = await addRules(platform);
    say(`10,000 applications and ${rules} access rules are there`);
    await rows(platform, member, 10);
    const before = cpuSeconds(platform);
    const small = await rows(platform, member, requestsPerClient);
    const after = cpuSeconds(platform);
    const worst = await rows(platform, ofAllTeams, requestsPerClient);
    const unruled = await rows(platform, platform.apiKey, requestsPerClient);
    const facets = await facetTimes(platform, member);
    const pssMiB = costOf(platform.pid).pssMiB;
    await seedApplications(platform.databaseUrl, { applications: 50_000, projects, runtimes });
    say('50,000 applications are there');
    await rows(platform, member, 10);
    const large = await rows(platform, member, requestsPerClient);
    const ratio = percentile(large.timesMs, 0.95) / percentile(small.timesMs, 0.95);
    return [
      timed('rows at 10,000, 10 clients, p95', small.timesMs, '<= 50'),
      ...Object.entries(small.byKind).map(([kind, times]) => timed(`rows at 10,000: ${kind}, p95`, times)),
      ...cpuPer(1_000, { before, after, count: small.timesMs.length, noun: 'pages' }),
      timed('rows at 10,000 for who all 500 rules are about, p95', worst.timesMs),
      timed('rows at 10,000 for an administrator, p95', unruled.timesMs),
      { metric: 'largest page', unit: 'kB', value: unruled.largestBytes / 1000, spread: [0, 0], goal: '<= 100' },
      timed('facets at 10,000, p95', facets, '<= 250'),
      timed('rows at 50,000, 10 clients, p95', large.timesMs),
      ...Object.entries(large.byKind).map(([kind, times]) => timed(`rows at 50,000: ${kind}, p95`, times)),
      { metric: 'p95 at 50,000 by p95 at 10,000', unit: '×', value: ratio, spread: [ratio, ratio], goal: '<= 1.5' },
      { metric: 'platform process', unit: 'MiB PSS', value: pssMiB, spread: [pssMiB, pssMiB], goal: '<= 300' },
    ];
  } finally {
    await platform.stop();
  }
}

async function addRules({ url, apiKey }: PlatformProcess): Promise<{ member: string; ofAllTeams: string }> {
  const api = createApiClient({ baseUrl: url, headers: () => ({ authorization: `Bearer ${apiKey}` }) });
  const names = Array.from({ length: teams }, (_, n) => `team-${n}`);
  for (const name of names) await api.call('createTeam', { body: { name } });
  for (let n = 0; n < rules; n++) await api.call('createAccessRule', { body: ruleOf(n) });
  const keyOf = async (name: string, its: string[]) => {
    await api.call('inviteUser', { body: { name, kind: 'service', teams: its } });
    return (await api.call('createApiKey', { body: { name: 'bench', user: name } })).key;
  };
  return { member: await keyOf('member', names.slice(0, 5)), ofAllTeams: await keyOf('everywhere', names) };
}

/** A project, a project in a cluster, namespaces by pattern, a label in a cluster; one in fifty denies. */
function ruleOf(n: number): AccessRuleInput {
  const project = `project-${(n * 7) % projects}`;
  const cluster = `cluster-${n % 25}`;
  const attributes = [
    { projects: [project] },
    { clusters: [cluster], projects: [project] },
    { namespaces: [`team-${n % 40}*`] },
    { clusters: [cluster], labels: { team: `team-${n % 40}` } },
  ][n % 4];
  const common = { name: `rule-${n}`, teams: [`team-${n % teams}`], entity: 'application' as const };
  const isDenying = n % 50 === 49;
  return { ...common, effect: isDenying ? 'deny' : 'allow', actions: ['VIEW'], attributes: attributes ?? {} };
}

const timed = (metric: string, times: readonly number[], goal?: string): Result => ({
  metric,
  unit: 'ms',
  value: percentile(times, 0.95),
  spread: spreadOf(times),
  ...(goal ? { goal } : {}),
});

/** What people do, in turn; `{n}` is another number each time. */
const questions: readonly (readonly [kind: string, query: string])[] = [
  ['first page', ''],
  ['by name', 'sort=name'],
  ['degraded', 'health=Degraded,Missing'],
  ['one project', 'project=project-{n}'],
  ['search', 'search=service-0{n}'],
  ['cluster and out of sync', 'cluster=cluster-7&sync=OutOfSync'],
];

interface Measured {
  readonly timesMs: number[];
  readonly byKind: Record<string, number[]>;
  readonly largestBytes: number;
}

async function rows({ url }: PlatformProcess, apiKey: string, requests: number): Promise<Measured> {
  const timesMs: number[] = [];
  const byKind: Record<string, number[]> = {};
  let largestBytes = 0;
  const client = async (number: number) => {
    for (let n = 0; n < requests; n++) {
      const [kind, query] = questions[(n + number) % questions.length] ?? ['', ''];
      const asked = query.replace('{n}', String((n * 7 + number * 13) % projects));
      const startedMs = performance.now();
      const answer = await fetch(`${url}/api/v1/applications?limit=100&${asked}`, {
        headers: { authorization: `Bearer ${apiKey}`, 'accept-encoding': 'identity' },
      });
      const body = await answer.arrayBuffer();
      const tookMs = performance.now() - startedMs;
      if (!answer.ok) throw new Error(`the platform answered ${answer.status}`);
      timesMs.push(tookMs);
      byKind[kind] = [...(byKind[kind] ?? []), tookMs];
      largestBytes = Math.max(largestBytes, body.byteLength);
    }
  };
  await Promise.all(Array.from({ length: clients }, (_, number) => client(number)));
  return { timesMs, byKind, largestBytes };
}

async function facetTimes({ url }: PlatformProcess, apiKey: string): Promise<number[]> {
  const api = createApiClient({ baseUrl: url, headers: () => ({ authorization: `Bearer ${apiKey}` }) });
  const times: number[] = [];
  const client = async () => {
    for (const query of [{}, { health: 'Degraded' }, { search: 'service-00' }, { project: 'project-3' }]) {
      const startedMs = performance.now();
      await api.call('listApplicationFacets', { query });
      times.push(performance.now() - startedMs);
    }
  };
  await Promise.all(Array.from({ length: clients }, client));
  return times;
}
