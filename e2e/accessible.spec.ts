import { AxeBuilder } from '@axe-core/playwright';
import { expect, test } from '@playwright/test';
import { Fairlead, temporaryHome } from './harness.ts';

const application = '/applications/hosted/argocd/guestbook-dev';

test('every page is free of accessibility violations in both themes', async ({ browser }) => {
  const fairlead = await Fairlead.start(temporaryHome());
  try {
    const context = await browser.newContext();
    const page = await context.newPage();
    await page.goto(fairlead.signInUrl);
    await expect(page.getByRole('link', { name: 'guestbook-dev', exact: true })).toBeVisible();
    const visits: [path: string, ready: () => Promise<void>][] = [
      ['/applications', () => expect(page.getByRole('link', { name: 'guestbook-dev', exact: true })).toBeVisible()],
      [
        application,
        () =>
          expect(
            page
              .getByRole('group', { name: 'Resource tree' })
              .getByRole('button', { name: /^Deployment guestbook-ui/ }),
          ).toBeVisible(),
      ],
      ['/runtimes', () => expect(page.getByText('application-reporter')).toBeVisible()],
      ['/no-such-page', () => expect(page.getByRole('heading').first()).toBeVisible()],
    ];
    for (const colorScheme of ['light', 'dark'] as const) {
      await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
      for (const [path, ready] of visits) {
        await page.goto(fairlead.endpoints.platform + path);
        await ready();
        const { violations } = await new AxeBuilder({ page }).analyze();
        expect(violations.map(({ id, nodes }) => `${path} ${colorScheme} ${id}: ${nodes[0]?.html}`)).toEqual([]);
      }
    }
    await context.close();
  } finally {
    await fairlead.stop();
  }
});

test('a stranger without a session is told how to sign in', async ({ browser }) => {
  const fairlead = await Fairlead.start(temporaryHome());
  try {
    const page = await browser.newPage();
    await page.goto(`${fairlead.endpoints.platform}/applications`);
    await expect(page.getByText('fairlead open')).toBeVisible();
    await page.goto(`${fairlead.endpoints.platform}/sign-in?code=wrong`);
    await expect(page.getByText(/link/).first()).toBeVisible();
    await page.goto(fairlead.signInUrl);
    await expect(page.getByRole('link', { name: 'guestbook-dev', exact: true })).toBeVisible();
    const again = await browser.newPage();
    await again.goto(fairlead.signInUrl);
    await expect(again.getByText(/used|expired|valid/).first()).toBeVisible();
  } finally {
    await fairlead.stop();
  }
});
