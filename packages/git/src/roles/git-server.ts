import { readFile } from 'node:fs/promises';
import { ConfigError, createRegistry, defineRole, Gauge, listen, type Registry } from '@fairlead/base';
import { assertGitVersion } from '../mirror/index.ts';
import { GitServer } from '../server/index.ts';

export const gitServerRole = defineRole({
  name: 'git-server',
  settings: {
    gitPort: { type: 'integer', help: 'port to listen on; 0 picks a free one', default: 3080 },
    gitHost: { type: 'string', help: 'address to listen on', default: '127.0.0.1' },
    gitDir: { type: 'string', help: 'folder of the bare repositories' },
    apiKeyFile: { type: 'string', help: 'file with the key that clients give as password' },
    gitWebhookUrls: { type: 'string', help: 'addresses told of each push, separated by commas', default: '' },
    gitWebhookSecretFile: { type: 'string', help: 'file with the secret that signs webhooks', optional: true },
    gitPublicUrl: { type: 'string', help: 'how others reach this server; default: where it listens', optional: true },
  },
  async start(config, { log, lifecycle }) {
    const git = await assertGitVersion();
    const apiKey = (await readFile(config.apiKeyFile, 'utf8')).trim();
    if (apiKey === '') throw new ConfigError(`${config.apiKeyFile} is empty; it must hold the api-key`);
    const secretFile = config.gitWebhookSecretFile;
    let publicUrl = config.gitPublicUrl?.replace(/\/+$/, '') ?? '';
    const registry = createRegistry('git-server', { processMetrics: true });
    const server: GitServer = new GitServer({
      dir: config.gitDir,
      apiKey,
      log,
      publicUrl: () => publicUrl,
      metrics: () => registry.metrics(),
      webhookUrls: config.gitWebhookUrls.split(',').filter((url) => url.trim() !== ''),
      webhookSecret: secretFile ? (await readFile(secretFile, 'utf8')).trim() : undefined,
    });
    registerCounts(registry, server);
    await server.prepare();
    const socket = await listen(server.http, { host: config.gitHost, port: config.gitPort });
    lifecycle.onStop('git webhooks', () => server.stop());
    lifecycle.onStop('git server socket', () => socket.close());
    const url = `http://${config.gitHost}:${socket.port}`;
    if (publicUrl === '') publicUrl = url;
    log.info({ url, dir: config.gitDir, git }, 'git server listens');
    return { url };
  },
});

function registerCounts(registry: Registry, server: GitServer): void {
  const numbers: Readonly<Record<string, readonly [help: string, value: () => number]>> = {
    requests_total: ['requests', () => server.counts.requests],
    pushes_total: ['pushes that moved a ref', () => server.counts.pushes],
    refused_total: ['requests without the key', () => server.counts.refused],
    busy_total: ['requests turned away at the bound', () => server.counts.busy],
    webhooks_delivered_total: ['webhooks delivered', () => server.webhookCounts.delivered],
    webhooks_failed_total: ['webhooks given up', () => server.webhookCounts.failed],
    webhooks_dropped_total: ['webhooks dropped at the bound', () => server.webhookCounts.dropped],
  };
  for (const [name, [help, value]] of Object.entries(numbers)) {
    const collect = () => gauge.set(value());
    const gauge: Gauge = new Gauge({ name: `fairlead_git_server_${name}`, help, registers: [registry], collect });
  }
}
