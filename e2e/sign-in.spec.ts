import { expect } from '@playwright/test';
import { test } from './installation.ts';

test('a stranger without a session is told how to sign in, and a link is good once', async ({ browser, fairlead }) => {
  const page = await browser.newPage();
  await page.goto(`${fairlead.endpoints.platform}/applications`);
  await expect(page.getByText('fairlead open')).toBeVisible();
  await page.goto(`${fairlead.endpoints.platform}/sign-in?code=wrong`);
  await expect(page.getByText(/link/).first()).toBeVisible();
  const link = await fairlead.signInLink();
  await page.goto(link);
  await expect(page.getByRole('link', { name: 'guestbook-dev', exact: true })).toBeVisible();
  await page.close();
  const again = await browser.newPage();
  await again.goto(link);
  await expect(again.getByText(/used|expired|valid/).first()).toBeVisible();
  await again.close();
});
