// Each page does what people open it for, against a real Fairlead with the sample.
import { AxeBuilder } from '@axe-core/playwright';
import { expect, type Page, test } from '@playwright/test';
import { eventually, Fairlead, temporaryHome } from './harness.ts';

test.describe.configure({ mode: 'serial' });

let fairlead: Fairlead;
let page: Page;
const violations: string[] = [];

test.beforeAll(async ({ browser }) => {
  fairlead = await Fairlead.start(temporaryHome());
  page = await (await browser.newContext()).newPage();
  page.on('pageerror', (error) => violations.push(String(error)));
  page.on('console', (message) => {
    if (message.text().includes('Content Security Policy')) violations.push(message.text());
  });
  await page.goto(fairlead.signInUrl);
});

test.afterAll(async () => {
  await page?.context().close();
  await fairlead?.stop();
});

const go = (path: string) => page.goto(fairlead.endpoints.platform + path);

test('home answers whether anything needs people, and counts the deployments', async () => {
  await expect(page.getByText('Nothing needs you.')).toBeVisible();
  await expect(page.getByRole('link', { name: 'guestbook-prod', exact: true })).toBeVisible();
  await expect(page.getByRole('list', { name: 'Deployments of the last 14 days' })).toBeVisible();
  await page.getByLabel('Period').selectOption('7');
  await expect(page).toHaveURL(/days=7/);
  await expect(page.getByRole('list', { name: 'Deployments of the last 7 days' })).toBeVisible();
});

test('the list narrows by facets that the server counts, keeps favourites and views, and acts on many', async () => {
  await go('/applications');
  const namespace = page.getByRole('button', { name: /^Namespace/ });
  await namespace.click();
  await page.getByRole('option', { name: /guestbook-dev/ }).click();
  await page.keyboard.press('Escape');
  await page.keyboard.press('Escape');
  await expect(namespace).toBeFocused();
  await expect(page).toHaveURL(/destinationNamespace=guestbook-dev/);
  await expect(page.getByText('1 application', { exact: true })).toBeVisible();
  await page.getByRole('button', { name: 'Saved views' }).click();
  await page.getByRole('menuitem', { name: 'Save this view…' }).click();
  await page.getByRole('textbox', { name: 'Name' }).fill('Mine');
  await page.getByRole('button', { name: 'Save', exact: true }).click();
  await page.getByRole('button', { name: 'Favourite guestbook-dev' }).click();
  await page.getByRole('button', { name: 'Clear', exact: true }).click();
  await expect(page.getByText('3 applications', { exact: true })).toBeVisible();
  await page.getByRole('button', { name: 'Favourites', exact: true }).click();
  await expect(page.getByText('1 application', { exact: true })).toBeVisible();
  await page.getByRole('button', { name: 'Saved views' }).click();
  await page.getByRole('menuitem', { name: 'Mine' }).click();
  await expect(page).toHaveURL(/destinationNamespace=guestbook-dev/);
  await go('/applications');
  for (const name of ['guestbook-dev', 'guestbook-staging'])
    await page.getByRole('checkbox', { name: `Choose ${name}` }).check();
  const bar = page.getByRole('region', { name: 'Chosen applications' });
  await expect(bar.getByText('2 applications chosen')).toBeVisible();
  await bar.getByRole('button', { name: 'Refresh' }).click();
  await expect(bar.getByText('2 refreshed')).toBeVisible();
  await bar.getByRole('button', { name: 'Synchronize…' }).click();
  const dialog = page.getByRole('dialog', { name: 'Synchronize 2 applications' });
  await dialog.getByRole('button', { name: 'Synchronize', exact: true }).click();
  await expect(dialog.getByText('2 started')).toBeVisible();
  await dialog.getByRole('button', { name: 'Close' }).last().click();
  await bar.getByRole('button', { name: 'Choose none' }).press('Enter');
  await expect(bar).toBeHidden();
  await expect(page.getByRole('main')).toBeFocused();
  await page.getByRole('button', { name: 'Show as cards' }).click();
  await expect(page.getByRole('list', { name: 'Applications' }).getByRole('listitem')).toHaveCount(3);
});

test('the timeline leads to the state of a past moment and tells what changed since', async () => {
  const clone = await fairlead.clone();
  clone.edit('dev/deployment.yaml', (text) => text.replace(/image: .*/, 'image: example.com/guestbook:v9'));
  const revision = await clone.push('Deploy guestbook v9');
  await eventually(
    'v9 to be deployed',
    () => fairlead.application('guestbook-dev'),
    (form) => form.sync.revision === revision && form.health.status === 'Healthy',
  );
  await go('/applications/hosted/argocd/guestbook-dev?tab=timeline');
  const deployments = page.getByRole('list', { name: 'Deployments, the newest first' });
  const newest = deployments.getByRole('listitem').filter({ hasText: 'Deploy guestbook v9' }).first();
  await expect(newest.getByText('current')).toBeVisible();
  await expect(newest.getByText('v9')).toHaveCount(2);
  const first = deployments.getByRole('listitem').filter({ hasText: 'Add the guestbook sample' }).last();
  await first.getByRole('button', { name: 'Compare with now' }).click();
  await expect(page).toHaveURL(/from=/);
  const differences = page.getByRole('list', { name: 'Differences' });
  await differences.getByRole('button', { name: /Deployment guestbook-ui/ }).click();
  await expect(differences.getByText('example.com/guestbook:v9').first()).toBeVisible();
  await page.getByRole('button', { name: 'Close the comparison' }).click();
  await first.getByRole('button', { name: 'State then' }).press('Enter');
  await expect(page).toHaveURL(/at=/);
  const past = page.getByRole('region', { name: 'The past' });
  await expect(past.getByText(/The resources as they were/)).toBeVisible();
  await expect(page.getByRole('main')).toBeFocused();
  await page
    .getByRole('group', { name: 'Resource tree' })
    .getByRole('button', { name: /^Deployment guestbook-ui/ })
    .click();
  const drawer = page.getByRole('complementary', { name: 'Deployment guestbook-ui' });
  await drawer.getByRole('tab', { name: 'Desired' }).click();
  await expect(drawer.getByText(/gb-frontend:v5/).first()).toBeVisible();
  await past.getByRole('button', { name: 'Back to now' }).press('Enter');
  await expect(drawer.getByRole('heading', { name: 'guestbook-ui' })).toBeFocused();
  await expect(drawer.getByText('example.com/guestbook:v9').first()).toBeVisible();
});

test('the services tab tells what runs, how much of it, and where it is reached', async () => {
  await go('/applications/hosted/argocd/guestbook-prod');
  await page.getByRole('tab', { name: 'Services' }).click();
  await expect(page).toHaveURL(/tab=services/);
  const card = page.getByRole('list', { name: 'Services' }).getByRole('listitem').first();
  await expect(card.getByText(/\d of \d ready/)).toBeVisible();
  await expect(card.getByText('gb-frontend')).toBeVisible();
  await expect(card.getByText(/guestbook-ui .*:80/)).toBeVisible();
  await card.getByRole('button', { name: 'guestbook-ui' }).click();
  await expect(page.getByRole('complementary', { name: 'Deployment guestbook-ui' })).toBeVisible();
});

test('people: an invited user signs in, sees what a rule leaves them, and all of it is in the audit log', async ({
  browser,
}) => {
  await go('/settings/users');
  await page.getByRole('button', { name: 'Invite…' }).click();
  await page.getByRole('textbox', { name: 'Name' }).fill('dana');
  await page.getByRole('button', { name: 'Invite', exact: true }).click();
  const link = (await page.getByRole('dialog').locator('code').textContent()) ?? '';
  await page.getByRole('button', { name: 'Close' }).last().click();
  await go('/settings/teams');
  await page.getByRole('button', { name: 'New team…' }).click();
  await page.getByRole('textbox', { name: 'Name' }).fill('guests');
  await page.getByRole('checkbox', { name: 'dana' }).check({ force: true });
  await page.getByRole('button', { name: 'Save', exact: true }).click();
  await expect(page.getByRole('rowheader', { name: 'guests' })).toBeVisible();
  await go('/settings/access');
  await page.getByRole('button', { name: 'New rule…' }).click();
  await page.getByRole('textbox', { name: 'Name', exact: true }).fill('guests-dev');
  await page.getByRole('checkbox', { name: 'guests' }).check({ force: true });
  await page.getByRole('textbox', { name: 'names', exact: true }).fill('*-dev');
  await page.getByRole('button', { name: 'See who gains and loses' }).click();
  await expect(
    page.getByRole('list', { name: 'Who gains and loses' }).getByText(/loses VIEW on \d+ applications/),
  ).toBeVisible();
  await page.getByRole('button', { name: 'Save the rule' }).click();
  await expect(page.getByRole('rowheader', { name: /guests-dev/ })).toBeVisible();

  const other = await browser.newPage();
  await other.goto(link);
  await expect(other.getByRole('link', { name: 'guestbook-dev', exact: true })).toBeVisible();
  await expect(other.getByRole('link', { name: 'guestbook-prod', exact: true })).toBeHidden();
  await expect(other.getByRole('link', { name: 'Audit' })).toBeHidden();
  await other.goto(`${fairlead.endpoints.platform}/audit`);
  await expect(other.getByText('You may not see the audit log.')).toBeVisible();
  await other.goto(`${fairlead.endpoints.platform}/applications/hosted/argocd/guestbook-prod`);
  await expect(other.getByRole('heading', { name: 'There is no application guestbook-prod here' })).toBeVisible();
  await other.close();

  await go('/settings/access');
  await page.getByRole('button', { name: 'Delete rule guests-dev' }).click();
  await page.getByRole('button', { name: 'Delete the rule' }).click();
  await expect(page.getByText('No rules yet')).toBeVisible();
  await go('/audit?action=access-rule.');
  await expect(page.getByRole('cell', { name: 'access-rule.create' })).toBeVisible();
  await page
    .getByRole('row', { name: /access-rule.remove-file/ })
    .first()
    .getByRole('button', { name: /^Details of entry/ })
    .click();
  await expect(page.getByText(/^request req_/)).toBeVisible();
  const download = page.waitForEvent('download');
  await page.getByRole('link', { name: 'CSV' }).click();
  expect((await download).suggestedFilename()).toBe('audit.csv');
});

test('an API key is shown once, works, and stops when it is revoked', async () => {
  await go('/settings/api-keys');
  await page.getByRole('button', { name: 'New key…' }).click();
  await page.getByRole('textbox', { name: 'Name' }).fill('ci');
  await page.getByRole('button', { name: 'Make the key' }).click();
  const key = (await page.getByRole('dialog').locator('code').textContent()) ?? '';
  const ask = () => fetch(`${fairlead.endpoints.platform}/api/v1/me`, { headers: { authorization: `Bearer ${key}` } });
  expect((await ask()).status).toBe(200);
  await page.keyboard.press('Escape');
  await page.getByRole('button', { name: 'Revoke key ci' }).click();
  await page.getByRole('button', { name: 'Revoke', exact: true }).click();
  await expect(page.getByRole('rowheader', { name: 'ci', exact: true })).toBeHidden();
  expect((await ask()).status).toBe(401);
});

test('the command bar finds everything by name, and keys lead everywhere', async () => {
  await go('/');
  await expect(page.getByRole('navigation', { name: 'Main' })).toBeVisible(); // before it nobody listens to keys
  await page.keyboard.press('Control+k');
  await page.getByRole('searchbox', { name: 'Search or jump to' }).fill('staging');
  await page
    .getByRole('menuitem', { name: /guestbook-staging/ })
    .first()
    .click();
  await expect(page.getByRole('heading', { name: /guestbook-staging/ })).toBeVisible();
  for (const [keys, path] of [
    ['g', 'h', /\/$/],
    ['g', 'a', /\/applications$/],
    ['g', 'p', /\/plan$/],
    ['g', 'u', /\/audit$/],
    ['g', 's', /\/settings\/account$/],
    ['g', 'r', /\/runtimes$/],
  ].map(([first, second, pattern]) => [[first, second], pattern] as const)) {
    for (const key of keys) await page.keyboard.press(String(key));
    await expect(page).toHaveURL(path as RegExp);
  }
});

const addresses: readonly (readonly [path: string, seen: string])[] = [
  ['/', 'Most active applications'],
  ['/applications', 'guestbook-prod'],
  ['/applications?view=cards', 'guestbook-prod'],
  ['/applications/hosted/argocd/guestbook-dev', 'guestbook-ui'],
  ['/applications/hosted/argocd/guestbook-dev?tab=timeline', 'Deploy guestbook v9'],
  ['/applications/hosted/argocd/guestbook-dev?tab=services', 'Reached at'],
  ['/plan', 'Show what changes'],
  ['/runtimes', 'all 9 well'],
  ['/no-such-page', 'There is no such page'],
  ['/audit', 'session.start'],
  ['/settings/account', 'Password'],
  ['/settings/appearance', 'Theme'],
  ['/settings/api-keys', 'Begins with'],
  ['/settings/sessions', 'this one'],
  ['/settings/users', 'dana'],
  ['/settings/teams', 'guests'],
  ['/settings/access', 'Access rules'],
];

declare global {
  interface Window {
    readonly axe: {
      run(options: { readonly runOnly: readonly string[] }): Promise<Awaited<ReturnType<AxeBuilder['analyze']>>>;
    };
  }
}

/** Structure is the same in both themes: the second is looked at for its colours only, on the page that is there. */
async function brokenAt(tab: Page, [path, seen]: (typeof addresses)[number]): Promise<string[]> {
  await tab.setViewportSize({ width: 1440, height: 900 });
  await tab.emulateMedia({ colorScheme: 'light', reducedMotion: 'reduce' });
  await tab.goto(fairlead.endpoints.platform + path);
  await expect(tab.getByText(seen).first()).toBeVisible();
  // The pages have no frames: axe runs in the page, and needs no second one to put its results together.
  const light = await new AxeBuilder({ page: tab }).setLegacyMode().analyze();
  const background = () => tab.evaluate(() => getComputedStyle(document.body).backgroundColor);
  const before = await background();
  await tab.emulateMedia({ colorScheme: 'dark', reducedMotion: 'reduce' });
  await expect.poll(background, { message: `${path} turns dark` }).not.toBe(before);
  // By the axe that is in the page already.
  const dark = await tab.evaluate(() => window.axe.run({ runOnly: ['color-contrast', 'link-in-text-block'] }));
  await tab.setViewportSize({ width: 360, height: 740 });
  const tooWide = () =>
    tab.evaluate(() =>
      [document.documentElement, ...document.querySelectorAll('section:has(> table)')]
        .filter(({ scrollWidth, clientWidth }) => scrollWidth > clientWidth)
        .map((element) => element.getAttribute('aria-label') ?? 'the page'),
    );
  await expect.poll(tooWide, { message: `${path} on a phone` }).toEqual([]);
  return [...light.violations, ...dark.violations].map(({ id, nodes }) => `${path} ${id}: ${nodes[0]?.html}`);
}

test('every page is free of accessibility violations, light and dark, and fits a phone', async () => {
  const left = [...addresses];
  const found: string[] = [];
  const look = async () => {
    const tab = await page.context().newPage();
    for (let next = left.shift(); next; next = left.shift()) found.push(...(await brokenAt(tab, next)));
    await tab.close();
  };
  await Promise.all([look(), look()]);
  expect(found).toEqual([]);
});

test('nothing broke a page or the content policy on the way', () => {
  expect(violations).toEqual([]);
});
