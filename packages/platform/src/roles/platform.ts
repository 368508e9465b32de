// Composition root of the platform.
import { readFile } from 'node:fs/promises';
import { createRegistry, defineRole, errorMessage, everyInterval, type Logger, listen } from '@fairlead/base';
import { Access, GitSight } from '../access/index.ts';
import { createApi } from '../api/index.ts';
import { bootstrapAccount, loadSigningKey } from '../auth/index.ts';
import { IngestMetrics } from '../ingest/index.ts';
import { LiveHub } from '../live/index.ts';
import { watchForNews } from '../notifications/index.ts';
import { sweepPast } from '../past/index.ts';
import { AddressGuard, DirectLines, DirectRuntimes } from '../runtime-access/index.ts';
import {
  ChangeListener,
  forgetDeletedWorkloads,
  migrate,
  openStore,
  pruneChanges,
  type Store,
} from '../store/index.ts';
import { askGitRights, mountTunnels } from '../tunnel-server/index.ts';
import { version } from '../version.ts';
import { VersionFeedReader } from '../versions/index.ts';
import { WebhookDelivery } from '../webhooks/index.ts';

/** How long a client may be away and still resume the live feed. */
const changesKeptMs = 10 * 60_000;

/** Verdicts end by time alone: who only listens has to be looked at. */
const gitRightsEveryMs = 10_000;

type GitAsk = ConstructorParameters<typeof GitSight>[0]['ask'];

export const platformRole = defineRole({
  name: 'platform',
  settings: {
    platformPort: { type: 'integer', help: 'port of API and UI; 0 picks a free one', default: 3000 },
    platformHost: { type: 'string', help: 'address to listen on', default: '127.0.0.1' },
    platformUrl: { type: 'string', help: 'where people reach it; default http://localhost:PORT', optional: true },
    databaseUrl: { type: 'string', help: 'PostgreSQL, e.g. postgresql://user:password@host/database' },
    apiKeyFile: { type: 'string', help: 'file whose content becomes the API key of the first user', optional: true },
    platformKeyFile: {
      type: 'string',
      help: 'file of the signing key (JWK); default: in the database',
      optional: true,
    },
    webDir: { type: 'string', help: 'folder of the built web UI', optional: true },
    historyDays: { type: 'integer', help: 'days for which past states of applications are kept', default: 90 },
    deploymentDays: { type: 'integer', help: 'days for which deployments are kept', default: 400 },
    requestsPerMinute: {
      type: 'integer',
      help: 'requests of one user, all keys together; a burst is 15 s worth',
      default: 12_000,
    },
    reportsPerMinute: { type: 'integer', help: 'requests of one runtime', default: 12_000 },
    runtimeNetworks: {
      type: 'string',
      help: 'networks that are not public and where runtimes may be called by URL, e.g. 10.0.0.0/8,192.168.0.0/16',
      optional: true,
    },
    runtimeCaFile: {
      type: 'string',
      help: 'certificates (PEM) of authorities that URLs of runtimes are verified with, beside the well-known ones',
      optional: true,
    },
    versionFeed: {
      type: 'string',
      help: 'file or https URL that tells which versions there are; default: nobody is asked',
      optional: true,
    },
    databaseConnections: { type: 'integer', help: 'connections to PostgreSQL at most', default: 16 },
  },
  async start(config, { log, lifecycle }) {
    const { signal } = lifecycle;
    const registry = createRegistry('platform', { processMetrics: true });
    const store = openStore({ url: config.databaseUrl, log, maxConnections: config.databaseConnections });
    lifecycle.onStop('store', () => store.close());
    await migrate(store.db, { log, signal, clock: store.clock });
    await bootstrapAccount(store, { apiKeyFile: config.apiKeyFile });
    const signingKey = await loadSigningKey(store, config.platformKeyFile);

    let publicUrl = config.platformUrl?.replace(/\/+$/, '') ?? '';
    let ownPort = 0;
    const networks = (config.runtimeNetworks ?? '').split(',').flatMap((each) => each.trim() || []);
    const guard = new AddressGuard({ networks, own: () => ({ port: ownPort, publicUrl }) });
    const ca = config.runtimeCaFile === undefined ? undefined : await readFile(config.runtimeCaFile, 'utf8');
    const lines = new DirectLines({ guard, ca });
    lifecycle.onStop('direct lines', () => Promise.resolve(lines.close()));
    const direct = new DirectRuntimes({ store, lines, log });
    const sealed = signingKey.sealedTexts('webhook secrets');
    const webhooks = new WebhookDelivery({ store, lines, guard, sealed, log }, registry);
    const versionFeed = new VersionFeedReader({ place: config.versionFeed, clock: store.clock, log });
    const tunnels = mountTunnels({ store, direct, log, registry });
    const ask: GitAsk = (question, call) => askGitRights({ store, tunnels, signingKey }, question, call);
    const gitSight = new GitSight({ store, ask, registry, log, signal });
    const access = new Access(store, gitSight);
    const hub = new LiveHub({ store, access, log, registry });
    const lookAtGitRights = (userId?: string) =>
      hub.lookAtGitRights(userId).catch((error: unknown) => {
        log.warn({ error: errorMessage(error) }, 'what live feeds may show could not be looked at, will retry');
      });
    gitSight.onChange((userId) => void lookAtGitRights(userId));
    const server = createApi({
      store,
      access,
      gitSight,
      hub,
      tunnels,
      guard,
      signingKey,
      sealed,
      webhooks,
      registry,
      log,
      version,
      versionFeed,
      webDir: config.webDir,
      limits: config,
      draining: signal,
      ingestMetrics: new IngestMetrics(registry),
      publicUrl: () => publicUrl,
    });
    const { port, close } = await listen(server, { host: config.platformHost, port: config.platformPort });
    ownPort = port;
    publicUrl ||= `http://localhost:${port}`;
    lifecycle.onStop('http server', () => close(5_000));
    lifecycle.onStop('tunnels', () => tunnels.close());

    const onWake = () => {
      store.heardChange();
      hub.wake();
    };
    const listener = new ChangeListener({ url: config.databaseUrl, log, clock: store.clock, onWake });
    lifecycle.background('change listener', listener.run({ signal }));
    lifecycle.background('live feed', hub.run({ signal }));
    lifecycle.background(
      'git rights',
      everyInterval(gitRightsEveryMs, lookAtGitRights, { signal, clock: store.clock }),
    );
    lifecycle.background('database health', store.watchHealth({ signal }));
    lifecycle.background('tunnel status', tunnels.run({ signal, clock: store.clock }));
    lifecycle.background('change pruning', pruneRegularly(store, signal));
    lifecycle.background('version feed', versionFeed.run({ signal }));
    lifecycle.background('webhooks', webhooks.run({ signal }));
    lifecycle.background('notifications', watchForNews({ store, log, signal }));
    lifecycle.background('past sweeping', sweepRegularly(store, { ...config, log, signal }));
    log.info({ url: publicUrl, port }, 'platform is ready');
    return { url: publicUrl };
  },
});

function pruneRegularly(store: Store, signal: AbortSignal): Promise<void> {
  const prune = async () => {
    if (!store.isUp) return;
    const before = (ms: number) => new Date(store.clock.now() - ms);
    await pruneChanges(store.db, before(changesKeptMs)).catch(() => undefined); // next round
    await forgetDeletedWorkloads(store.db, before(dayMs)).catch(() => undefined); // next round
  };
  return everyInterval(60_000, prune, { signal, clock: store.clock });
}

const dayMs = 24 * 3_600_000;
const sweepEveryMs = 3_600_000;

interface SweepSettings {
  readonly historyDays: number;
  readonly deploymentDays: number;
  readonly log: Logger;
  readonly signal: AbortSignal;
}

function sweepRegularly(store: Store, { historyDays, deploymentDays, log, signal }: SweepSettings): Promise<void> {
  const sweep = async () => {
    if (!store.isUp) return;
    try {
      const swept = await sweepPast(store.db, {
        now: new Date(store.clock.now()),
        versionsKeptMs: historyDays * dayMs,
        deploymentsKeptMs: deploymentDays * dayMs,
      });
      log.info({ ...swept }, 'past swept');
    } catch (error) {
      log.warn({ error: errorMessage(error) }, 'the past could not be swept, will retry');
    }
  };
  return everyInterval(sweepEveryMs, sweep, { signal, clock: store.clock });
}
