import { expect, test } from '@playwright/test';
import { Fairlead, temporaryHome } from './harness.ts';

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
