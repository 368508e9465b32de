// What is asked of the runtime itself: logs, events, actions, what it deploys from and to; and the set-up guide.
import { AxeBuilder } from '@axe-core/playwright';
import { expect, type Page } from '@playwright/test';
import type { Fairlead } from './harness.ts';
import { signIn, test } from './installation.ts';

test.describe.configure({ mode: 'serial' });

let fairlead: Fairlead;
let page: Page;
const broken: string[] = [];

test.beforeAll(async ({ browser, fairlead: shared }) => {
  fairlead = shared;
  page = await signIn(browser, fairlead);
  page.on('pageerror', (error) => broken.push(String(error)));
  page.on('console', (message) => {
    if (message.text().includes('Content Security Policy')) broken.push(message.text());
  });
});

test.afterAll(() => page?.context().close());

const go = (path: string) => page.goto(fairlead.endpoints.platform + path);
const deployment = '/applications/hosted/argocd/guestbook-dev?resource=apps/Deployment/guestbook-dev/guestbook-ui';

async function accessible(what: string): Promise<void> {
  const { violations } = await new AxeBuilder({ page }).setLegacyMode().analyze();
  expect(violations.map(({ id, nodes }) => `${what} ${id}: ${nodes[0]?.html}`)).toEqual([]);
}

test('a log is followed, searched, wrapped and saved', async () => {
  await go(`${deployment}&pane=logs`);
  const log = page.getByRole('region', { name: 'Log' });
  await expect(log.getByText(/is ready/)).toBeVisible();
  await accessible('log');
  await page.getByRole('searchbox', { name: 'Search the log' }).fill('is ready');
  await expect(page.getByText('1 match', { exact: true })).toBeVisible();
  await expect(log.getByText(/listening/)).toBeHidden();
  await page.getByRole('button', { name: 'Wrap' }).click();
  await expect(log.getByText(/is ready/)).toBeVisible();
  const download = page.waitForEvent('download');
  await page.getByRole('button', { name: 'Download' }).click();
  expect((await download).suggestedFilename()).toBe('guestbook-ui.log');
});

test('events of a resource are told, and a pod shows itself as it is now', async () => {
  await go(`${deployment}&pane=events`);
  const events = page.getByRole('list', { name: 'Events, the newest first' });
  await expect(events.or(page.getByText('No events', { exact: true }))).toBeVisible();
  await accessible('events');
  await page
    .getByRole('group', { name: 'Resource tree' })
    .getByRole('button', { name: /^Pod guestbook-ui/ })
    .click();
  const pod = page.getByRole('complementary', { name: /^Pod guestbook-ui/ });
  await pod.getByRole('tab', { name: 'Live' }).click();
  await expect(pod.getByText(/ownerReferences|uid/).first()).toBeVisible();
});

test('a resource is restarted, and a pod is deleted and comes again', async () => {
  await go(deployment);
  const tree = page.getByRole('group', { name: 'Resource tree' });
  const replicaSets = tree.getByRole('button', { name: /^ReplicaSet guestbook-ui/ });
  await expect(replicaSets.first()).toBeVisible();
  const before = await replicaSets.count(); // earlier releases of others are there too
  await page.getByRole('button', { name: 'Actions on this resource' }).click();
  await page.getByRole('menuitem', { name: /Restart/ }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Restart' }).click();
  await expect(page.getByRole('dialog')).toBeHidden();
  await expect(replicaSets).toHaveCount(before + 1);
  await go('/applications/hosted/argocd/guestbook-staging');
  const pod = tree.getByRole('button', { name: /^Pod guestbook-ui/ }).first();
  const name = (await pod.getAttribute('aria-label'))?.split(',')[0] ?? '';
  await pod.click();
  await page.getByRole('button', { name: 'Actions on this resource' }).click();
  await page.getByRole('menuitem', { name: 'Delete…' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Delete', exact: true }).click();
  await expect(tree.getByRole('button', { name: new RegExp(`^${name}`) })).toBeHidden();
  await expect(tree.getByRole('button', { name: /^Pod guestbook-ui/ })).toHaveCount(2);
});

test('a runtime shows its components, sources, clusters and lines', async () => {
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
    await go('/runtimes');
    await page.getByRole('link', { name: 'hosted', exact: true }).click();
    await expect(page.getByText('All is well.')).toBeVisible();
    for (const name of ['cluster', 'application-reporter', 'tunnel-client', 'resource-reporter', 'change-revision']) {
      await expect(page.getByRole('rowheader', { name, exact: true })).toBeVisible();
    }
    await expect(page.getByRole('rowheader', { name: /^guestbook-ui-/ }).first(), 'workloads').toBeVisible();
    await expect(page.getByRole('rowheader', { name: 'demo' })).toBeVisible();
    await expect(page.getByRole('rowheader', { name: 'in-cluster' })).toBeVisible();
    await expect(page.getByRole('cell', { name: 'reporting' })).toBeVisible();
    await accessible(`runtime ${colorScheme}`);
    await page.getByRole('link', { name: 'Runtimes', exact: true }).last().click();
    for (const [tab, seen] of [
      ['Git Sources', 'demo'],
      ['Clusters', 'in-cluster'],
      ['Topology', 'in-cluster'],
    ] as const) {
      await page.getByRole('navigation', { name: 'Delivery' }).getByRole('link', { name: tab }).click();
      await expect(page.getByText(seen, { exact: true }).first()).toBeVisible();
      await accessible(`${tab} ${colorScheme}`);
    }
  }
});

test('a component of a runtime shows its log as it is written', async () => {
  await go('/runtimes/hosted');
  await page.getByRole('button', { name: 'Logs of engine' }).click();
  const dialog = page.getByRole('dialog', { name: 'engine of hosted' });
  await expect(dialog.getByText('engine listens').first(), 'twice when the start lost a port').toBeVisible();
  await expect(dialog.getByRole('button', { name: 'Before restart' })).toBeHidden();
  await expect(dialog.getByText('{"level"'), 'lines are read, not quoted').toHaveCount(0);
  await accessible('log of a component');
  await dialog.getByLabel('Level').selectOption('Errors');
  await expect(dialog.getByText('engine listens')).toHaveCount(0);
  await dialog.getByRole('button', { name: 'Close' }).click();
  await expect(dialog).toBeHidden();
});

test('a newer version that the feed of the operator knows is told at home and at the runtime', async () => {
  const upgrade = { version: '0.2.0', summary: 'Faster.', url: 'https://example.com/0.2.0', security: true };
  await page.route('**/api/v1/versions', async (route) => {
    const answer = await (await route.fetch()).json();
    const runtimes = answer.runtimes.map((runtime: object) => ({ ...runtime, upgrade }));
    await route.fulfill({ json: { ...answer, platform: { ...answer.platform, upgrade }, runtimes } });
  });
  await go('/');
  await expect(page.getByText('The platform can be upgraded to 0.2.0, which mends a security fault.')).toBeVisible();
  await accessible('home with an upgrade');
  await go('/runtimes/hosted');
  await expect(page.getByText('hosted can be upgraded to 0.2.0')).toBeVisible();
  await expect(page.getByRole('link', { name: 'What is new' })).toHaveAttribute('href', 'https://example.com/0.2.0');
  await page.unroute('**/api/v1/versions');
});

test('nothing broke a page or the content policy on the way', () => {
  expect(broken).toEqual([]);
});
