// What each page shows when the server is slow, refuses, breaks or goes away. The answers are bent between a real server
// and a real browser; the pages cannot tell.
import { expect, type Page, type Route } from '@playwright/test';
import type { Fairlead } from './harness.ts';
import { signIn, test } from './installation.ts';

test.describe.configure({ mode: 'serial' });

let fairlead: Fairlead;
let page: Page;

test.beforeAll(async ({ browser, fairlead: shared }) => {
  fairlead = shared;
  page = await signIn(browser, fairlead);
});

test.afterAll(async () => {
  await page?.context().close();
});

const application = '/applications/hosted/argocd/guestbook-dev';
type DesignedPage = readonly [path: string, api: string, what: string];
const pages: readonly DesignedPage[] = [
  ['/', '**/api/v1/runtimes', 'the overview'],
  ['/applications', '**/api/v1/applications?*', 'the applications'],
  [application, `**/api/v1${application}`, 'the application guestbook-dev'],
  [`${application}?tab=timeline`, `**/api/v1${application}/deployments*`, 'the timeline'],
  [`${application}?tab=configuration`, `**/api/v1${application}/definition`, 'the definition of the application'],
  ['/applications/new', '**/api/v1/git-sources', 'the Git Sources'],
  ['/plan', '**/api/v1/application-facets?*', 'the repositories'],
  ['/runtimes', '**/api/v1/runtimes', 'the runtimes'],
  ['/runtimes/hosted', '**/api/v1/runtimes', 'the runtime'],
  ['/git-sources', '**/api/v1/git-sources', 'the Git Sources'],
  ['/clusters', '**/api/v1/clusters', 'the clusters'],
  ['/topology', '**/api/v1/clusters', 'the topology'],
  ['/notifications', '**/api/v1/notifications?*', 'the notifications'],
  ['/audit', '**/api/v1/audit?*', 'the audit log'],
  ['/settings/users', '**/api/v1/users', 'the users'],
  ['/settings/teams', '**/api/v1/teams', 'the teams'],
  ['/settings/access', '**/api/v1/access-rules', 'the access rules'],
  ['/settings/api-keys', '**/api/v1/api-keys*', 'the API keys'],
  ['/settings/sessions', '**/api/v1/sessions*', 'the sessions'],
  ['/settings/git-tokens', '**/api/v1/runtimes/hosted/git-tokens', 'your Git tokens'],
];

const capital = (text: string) => `${text.charAt(0).toUpperCase()}${text.slice(1)}`;

/** Every answer at this address, from now on. */
async function answer(tab: Page, where: string, status: number, code: string): Promise<void> {
  await tab.unrouteAll({ behavior: 'ignoreErrors' });
  const body = JSON.stringify({ code, message: `Because of ${code}.`, requestId: 'req_1' });
  await tab.route(where, (route) => route.fulfill({ status, contentType: 'application/json', body }));
}

async function brokenThenRefused(tab: Page, [path, api, what]: DesignedPage): Promise<void> {
  await answer(tab, api, 500, 'internal');
  await tab.goto(fairlead.endpoints.platform + path);
  await expect(tab.getByText(`${capital(what)} could not be loaded.`)).toBeVisible();
  await expect(tab.getByText('request req_1').first()).toBeVisible();
  await answer(tab, api, 403, 'forbidden');
  const again = tab.getByRole('button', { name: 'Try again' }).first();
  await again.click({ timeout: 1000 }).catch(() => tab.reload()); // not every page offers it
  await expect(tab.getByText(`You may not see ${what}.`)).toBeVisible();
}

/** The answer is held until the page has shown that it waits; then it is that nobody is signed in. */
async function slowThenSignedOut(tab: Page, [path, api]: DesignedPage): Promise<void> {
  await tab.unrouteAll({ behavior: 'ignoreErrors' });
  const body = JSON.stringify({ code: 'not_signed_in', message: 'Sign in.', requestId: 'req_1' });
  const refuse = (route: Route) => route.fulfill({ status: 401, contentType: 'application/json', body });
  let release = () => {};
  const isSeen = new Promise<void>((resolve) => {
    release = resolve;
  });
  await tab.route(api, (route) => isSeen.then(() => refuse(route)));
  await tab.goto(fairlead.endpoints.platform + path);
  await expect(tab.getByRole('heading').first()).toBeVisible();
  await expect(tab.locator('.breathe').first()).toBeVisible();
  await expect(tab.getByRole('alert')).toHaveCount(0);
  await tab.route('**/api/v1/**', refuse);
  release();
  await expect(tab).toHaveURL(/\/sign-in\?next=/);
  await tab.unrouteAll({ behavior: 'ignoreErrors' });
}

/** Most of a page's time is waiting: some are looked at side by side. */
const atOnce = 4;
for (let first = 0; first < pages.length; first += atOnce) {
  const group = pages.slice(first, first + atOnce);
  test(`broken, refused, slow, signed out: ${group.map(([path]) => path).join(' ')}`, async () => {
    await Promise.all(
      group.map(async (each) => {
        const tab = await page.context().newPage();
        tab.setDefaultTimeout(15_000);
        await brokenThenRefused(tab, each);
        await slowThenSignedOut(tab, each);
        await tab.close();
      }),
    );
  });
}

test('a server that does not answer is told apart from one that refuses', async () => {
  await page.route('**/api/v1/clusters', (route) => route.abort('connectionrefused'));
  await page.goto(`${fairlead.endpoints.platform}/clusters`);
  await expect(page.getByText('The server did not answer, so the clusters could not be loaded.')).toBeVisible();
  await page.unroute('**/api/v1/clusters');
});

test('a lost connection is said quietly, and the page goes on when it is back', async () => {
  await page.route('**/api/v1/live', (route) => route.abort());
  await page.goto(`${fairlead.endpoints.platform}/applications`);
  await expect(page.getByText('The connection is lost; trying again.')).toBeVisible();
  await expect(page.getByRole('link', { name: 'guestbook-dev', exact: true })).toBeVisible();
  const asked = page.waitForRequest('**/api/v1/live');
  await page.getByRole('button', { name: 'Try now' }).click();
  await asked;
  await page.unroute('**/api/v1/live');
  await expect(page.getByText('live', { exact: true })).toBeVisible();
  await expect(page.getByText('The connection is lost; trying again.')).toBeHidden();
});

test('a laptop without a network goes on with the platform that runs on it', async () => {
  await page.goto(`${fairlead.endpoints.platform}/applications`);
  await expect(page.getByRole('link', { name: 'guestbook-dev', exact: true })).toBeVisible();
  await page.evaluate(() => dispatchEvent(new Event('offline')));
  await page.keyboard.press('g');
  await page.keyboard.press('u');
  await expect(page.getByRole('heading', { name: 'Audit' })).toBeVisible();
  await expect(page.getByRole('row').nth(1)).toBeVisible();
  await page.evaluate(() => dispatchEvent(new Event('online')));
});

test('somebody who may see nothing is told why, on Home and in the list', async () => {
  const tab = await page.context().newPage();
  const nothing = { total: 0, byHealth: {}, bySync: {} };
  const show = async (summary: object, more: object = {}) => {
    await tab.unrouteAll({ behavior: 'ignoreErrors' });
    await tab.route('**/api/v1/live', (route) => route.abort());
    const json = { items: [], matched: 0, summary: { ...nothing, ...summary }, ...more };
    await tab.route('**/api/v1/applications?*', (route) => route.fulfill({ json }));
    await tab.route('**/api/v1/runtimes/hosted/git-tokens', (route) => route.fulfill({ json: { items: [] } }));
    await tab.goto(`${fairlead.endpoints.platform}/`);
  };
  await show({ unseen: 'rules' });
  await expect(tab.getByText('You see no application. Below is why.')).toBeVisible();
  await expect(tab.getByRole('heading', { name: 'No access rule lets you see applications' })).toBeVisible();
  await tab.goto(`${fairlead.endpoints.platform}/applications`);
  await expect(tab.getByText('You see no application; below is why.')).toBeVisible();
  await expect(tab.getByText('Ask an administrator of the account')).toBeVisible();
  await show({ unseen: 'git' }, { gitRights: { checking: 2 } });
  await expect(tab.getByText('2 repositories are being asked about.')).toBeVisible();
  await show({ unseen: 'git' }, { gitRights: { checking: 0 } });
  await expect(tab.getByText('you have given none to hosted')).toBeVisible();
  await tab.getByRole('link', { name: 'Add your Git token' }).click();
  await expect(tab).toHaveURL(/\/settings\/git-tokens$/);
  await tab.close();
});
