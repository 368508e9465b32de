// Every role of the runtime starts alone, before anything that it needs is there, and says so by its probes.
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
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

/** The tunnel has one page for both its ends; the two reporters share the metrics of sending. */
const pageOf = (role: string) => {
  const pages =
    role === 'resource-reporter' ? [role, 'application-reporter'] : [role === 'tunnel-client' ? 'tunnel' : role];
  const read = (page: string) =>
    readFileSync(new URL(`../../../../docs/components/${page}.md`, import.meta.url), 'utf8');
  return pages.map(read).join('\n');
};

/** By its name, or by the end of it where the page has the beginning once (`fairlead_reporter_…`). */
function isTold(metric: string, page: string): boolean {
  const beginnings = [...page.matchAll(/`(fairlead_\w+_)…`/g)].map(([, beginning = '']) => beginning);
  const short = beginnings
    .filter((beginning) => metric.startsWith(beginning))
    .map(({ length }) => metric.slice(length));
  return [metric, ...short].some((name) => new RegExp(`\`${name}[\`{]`).test(page));
}

describe.each(roles.map((each) => [each[0].name, ...each] as const))('%s', (_, role, flags, ready) => {
  it('starts alone, lives, is ready only when it can work, shows the metrics that its page names, and stops', async () => {
    const lifecycle = new Lifecycle(silentLogger);
    const { url } = await role.start(readConfig(role.settings, { flags, env: {} }), { log: silentLogger, lifecycle });
    const statusOf = async (path: string) => (await fetch(`${url}${path}`)).status;
    expect([await statusOf('/healthz'), await statusOf('/readyz')]).toEqual([200, ready]);
    const metrics = (await (await fetch(`${url}/metrics`)).text()).matchAll(/^# TYPE (fairlead_\w+)/gm);
    const names = [...metrics].map(([, metric = '']) => metric);
    expect(names.length).toBeGreaterThan(0);
    expect(names.filter((metric) => !isTold(metric, pageOf(role.name)))).toEqual([]);
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
