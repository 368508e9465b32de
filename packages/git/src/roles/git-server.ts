import { readFile } from 'node:fs/promises';
import { ConfigError, defineRole, listen } from '@fairlead/base';
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
    const server = new GitServer({
      dir: config.gitDir,
      apiKey,
      log,
      publicUrl: () => publicUrl,
      webhookUrls: config.gitWebhookUrls.split(',').filter((url) => url.trim() !== ''),
      webhookSecret: secretFile ? (await readFile(secretFile, 'utf8')).trim() : undefined,
    });
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
