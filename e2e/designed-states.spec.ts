// What each page shows when the server is slow, refuses, breaks or goes away. The answers are bent between a real server
// and a real browser; the pages cannot tell.
import { expect, type Page, test } from '@playwright/test';
import { Fairlead, temporaryHome } from './harness.ts';

test.describe.configure({ mode: 'serial' });

let fairlead: Fairlead;
let page: Page;

test.beforeAll(async ({ browser }) => {
  fairlead = await Fairlead.start(temporaryHome());
  page = await (await browser.newContext()).newPage();
  page.setDefaultTimeout(15_000);
  await page.goto(fairlead.signInUrl);
  await expect(page.getByRole('link', { name: 'guestbook-dev', exact: true })).toBeVisible();
});

test.afterAll(async () => {
  await page?.context().close();
  await fairlead?.stop();
});

const application = '/applications/hosted/argocd/guestbook-dev';
const pages: readonly (readonly [path: string, api: string, what: string])[] = [
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

const slowMs = 2000;
const capital = (text: string) => `${text.charAt(0).toUpperCase()}${text.slice(1)}`;

for (const [path, api, what] of pages) {
  test(`${path}: refused, broken, slow, signed out`, async () => {
    const go = () => page.goto(fairlead.endpoints.platform + path);
    const answer = async (status: number, code: string, where = api) => {
      await page.unrouteAll({ behavior: 'ignoreErrors' });
      await page.route(where, (route) =>
        route.fulfill({
          status,
          contentType: 'application/json',
          body: JSON.stringify({ code, message: `Because of ${code}.`, requestId: 'req_1' }),
        }),
      );
      await go();
    };
    await answer(403, 'forbidden');
    await expect(page.getByText(`You may not see ${what}.`)).toBeVisible();
    await answer(500, 'internal');
    await expect(page.getByText(`${capital(what)} could not be loaded.`)).toBeVisible();
    await expect(page.getByText('request req_1').first()).toBeVisible();
    await page.unrouteAll({ behavior: 'ignoreErrors' });
    await page.route(api, async (route) => {
      await new Promise((resolve) => setTimeout(resolve, slowMs));
      await route.continue().catch(() => undefined); // the page has moved on
    });
    await go();
    await expect(page.getByRole('heading').first()).toBeVisible();
    await expect(page.locator('.breathe').first()).toBeVisible();
    await expect(page.getByRole('alert')).toHaveCount(0);
    await answer(401, 'not_signed_in', '**/api/v1/**');
    await expect(page).toHaveURL(/\/sign-in\?next=/);
    await page.unrouteAll({ behavior: 'ignoreErrors' });
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
