// Applications by commit, from the browser: made by a form, changed as YAML, a conflict seen, rolled back, deleted.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { AxeBuilder } from '@axe-core/playwright';
import { expect, type Locator, type Page } from '@playwright/test';
import { eventually, type Fairlead, SampleClone, temporaryHome } from './harness.ts';
import { signIn, test } from './installation.ts';

test.describe.configure({ mode: 'serial' });

let fairlead: Fairlead;
let page: Page;

test.beforeAll(async ({ browser, fairlead: shared }) => {
  fairlead = shared;
  page = await signIn(browser, fairlead);
});

test.afterAll(() => page?.context().close());

const go = (path: string) => page.goto(fairlead.endpoints.platform + path);

async function accessible(what: string): Promise<void> {
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
    const { violations } = await new AxeBuilder({ page }).setLegacyMode().analyze();
    expect(violations.map(({ id, nodes }) => `${what} ${colorScheme} ${id}: ${nodes[0]?.html}`)).toEqual([]);
  }
}

test('makes an application by the form, and the YAML follows', async () => {
  await go('/applications');
  await page.getByRole('button', { name: 'New application' }).click();
  const manifest = page.getByRole('textbox', { name: 'Manifest' });
  await page.getByRole('textbox', { name: 'Name', exact: true }).fill('guestbook-extra');
  await page.getByRole('textbox', { name: 'Repository' }).fill(`${fairlead.endpoints.git}/demo/guestbook.git`);
  await page.getByRole('textbox', { name: 'Path' }).fill('nowhere');
  await page.getByRole('textbox', { name: 'Namespace' }).fill('guestbook-extra');
  await expect(manifest).toHaveValue(/name: guestbook-extra/);
  await expect(
    page
      .getByRole('list', { name: 'Problems' })
      .getByText(/nowhere/)
      .first(),
  ).toBeVisible();
  await expect(page.getByRole('button', { name: 'Commit' })).toBeDisabled();
  await manifest.fill((await manifest.inputValue()).replace('path: nowhere', 'path: dev'));
  await expect(page.getByRole('textbox', { name: 'Path' })).toHaveValue('dev');
  await expect(page.getByText(/resources would be deployed/)).toBeVisible();
  await accessible('new application');
  await page.getByRole('button', { name: 'Commit' }).click();
  await expect(page).toHaveURL(/guestbook-extra$/);
  await expect(page.getByRole('heading', { name: /^(healthy.*)?guestbook-extra/i })).toBeVisible({ timeout: 30_000 });
});

test('changes the definition, sees the difference, and the other version when somebody was faster', async () => {
  await go('/applications/hosted/argocd/guestbook-extra?tab=configuration');
  await page.getByRole('textbox', { name: 'Path' }).fill('staging');
  await expect(page.getByRole('textbox', { name: 'Name', exact: true })).toBeDisabled();
  await page.locator('summary', { hasText: 'Retry' }).click();
  await page.getByRole('textbox', { name: 'Tries' }).fill('3');
  await accessible('configuration');
  await page.getByRole('button', { name: 'YAML', exact: true }).click();
  const definition = page.getByRole('textbox', { name: 'Definition' });
  await expect(definition).toHaveValue(/path: staging[\s\S]*limit: 3/);
  await page.getByRole('button', { name: 'Discard changes' }).click();
  await expect(definition).toHaveValue(/guestbook-extra/);
  const text = await definition.inputValue();
  const clone = await SampleClone.of(`${fairlead.endpoints.git}/demo/applications.git`, fairlead.apiKey);
  const [file] = (await clone.git('grep', '-l', 'guestbook-extra')).split('\n');
  clone.edit(file ?? '', (before) => `# by somebody else\n${before}`);
  await clone.push('Say who did it');
  await definition.fill(text.replace('path: dev', 'path: staging'));
  await expect(page.getByText('path: staging').last()).toBeVisible();
  await page.getByRole('textbox', { name: 'Commit message' }).fill('Follow staging');
  await page.getByRole('button', { name: 'Commit', exact: true }).click();
  await expect(page.getByText('Somebody else changed this file in the meantime.')).toBeVisible();
  await page.getByRole('button', { name: 'Keep mine over theirs' }).click();
  await page.getByRole('button', { name: 'Commit', exact: true }).click();
  await eventually(
    'the commit to be there',
    async () => {
      await clone.git('pull', '--quiet', '--rebase');
      return clone.git('log', '-1', '--format=%s');
    },
    (subject) => subject === 'Follow staging',
  );
});

test('rolls back to an earlier release by a commit that says what it takes back', async () => {
  const clone = await fairlead.clone();
  clone.edit('dev/deployment.yaml', (text) => text.replace(/image: .*/, 'image: example.com/guestbook:v7'));
  const revision = await clone.push('Deploy guestbook v7');
  await eventually(
    'v7 to be deployed',
    () => fairlead.application('guestbook-dev'),
    (form) => form.sync.revision === revision && form.health.status === 'Healthy',
  );
  const dialog = page.getByRole('dialog', { name: 'Roll back guestbook-dev' });
  const files = dialog.getByRole('list', { name: 'Files that go back' });
  await go('/applications/hosted/argocd/guestbook-dev');
  await page.getByRole('button', { name: 'Roll back…', exact: true }).click();
  await expect(files).toContainText('dev/deployment.yaml');
  await page.keyboard.press('Escape');
  await expect(dialog).toBeHidden();
  await page.getByRole('tab', { name: 'Timeline' }).click();
  await page.getByRole('button', { name: 'Roll back to this…' }).first().click();
  await expect(files).toContainText('dev/deployment.yaml');
  await dialog.getByRole('button', { name: 'Commit and roll back' }).click();
  await expect(dialog.getByText(/Committed as/)).toBeVisible();
  await eventually(
    'v5 to be back',
    () => fairlead.application('guestbook-dev'),
    (form) => form.images.some((image) => image.endsWith('gb-frontend:v5')),
  );
});

interface Form {
  readonly at: string;
  /** Opens the form, with right values in all its fields; its part of the page. */
  readonly open: () => Promise<Locator>;
  /** Without one the form looks at each key. */
  readonly submit?: string;
  /** Field, wrong value, what is said at the field: cause and remedy. */
  readonly wrong: readonly (readonly [field: string, value: string, said: RegExp])[];
}

async function dialogBy(button: string | RegExp, right: Readonly<Record<string, string>>): Promise<Locator> {
  await page.getByRole('button', { name: button }).click();
  const dialog = page.getByRole('dialog');
  for (const [field, value] of Object.entries(right)) await dialog.getByLabel(field, { exact: true }).fill(value);
  return dialog;
}

const ssh = 'git@example.com:team/apps.git';
const forms = (git: string): readonly Form[] => [
  {
    at: '/git-sources',
    open: () => dialogBy('New Git Source…', { Name: 'wrong', Repository: `${git}/demo/guestbook.git` }),
    submit: 'Commit',
    wrong: [
      ['Name', 'The Shop', /not a valid name; use lower-case letters/],
      ['Name', 'demo', /named demo is there already; choose another name/],
      ['Repository', ssh, /SSH address; give the HTTPS address/],
      ['Repository', `${git}/demo/none.git`, /cannot be read: .*not found; check that the URL is right/],
      ['Branch', 'nope', /has no branch nope; push it, or give one that is there/],
      ['Folder', 'nope', /has no folder nope at main; create it, or leave path empty/],
    ],
  },
  {
    at: '/applications/new',
    open: async () => {
      const form = page.getByRole('main');
      for (const [field, value] of [
        ['Name', 'wrong'],
        ['Repository', `${git}/demo/guestbook.git`],
        ['Path', 'dev'],
        ['Namespace', 'wrong'],
      ] as const)
        await form.getByRole('textbox', { name: field, exact: true }).fill(value);
      return form;
    },
    wrong: [
      ['Name', 'The_Shop', /not a name Kubernetes takes\. Use lower-case letters/],
      ['Name', 'guestbook-dev', /guestbook-dev is there already\. Choose another name/],
      ['Repository', ssh, /reached by ssh; .*use the https:\/\/ address/],
      ['Revision', 'nope', /has no revision "nope".* Give a branch, tag or commit/],
      ['Path', 'nope', /has no folder nope\. Give a folder that is there/],
      ['Namespace', 'The_Shop', /not a namespace Kubernetes takes\. Use lower-case letters/],
      ['Project', 'none', /there is no project none\. Choose one that is there/],
    ],
  },
  {
    at: '/settings/api-keys',
    open: () => dialogBy('New key…', { Name: 'wrong' }),
    submit: 'Make the key',
    wrong: [['Name', 'My Key', /Does not fit: use lower-case letters/]],
  },
  {
    at: '/settings/teams',
    open: () => dialogBy('New team…', { Name: 'wrong' }),
    submit: 'Save',
    wrong: [['Name', 'The Shop', /Does not fit: use lower-case letters, digits and hyphens/]],
  },
  {
    at: '/settings/users',
    open: () => dialogBy('Invite…', { Name: 'wrong' }),
    submit: 'Invite',
    wrong: [
      ['E-mail', 'nobody', /Does not fit: use an address such as ana@example\.com/],
      ['Name', 'admin', /There is a user named admin already; choose another name/],
    ],
  },
  {
    at: '/settings/access',
    open: async () => {
      const dialog = await dialogBy('New rule…', { Name: 'wrong' });
      await dialog.getByText('everybody').click();
      return dialog;
    },
    submit: 'See who gains and loses',
    wrong: [['Name', 'The Shop', /Does not fit: use lower-case letters, digits and hyphens/]],
  },
  {
    at: '/runtimes?act=add',
    open: async () => page.getByRole('dialog'),
    wrong: [
      ['Name', 'The Edge', /Lower-case letters, digits and hyphens, .* beginning with a letter/],
      ['Name', 'hosted', /has a runtime hosted already .*choose another name/],
    ],
  },
];

test('each form says at the field what is wrong with it, and what to do', async () => {
  test.setTimeout(240_000); // twenty refusals, most of them by a server that a busy machine slows down
  for (const { at, open, submit, wrong } of forms(fairlead.endpoints.git)) {
    await go(at);
    const form = await open();
    for (const [field, value, said] of wrong) {
      const box = form.getByLabel(field, { exact: true }).and(form.getByRole('textbox'));
      const right = await box.inputValue();
      await box.fill(value);
      if (submit) await form.getByRole('button', { name: submit, exact: true }).click();
      await expect(box, `${at} ${field} ${value}`).toHaveAccessibleDescription(said);
      await box.fill(right);
    }
  }
  await go('/applications/new');
  await page.getByRole('textbox', { name: 'Name', exact: true }).fill('wrong');
  await page.getByRole('textbox', { name: 'Manifest' }).fill('metadata: {name: wrong\n');
  const problems = page.getByRole('list', { name: 'Problems' });
  await expect(problems).toContainText(/not valid YAML.*Correct the YAML at this line/);
});

test('deletes an application by a commit, after telling what goes with it', async () => {
  await go('/applications/hosted/argocd/guestbook-extra');
  const remove = page.getByRole('button', { name: 'Delete…' });
  await remove.click();
  const dialog = page.getByRole('dialog', { name: 'Delete guestbook-extra' });
  await expect(dialog.getByRole('textbox')).toBeVisible();
  await page.keyboard.press('Escape');
  await expect(remove).toBeFocused();
  await remove.click();
  await expect(dialog.getByRole('button', { name: 'Commit and delete' })).toBeDisabled();
  await dialog.getByRole('textbox').fill('guestbook-extra');
  await dialog.getByRole('button', { name: 'Commit and delete' }).click();
  await expect(page).toHaveURL(/\/applications$/);
  await expect(page.getByRole('link', { name: 'guestbook-extra', exact: true })).toBeHidden({ timeout: 30_000 });
});

test('two people change one access rule: the second sees both versions, in the browser and on the command line', async () => {
  const dir = temporaryHome();
  const file = join(dir, 'rule.yaml');
  const manifest = (actions: string) =>
    `apiVersion: fairlead.io/v1alpha1
kind: AccessRule
metadata: { name: shop }
spec: { effect: deny, teams: ["*"], entity: application, actions: [${actions}], attributes: { names: [shop-*] } }
`;
  writeFileSync(file, manifest('SYNC'));
  expect(await fairlead.run('access-rule', 'apply', '-f', file)).toMatch(/shop is added: .*shop\.yaml, commit/);
  const looked = await fairlead.run('access-rule', 'get', 'shop');
  expect(looked).toMatch(/^# base: [0-9a-f]{40}\n/);

  await go('/settings/access');
  await page.getByRole('button', { name: 'Edit rule shop' }).click();
  const dialog = page.getByRole('dialog', { name: 'Rule shop' });
  await dialog.getByLabel('projects').fill('payments');
  writeFileSync(file, looked.replace('- SYNC', '- SYNC\n    - REFRESH'));
  await fairlead.run('access-rule', 'apply', '-f', file);
  await dialog.getByRole('button', { name: 'See who gains and loses' }).click();
  await dialog.getByRole('button', { name: 'Save the rule' }).click();
  await expect(dialog.getByText('Somebody else changed this file in the meantime.')).toBeVisible();
  await expect(dialog.getByText('- REFRESH')).toBeVisible();
  await accessible('conflict');
  await dialog.getByRole('button', { name: 'Keep mine over theirs' }).click();
  await dialog.getByRole('button', { name: 'Save the rule' }).click();
  await expect(dialog).toBeHidden({ timeout: 30_000 });

  writeFileSync(file, looked.replace('- SYNC', '- VIEW'));
  const refused = fairlead.run('access-rule', 'apply', '-f', file);
  await expect(refused).rejects.toMatchObject({
    code: 5,
    stderr: expect.stringMatching(/in Git now, \+ yours[\s\S]*- .*payments/),
  });
  await expect(
    fairlead.run('access-rule', 'delete', 'shop', '--yes', '--base', looked.slice(8, 48)),
  ).rejects.toMatchObject({ code: 5 });
  await fairlead.run('access-rule', 'delete', 'shop', '--yes');
  expect(await fairlead.run('access-rule', 'list')).not.toContain('shop');
});

test('what people see is made to follow Git by a commit, and back on the command line', async ({ browser }) => {
  await go('/settings/access');
  await page.getByLabel('Rights follow Git').selectOption('all');
  await expect(page.getByText(/only if their own Git token may read the repository/)).toBeVisible();
  await page.getByRole('button', { name: 'Commit' }).click();
  await expect(page.getByText(/Since commit [0-9a-f]{7}\./)).toBeVisible({ timeout: 30_000 });

  const invited = await fetch(`${fairlead.endpoints.platform}/api/v1/users`, {
    method: 'POST',
    headers: { authorization: `Bearer ${fairlead.apiKey}`, 'content-type': 'application/json' },
    body: JSON.stringify({ name: 'mia' }),
  });
  const { url } = (await invited.json()) as { url: string };
  const other = await browser.newPage();
  await other.goto(url);
  await other.getByRole('link', { name: /^Applications/ }).click();
  await expect(other.getByRole('heading', { name: 'Your Git token is missing' })).toBeVisible({ timeout: 30_000 });
  await expect(other.getByRole('link', { name: 'Add your Git token' })).toBeVisible();
  expect(await fairlead.run('git-rights', 'set', 'off')).toMatch(/^Git rights are off/);
  await expect(other.getByRole('link', { name: 'guestbook-dev', exact: true })).toBeVisible({ timeout: 30_000 });
  await other.close();
});

test('the own Git token of the sample is there, and says whom it speaks as', async () => {
  await go('/settings/git-tokens');
  await expect(page.getByRole('button', { name: /^Remove token for/ })).toBeVisible();
  await accessible('git tokens');
});
