// The composition root of the engine: cluster client, cache, sources, controller, API.
import { setMaxListeners } from 'node:events';
import { mkdir, readFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import { join } from 'node:path';
import { ConfigError, defineRole, type Lifecycle, type Logger, listen, systemClock } from '@fairlead/base';
import { type Application, defaultEngineNamespace } from '@fairlead/contracts';
import { assertGitVersion, GitMirrors } from '@fairlead/git';
import { checkConnectionPlace, connectionOf, connectionSettings, Informer, KubeClient } from '@fairlead/kube';
import {
  ChartRepositories,
  Programs,
  Renderer,
  RenderPool,
  type RepositoryAccessOptions,
  RepositoryCredentials,
  RepositoryTrust,
  SourceLoader,
} from '@fairlead/render';
import { getRequestListener } from '@hono/node-server';
import { AccessRules, Identities } from '../access/index.ts';
import { ActionBook } from '../actions/index.ts';
import { createApi } from '../api/index.ts';
import { ApplicationController, ApplicationStore } from '../application/index.ts';
import { ApplicationSetController } from '../applicationset/index.ts';
import { Clusters } from '../clusters/index.ts';
import { type EventReason, EventRecorder, eventReasons, eventsBetween, parseReasons } from '../events/index.ts';
import { HealthJudge } from '../health/index.ts';
import { engineIdentity, Leadership } from '../leadership/index.ts';
import { LuaRunner } from '../lua/index.ts';
import { pollTimes, Settings } from '../settings/index.ts';
import { engineRegistry } from './engine-metrics.ts';
import { numbersOf } from './engine-numbers.ts';
import { install } from './install.ts';

export const engineRole = defineRole({
  name: 'engine',
  settings: {
    enginePort: { type: 'integer', help: 'port of the Argo CD REST API; 0 picks a free one', default: 3070 },
    engineHost: { type: 'string', help: 'address to listen on', default: '127.0.0.1' },
    ...connectionSettings,
    apiKeyFile: { type: 'string', help: 'file with the key that clients give as bearer token' },
    engineNamespace: { type: 'string', help: 'namespace of the Applications', default: defaultEngineNamespace },
    engineDir: { type: 'string', help: 'folder for mirrors of repositories' },
    enginePollSeconds: { type: 'integer', help: 'how often repositories are asked for news', default: 120 },
    engineWaveDelayMs: { type: 'integer', help: 'pause between the waves of a sync', default: 2000 },
    engineLeaseSeconds: {
      type: 'integer',
      help: 'how long another engine waits for this one to come back',
      default: 30,
    },
    engineWebhookSecretFile: { type: 'string', help: 'file with the secret that signs webhooks', optional: true },
    engineAllowExec: {
      type: 'boolean',
      help: 'run programs that cluster Secrets name for credentials',
      default: false,
    },
    enginePrograms: {
      type: 'string',
      help: 'helm and kustomize on PATH, for applications that ask for them: off, offline (fetching nothing) or online',
      default: 'off',
    },
    engineKustomizeRemotes: {
      type: 'string',
      help: 'repositories (or what they are below) that kustomizations may build on, separated by commas; * for all',
      default: '',
    },
    engineEvents: {
      type: 'string',
      help: `which Kubernetes Events of Applications are written: all, none, or reasons separated by commas (${eventReasons.join(', ')})`,
      default: 'all',
    },
    engineAllowFileRepositories: { type: 'boolean', help: 'allow local paths as repositories', default: false },
  },
  async start(config, { log, lifecycle }) {
    checkConnectionPlace(config);
    const { signal } = lifecycle;
    setMaxListeners(0, signal); // one listener a watched kind is no leak
    await assertGitVersion();
    const apiKey = await readKey(config.apiKeyFile);
    const secretFile = config.engineWebhookSecretFile;
    const webhookSecret = secretFile ? await readKey(secretFile) : undefined;
    const connection = await connectionOf(config);
    const client = new KubeClient(connection);
    lifecycle.onStop('kubernetes client', () => client.close());
    const namespace = config.engineNamespace;
    await install(client, namespace, signal);
    const pollMs = config.enginePollSeconds * 1000;
    const options = { namespace, dir: config.engineDir, pollMs, waveDelayMs: config.engineWaveDelayMs };
    const allowFile = config.engineAllowFileRepositories;
    const allowExec = config.engineAllowExec;
    const remotes = config.engineKustomizeRemotes
      .split(',')
      .map((one) => one.trim())
      .filter((one) => one !== '');
    const programs = programsOf(config.enginePrograms);
    const reasons = reasonsOf(config.engineEvents);
    const leaseClient = new KubeClient(connection);
    lifecycle.onStop('lease client', () => leaseClient.close());
    await mkdir(options.dir, { recursive: true });
    const leadership = new Leadership({
      client: leaseClient,
      namespace,
      identity: await engineIdentity(options.dir),
      leaseMs: Math.max(shortestLeaseSeconds, config.engineLeaseSeconds) * 1000,
      clock: systemClock,
      log,
    });
    const parts = await startParts(
      client,
      { ...options, apiKey, allowFile, allowExec, programs, remotes, reasons, guard: leadership.guard },
      { log, lifecycle },
    );
    const act = async (term: { signal: AbortSignal }) => {
      setMaxListeners(0, term.signal);
      await Promise.all([parts.controller.act(term), parts.applicationSets.act(term)]);
    };
    const acting = leadership.run(act, signal);
    lifecycle.background('leadership', acting);
    // The lease is given back while its client still answers.
    lifecycle.onStop('leadership', () => acting.catch(() => undefined)); // told by the background task
    const registry = engineRegistry(numbersOf({ ...parts, leadership }));
    const metrics = () => registry.metrics();
    const api = createApi({
      ...parts,
      leadership,
      client,
      namespace,
      webhookSecret,
      metrics,
      clock: systemClock,
      log,
      signal,
    });
    // The adaptor would replace the global Request, which changes what other code in this process sees.
    const server = createServer(getRequestListener(api.fetch, { overrideGlobalObjects: false }));
    const socket = await listen(server, { host: config.engineHost, port: config.enginePort });
    lifecycle.onStop('engine socket', () => socket.close());
    const url = `http://${config.engineHost}:${socket.port}`;
    log.info({ url, namespace, ...parts.clusters.own.cache.counts }, 'engine listens');
    return { url };
  },
});

async function readKey(file: string): Promise<string> {
  const key = (await readFile(file, 'utf8')).trim();
  if (key === '') throw new ConfigError(`${file} is empty`);
  return key;
}

function programsOf(setting: string): Programs | undefined {
  if (setting === 'off') return undefined;
  if (setting === 'offline' || setting === 'online')
    return new Programs({ path: process.env['PATH'] ?? '', network: setting === 'online' });
  throw new ConfigError(`enginePrograms: ${JSON.stringify(setting)} is none of off, offline, online`);
}

function reasonsOf(text: string): ReadonlySet<EventReason> {
  const { reasons, unknown } = parseReasons(text);
  if (unknown.length === 0) return reasons;
  throw new ConfigError(`engineEvents: ${unknown.join(', ')}: must be all, none or some of ${eventReasons.join(', ')}`);
}

interface PartsOptions {
  readonly namespace: string;
  readonly apiKey: string;
  readonly dir: string;
  readonly pollMs: number;
  readonly waveDelayMs: number;
  readonly allowFile: boolean;
  readonly allowExec: boolean;
  readonly programs: Programs | undefined;
  readonly remotes: readonly string[];
  readonly reasons: ReadonlySet<EventReason>;
  readonly guard: () => void;
}

/** Shorter ones would be lost by an API server that is merely busy. */
const shortestLeaseSeconds = 3;

async function startParts(
  client: KubeClient,
  {
    namespace,
    apiKey,
    dir,
    pollMs,
    waveDelayMs,
    allowFile,
    allowExec,
    programs,
    remotes,
    reasons,
    guard,
  }: PartsOptions,
  { log, lifecycle }: { log: Logger; lifecycle: Lifecycle },
) {
  const { signal } = lifecycle;
  const mirrorsDir = join(dir, 'mirrors');
  await mkdir(mirrorsDir, { recursive: true });
  const repositories: RepositoryAccessOptions = { namespace, watch: (query) => new Informer({ client, query, log }) };
  const trust = new RepositoryTrust(repositories);
  lifecycle.background('host keys and certificates', trust.run({ signal }));
  const mirrors = new GitMirrors({ dir: mirrorsDir, log, allowFile, trust: () => trust.current });
  lifecycle.onStop('mirrors', () => mirrors.stop());
  const pool = new RenderPool();
  lifecycle.onStop('renderers', () => pool.stop());
  const renderer = new Renderer({ pool, dir: join(dir, 'renders') });
  const credentials = new RepositoryCredentials(repositories);
  lifecycle.background('repository credentials', credentials.run({ signal }));
  const { authoritiesFor } = trust;
  const chartsKnown = () => credentials.chartRepositories();
  const charts = new ChartRepositories({ dir: join(dir, 'charts'), known: chartsKnown, authoritiesFor });
  const openCharts = new ChartRepositories({ dir: join(dir, 'open-charts'), authoritiesFor });
  const credentialsFor = (url: string) => credentials.for(url);
  const sources = new SourceLoader({ mirrors, renderer, charts, openCharts, programs, remotes, credentialsFor });
  const settings = new Settings({ client, namespace, log });
  lifecycle.background('settings', (await settings.start({ signal })).running);
  const lua = new LuaRunner();
  lifecycle.onStop('lua', () => lua.close());
  const judge = new HealthJudge(lua);
  judge.follow(settings.current.healthScripts);
  const actions = new ActionBook(lua);
  actions.follow(settings.current.actionScripts);
  const clusters = new Clusters({
    client,
    namespace,
    clock: systemClock,
    log,
    settings: () => settings.current,
    allowExec,
  });
  const [watching] = await Promise.all([
    clusters.start({ signal }),
    credentials.synced({ signal }),
    trust.synced({ signal }),
  ]);
  lifecycle.background('clusters', watching.running);
  const guarded = client.guardedBy(guard);
  const events = new EventRecorder({ client, reasons, clock: systemClock, log, signal });
  const onWrite = (before: Application, after: Application) =>
    events.record('argocd-application-controller', before, eventsBetween(before, after));
  const store = new ApplicationStore({ client: guarded, namespace, log, onWrite });
  const clock = systemClock;
  const judging = {
    healthOf: judge.of,
    healthReady: judge.ready,
    ignoreRules: () => settings.current.ignoreRules,
    updateRules: () => settings.current.updateRules,
  };
  const deps = {
    ...judging,
    client: guarded,
    guard,
    store,
    clusters,
    sources,
    namespace,
    polls: () => pollTimes(settings.current.timeouts, pollMs),
    waveDelayMs,
    clock,
    random: Math.random,
    log,
  };
  const controller = new ApplicationController(deps);
  credentials.onChange(() => controller.retryFailedSources());
  settings.onChange((current) => {
    judge.follow(current.healthScripts);
    actions.follow(current.actionScripts);
    for (const { cache } of clusters.list()) cache.follow(current);
    controller.reconsider();
  });
  const { running } = await controller.start({ signal });
  lifecycle.background('applications', running);
  const openTree = sources.openTree.bind(sources);
  const applicationSets = new ApplicationSetController({ ...deps, openTree });
  lifecycle.background('application sets', (await applicationSets.start({ signal })).running);
  const known = { client, namespace, projectOf: (name: string) => controller.projectOf(name), log };
  const access = new AccessRules(known);
  const identities = new Identities({ ...known, apiKey, settings: () => settings.data, clock });
  const [rules, people] = await Promise.all([access.start({ signal }), identities.start({ signal })]);
  lifecycle.background('access rules', rules.running);
  lifecycle.background('identities', people.running);
  const api = { access, identities, healthOf: judge.of, healthReady: judge.ready, actions, lua, events };
  return { ...api, mirrors, renderer, sources, clusters, store, controller, applicationSets };
}
