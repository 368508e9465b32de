// What people are told without asking: the bell counts it as it happens, the page tells it, reading takes it off.
import { join } from 'node:path';
import { AxeBuilder } from '@axe-core/playwright';
import type { HealthCode } from '@fairlead/contracts';
import {
  registerTestRuntime,
  reported,
  sampleReport,
  startTestPlatform,
  type TestPlatform,
  type TestRuntime,
} from '@fairlead/platform/testing';
import { expect, type Page, test } from '@playwright/test';
import { root } from './harness.ts';

test.describe.configure({ mode: 'serial' });

let platform: TestPlatform;
let runtime: TestRuntime;
let page: Page;
let sequence = 0;
const reason = '<img src=x onerror="window.fairleadHit=1">';

const report = (name: string, status: HealthCode) =>
  runtime.api.call('reportEvents', {
    body: {
      reporter: 'test',
      objects: [reported(sampleReport(name, { health: { status, message: reason } }), ++sequence)],
      contents: {},
    },
  });

test.beforeAll(async ({ browser }) => {
  platform = await startTestPlatform({ webDir: join(root, 'packages/web/dist') });
  runtime = await registerTestRuntime(platform, 'here');
  page = await (await browser.newContext()).newPage();
  page.setDefaultTimeout(15_000);
  const { url } = await platform.api.call('createSignInLink', {});
  await page.goto(platform.url + new URL(url).pathname + new URL(url).search);
  await expect(page.getByRole('link', { name: 'Notifications', exact: true })).toBeVisible();
});

test.afterAll(async () => {
  await page?.context().close();
  await platform?.stop();
});

test('says that there is nothing yet, then counts what happens, and forgets what was read', async () => {
  await page.getByRole('link', { name: 'Notifications', exact: true }).click();
  await expect(page.getByRole('heading', { name: 'Nothing to tell yet' })).toBeVisible();
  for (const health of ['Healthy', 'Degraded', 'Healthy'] as const) await report('cart', health);
  await expect(page.getByRole('link', { name: 'Notifications, 2 unread' })).toBeVisible();
  const list = page.getByRole('list', { name: 'Notifications, the newest first' });
  await expect(list.getByRole('listitem')).toHaveCount(2);
  await expect(list.getByText(reason).first()).toBeVisible();
  expect(await page.evaluate(() => 'fairleadHit' in window)).toBe(false);
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
    const { violations } = await new AxeBuilder({ page }).setLegacyMode().analyze();
    expect(violations.map(({ id, nodes }) => `${colorScheme} ${id}: ${nodes[0]?.html}`)).toEqual([]);
  }
  await page.setViewportSize({ width: 360, height: 740 });
  await expect.poll(() => page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(360);
  await page.setViewportSize({ width: 1440, height: 900 });
  await list.getByRole('link', { name: 'cart is degraded' }).click();
  await expect(page.getByRole('heading', { name: /cart/ }).first()).toBeVisible();
  await page.getByRole('link', { name: 'Notifications, 1 unread' }).click();
  await page.getByRole('checkbox', { name: 'Only unread' }).check({ force: true });
  await expect(page).toHaveURL(/only=unread/);
  await expect(list.getByRole('listitem')).toHaveCount(1);
  await page.getByRole('button', { name: 'Mark all as read' }).click();
  await expect(page.getByRole('heading', { name: 'Nothing unread' })).toBeVisible();
  await expect(page.getByRole('link', { name: 'Notifications', exact: true })).toBeVisible();
});
