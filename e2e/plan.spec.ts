// What a change in Git would do, seen before it is merged: a branch with something changed, removed and added.
import { AxeBuilder } from '@axe-core/playwright';
import { expect, type Page } from '@playwright/test';
import type { Fairlead } from './harness.ts';
import { signIn, test } from './installation.ts';

test.describe.configure({ mode: 'serial' });

let fairlead: Fairlead;
let page: Page;

test.beforeAll(async ({ browser, fairlead: shared }) => {
  fairlead = shared;
  page = await signIn(browser, fairlead);
  const clone = await fairlead.clone();
  await clone.git('checkout', '--quiet', '-b', 'new-look');
  clone.edit('dev/deployment.yaml', (text) => text.replace(/image: .*/, 'image: example.com/guestbook:v9'));
  clone.remove('staging/service.yaml');
  clone.write(
    'prod/extra.yaml',
    'apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: extra\ndata:\n  note: <img src=x onerror=alert(1)>\n',
  );
  await clone.git('add', '-A');
  await clone.git('commit', '--quiet', '-m', 'A new look');
  await clone.git('push', '--quiet', 'origin', 'new-look');
  await clone.git('checkout', '--quiet', '-b', 'words-only', 'main');
  clone.write('NOTES.md', 'Nobody deploys this.\n');
  await clone.git('add', '-A');
  await clone.git('commit', '--quiet', '-m', 'Some words');
  await clone.git('push', '--quiet', 'origin', 'words-only');
});

test.afterAll(async () => {
  await page?.context().close();
});

const plans = '**/api/v1/runtimes/hosted/plans';
const ask = async (change: string) => {
  await page.getByLabel('Change', { exact: true }).fill(change);
  await page.keyboard.press('Enter');
};
const changed = () => page.getByRole('list', { name: 'Applications that would change' });

test('tells which applications a branch changes, object by object, and what it means', async () => {
  await page.keyboard.press('g');
  await page.keyboard.press('p');
  await expect(page.getByRole('heading', { name: 'Plan' })).toBeVisible();
  await page.getByLabel('Repository').selectOption(`${fairlead.endpoints.git}/demo/guestbook.git`);
  await ask('new-look');
  await expect(page.getByText('3 applications would change')).toBeVisible();
  await expect(page).toHaveURL(/change=new-look/);
  await expect(page.getByText('1 removed, 1 changed (1 restarts pods), 1 added')).toBeVisible();
  await changed()
    .getByRole('button', { name: /Deployment guestbook-ui.*restarts its pods/ })
    .click();
  await expect(changed().getByText('example.com/guestbook:v9').first()).toBeVisible();
  await changed()
    .getByRole('button', { name: /ConfigMap extra/ })
    .click();
  await expect(changed().getByText('<img src=x onerror=alert(1)>').first()).toBeVisible();
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
    const { violations } = await new AxeBuilder({ page }).setLegacyMode().analyze();
    expect(violations.map(({ id, nodes }) => `${colorScheme} ${id}: ${nodes[0]?.html}`)).toEqual([]);
  }
  await page.setViewportSize({ width: 360, height: 740 });
  await expect.poll(() => page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(360);
  await page.setViewportSize({ width: 1440, height: 900 });
  await page.reload();
  await expect(page.getByText('3 applications would change')).toBeVisible();
});

test('says so when nothing would change, and when there is no such revision', async () => {
  await ask('words-only');
  await expect(page.getByRole('heading', { name: 'Nothing would change' })).toBeVisible();
  await ask('no-such-branch');
  await expect(page.getByText('The plan could not be loaded.')).toBeVisible();
  await expect(page.getByText(/has no revision "no-such-branch"/)).toBeVisible();
  await page.goBack();
  await expect(page.getByRole('heading', { name: 'Nothing would change' })).toBeVisible();
});

test('refused, broken and slow plans have words of their own', async () => {
  const answer = async (status: number, code: string) => {
    await page.unrouteAll({ behavior: 'ignoreErrors' });
    await page.route(plans, (route) =>
      route.fulfill({
        status,
        contentType: 'application/json',
        body: JSON.stringify({ code, message: `Because of ${code}.`, requestId: 'req_1' }),
      }),
    );
    await page.reload();
  };
  await answer(403, 'forbidden');
  await expect(page.getByText('You may not see the plan.')).toBeVisible();
  await answer(503, 'runtime_unreachable');
  await expect(page.getByText('Because of runtime_unreachable.')).toBeVisible();
  await page.unrouteAll({ behavior: 'ignoreErrors' });
  await page.route(plans, (route) => new Promise((resolve) => setTimeout(resolve, 4500)).then(() => route.continue()));
  await page.getByRole('button', { name: 'Try again' }).click();
  await expect(page.getByText(/The runtime renders both sides….* so far/)).toBeVisible();
  await expect(page.getByRole('heading', { name: 'Nothing would change' })).toBeVisible();
  await page.unrouteAll({ behavior: 'ignoreErrors' });
});
