// How roles reach the engine, by the settings they share: an address that is given or found, a token or a password.
import { readFile } from 'node:fs/promises';
import { anySignal, type Clock, type Config, ConfigError, type Logger } from '@fairlead/base';
import type { ConnectionPlace } from '@fairlead/kube';
import { type ConnectionOptions, findEngine } from '../argo-cd/index.ts';
import { connectCluster } from './cluster-access.ts';
import type { engineSettings } from './settings.ts';

type Given = Config<typeof engineSettings> & ConnectionPlace & { readonly engineNamespace: string };

interface Parts {
  readonly log: Logger;
  readonly clock: Clock;
  readonly signal: AbortSignal;
}

export function engineConnection(config: Given, { log, clock, signal: stopping }: Parts): ConnectionOptions {
  const { engineUrl, engineTokenFile, enginePasswordFile, engineUser: username, engineCaFile } = config;
  if ((engineTokenFile === undefined) === (enginePasswordFile === undefined)) {
    throw new ConfigError('set either --engine-token-file or --engine-password-file: the engine takes one of them');
  }
  const credentials =
    engineTokenFile !== undefined
      ? { tokenFile: engineTokenFile }
      : { username, passwordFile: enginePasswordFile ?? '' };
  const place: ConnectionOptions['place'] = async (call) => {
    const signal = anySignal([call.signal, stopping]);
    const given = engineCaFile === undefined ? {} : { ca: await readFile(engineCaFile, 'utf8') };
    if (engineUrl !== undefined) return { url: engineUrl, ...given };
    const client = await connectCluster({ ...config, log, clock, signal });
    try {
      const namespace = config.engineNamespace === '*' ? undefined : config.engineNamespace;
      const found = await findEngine(client, { namespace, signal });
      log.info({ url: found.url }, 'Argo CD found by its labels');
      return { ...found, ...given };
    } finally {
      await client.close();
    }
  };
  return { place, credentials, clock };
}
