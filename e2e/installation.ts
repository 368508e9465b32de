// One installation with the sample for all files of a worker that leave it as they found it: a start is the dearest part
// of most journeys. A file that changes what others look at starts its own.
import { type Browser, test as base, expect, type Page } from '@playwright/test';
import { Fairlead, temporaryHome } from './harness.ts';

export const test = base.extend<object, { readonly fairlead: Fairlead }>({
  fairlead: [
    async ({ browserName: _ }, use) => {
      const fairlead = await Fairlead.start(temporaryHome());
      await use(fairlead);
      await fairlead.stop();
    },
    { scope: 'worker', timeout: 120_000 },
  ],
});

/** A page of a browser of its own, signed in, with the list of the sample on it. */
export async function signIn(browser: Browser, fairlead: Fairlead): Promise<Page> {
  const page = await (await browser.newContext()).newPage();
  page.setDefaultTimeout(15_000);
  await page.goto(await fairlead.signInLink());
  await expect(page.getByRole('link', { name: 'guestbook-dev', exact: true })).toBeVisible();
  return page;
}
