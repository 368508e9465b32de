import { expect, type Page, test } from '@playwright/test';
import { eventually, Fairlead, type SampleClone, temporaryHome } from './harness.ts';

for (const flags of [[], ['--split']]) {
  test.describe(`push to seen${flags.length > 0 ? `, ${flags.join(' ')}` : ''}`, () => {
    test.describe.configure({ mode: 'serial' });
    let fairlead: Fairlead;
    let clone: SampleClone;
    let page: Page;

    test.beforeAll(async ({ browser }) => {
      fairlead = await Fairlead.start(temporaryHome(), flags);
      clone = await fairlead.clone();
      page = await browser.newPage();
    });

    test.afterAll(async () => {
      await page?.close();
      await fairlead?.stop();
    });

    test('signs in by the printed link and shows the sample, healthy and synced', async () => {
      await page.goto(fairlead.signInUrl);
      for (const name of ['guestbook-dev', 'guestbook-staging', 'guestbook-prod']) {
        await expect(page.getByRole('link', { name, exact: true })).toBeVisible();
      }
      await expect(page.getByText(/all 3 (applications )?are healthy/i)).toBeVisible();
    });

    test('shows a pushed image without a reload', async () => {
      await page.getByRole('link', { name: 'guestbook-dev', exact: true }).click();
      await expect(page.getByRole('heading', { name: /guestbook-dev/ })).toBeVisible();
      clone.edit('dev/deployment.yaml', (text) => text.replace(/image: .*/, 'image: example.com/guestbook:v6'));
      const revision = await clone.push('Deploy guestbook v6');
      await expect(page.getByText(revision.slice(0, 7)).first()).toBeVisible();
      await expect(page.getByText('Deploy guestbook v6').first()).toBeVisible();
      const application = await eventually(
        'the new image healthy',
        () => fairlead.application('guestbook-dev'),
        (form) => form.images.includes('example.com/guestbook:v6') && form.health.status === 'Healthy',
      );
      expect(application.sync).toMatchObject({ status: 'Synced', revision });
    });

    test('removes from the tree what was removed from Git', async () => {
      const service = page
        .getByRole('group', { name: 'Resource tree' })
        .getByRole('button', { name: /^Service guestbook-ui/ });
      await expect(service).toBeVisible();
      clone.remove('dev/service.yaml');
      await clone.push('Remove the service');
      await expect(service).toBeHidden();
    });

    test('shows desired, live and diff of a resource', async () => {
      await page
        .getByRole('group', { name: 'Resource tree' })
        .getByRole('button', { name: /^Deployment guestbook-ui/ })
        .click();
      const drawer = page.getByRole('complementary', { name: 'Deployment guestbook-ui' });
      await drawer.getByRole('tab', { name: 'Desired' }).click();
      await expect(drawer.getByText('example.com/guestbook:v6').first()).toBeVisible();
      await drawer.getByRole('tab', { name: 'Live' }).click();
      await expect(drawer.getByText(/uid/).first()).toBeVisible();
      await page.keyboard.press('Escape');
      await expect(drawer).toBeHidden();
    });

    test('synchronises by the button and by the command line', async () => {
      await page.getByRole('button', { name: 'Synchronize…' }).click();
      const dialog = page.getByRole('dialog', { name: 'Synchronize guestbook-dev' });
      await dialog.getByRole('button', { name: 'Synchronize', exact: true }).click();
      await expect(page.getByText(/successfully synced/i).first()).toBeVisible();
      expect(await fairlead.run('app', 'sync', 'guestbook-prod')).toContain('Succeeded');
    });
  });
}
