// Every role of the runtime starts alone, before anything that it needs is there, and says so by its probes.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ConfigError, flagName, Lifecycle, type Role, readConfig, silentLogger } from '@fairlead/base';
import { afterAll, describe, expect, it } from 'vitest';
import { appProxyRole } from './app-proxy.ts';
import { applicationReporterRole } from './application-reporter.ts';
import { changeRevisionRole } from './change-revision.ts';
import { requestRouterRole } from './request-router.ts';
import { resourceReporterRole } from './resource-reporter.ts';
import { sourceServerRole } from './source-server.ts';
import { tunnelClientRole } from './tunnel-client.ts';

const dir = mkdtempSync(join(tmpdir(), 'fairlead-roles-'));
afterAll(() => rmSync(dir, { recursive: true, force: true }));

const cluster = ['--kubeconfig-file', join(dir, 'none')];
const engine = ['--engine-token-file', join(dir, 'none')];
const sources = ['--source-server-url', 'http://127.0.0.1:1'];
const roles: [Role, string[], number][] = [
  [sourceServerRole, [...cluster, '--source-server-dir', dir, '--source-server-port', '0'], 503],
  [appProxyRole, [...cluster, ...engine, ...sources, '--app-proxy-port', '0'], 503],
  [applicationReporterRole, [...cluster, ...engine, '--reporter-port', '0'], 503],
  [resourceReporterRole, [...cluster, '--resource-reporter-port', '0'], 503],
  [changeRevisionRole, [...cluster, ...sources, '--change-revision-port', '0'], 503],
  [tunnelClientRole, [...cluster, '--router-url', 'http://127.0.0.1:1', '--tunnel-client-port', '0'], 503],
  [requestRouterRole, ['--app-proxy-url', 'http://127.0.0.1:1', '--router-port', '0'], 200],
];

describe.each(roles.map((each) => [each[0].name, ...each] as const))('%s', (_, role, flags, ready) => {
  it('starts alone, lives, is ready only when it can work, shows its metrics, and stops', async () => {
    const lifecycle = new Lifecycle(silentLogger);
    const { url } = await role.start(readConfig(role.settings, { flags, env: {} }), { log: silentLogger, lifecycle });
    const statusOf = async (path: string) => (await fetch(`${url}${path}`)).status;
    expect([await statusOf('/healthz'), await statusOf('/readyz')]).toEqual([200, ready]);
    expect(await (await fetch(`${url}/metrics`)).text()).toContain('fairlead_');
    await lifecycle.stop();
    await expect(fetch(`${url}/healthz`)).rejects.toThrow();
  });

  it('refuses a setting that it does not know, and names those it does', () => {
    const [known = ''] = Object.keys(role.settings);
    const read = () => readConfig(role.settings, { flags: [...flags, '--misspelt', 'x'], env: {} });
    expect(read).toThrow(ConfigError);
    expect(read).toThrow(flagName(known));
  });
});
