// From nothing to the first Git Source and cluster in the browser: the three steps of the set-up guide, then what it
// made is changed and removed, each by one commit of the person who acts.
import { AxeBuilder } from '@axe-core/playwright';
import { expect, type Page, test } from '@playwright/test';
import { eventually, Fairlead, SampleClone, temporaryHome } from './harness.ts';

test.describe.configure({ mode: 'serial' });

let fairlead: Fairlead;
let page: Page;

test.beforeAll(async ({ browser }) => {
  fairlead = await Fairlead.start(temporaryHome(), ['--empty']);
  page = await (await browser.newContext()).newPage();
  await page.goto(fairlead.signInUrl);
});
test.afterAll(async () => {
  await page?.context().close();
  await fairlead?.stop();
});

const go = (path: string) => page.goto(fairlead.endpoints.platform + path);

async function accessible(what: string): Promise<void> {
  // React Aria's announcer holds on to the name of a button that has gone meanwhile.
  const { violations } = await new AxeBuilder({ page }).setLegacyMode().exclude('[data-live-announcer]').analyze();
  expect(violations.map(({ id, nodes }) => `${what} ${id}: ${nodes[0]?.html}`)).toEqual([]);
}

/** Subject and author of the newest commit of the Shared Configuration Repository. */
async function lastCommit(): Promise<string> {
  const clone = await SampleClone.of(`${fairlead.endpoints.git}/fairlead/shared-config.git`, fairlead.apiKey);
  return clone.git('log', '-1', '--format=%an: %s');
}

test('an empty account is led by the guide, and each page says that there is nothing yet', async () => {
  await expect(page.getByText('Set up Fairlead')).toBeVisible();
  await accessible('guide');
  for (const [path, words] of [
    ['/applications', 'No applications yet'],
    ['/runtimes', 'No runtimes yet'],
    ['/git-sources', 'No Git Sources yet'],
    ['/clusters', 'No clusters yet'],
    ['/topology', 'No runtimes yet'],
    ['/settings/teams', 'No teams yet'],
    ['/settings/access', 'No rules yet'],
  ] as const) {
    await go(path);
    await expect(page.getByText(words)).toBeVisible();
  }
});

test('step 1 installs the hosted runtime', async () => {
  await go('/');
  await page.getByRole('button', { name: 'Install the hosted runtime' }).click();
  await expect(page.getByRole('link', { name: /View runtime/ })).toBeVisible({ timeout: 60_000 });
});

test('step 2 asks for what each provider needs', async () => {
  const provider = page.getByLabel('Provider', { exact: true });
  await expect(provider.locator('option')).toHaveText([
    'GitHub',
    'GitLab',
    'Bitbucket Cloud',
    'Gitea or Forgejo',
    'Gerrit',
    'Built-in git server',
  ]);
  await provider.selectOption('gitlab');
  await expect(page.getByLabel('Address')).toHaveValue('https://gitlab.com');
  await expect(page.getByText('token with scope api')).toBeVisible();
  await provider.selectOption('gerrit');
  await page.getByLabel('Address').fill('https://gerrit.example.com');
  await page.getByLabel('Your token').fill('password');
  await expect(page.getByRole('button', { name: 'Seal and send the token' })).toBeDisabled();
  await page.getByLabel('User name').fill('ana');
  await expect(page.getByRole('button', { name: 'Seal and send the token' })).toBeEnabled();
});

test('step 2 says what is wrong with a token, then connects Git and makes the two repositories', async () => {
  await page.getByLabel('Provider', { exact: true }).selectOption('builtin');
  await page.getByLabel('Address').fill(`${fairlead.endpoints.git}/with/path`);
  await expect(page.getByText('Scheme and host only, as in https://github.com.')).toBeVisible();
  await page.getByLabel('Address').fill(fairlead.endpoints.git);
  await page.getByLabel('Your token').fill('not-the-key');
  await page.getByRole('button', { name: 'Seal and send the token' }).click();
  await expect(page.getByText(/does not take this token; make a new one/)).toBeVisible();
  await expect(page.getByLabel('Your token')).toHaveAccessibleDescription(/does not take this token/);
  await page.getByLabel('Your token').fill(fairlead.apiKey);
  await page.getByRole('button', { name: 'Seal and send the token' }).click();
  await expect(page.getByText(`${fairlead.endpoints.git}/fairlead/shared-config.git`)).toBeVisible();
  await accessible('repositories');
  await page.getByRole('button', { name: 'Create' }).click();
  await expect(page.getByRole('link', { name: 'View the Git Sources' })).toBeVisible({ timeout: 60_000 });
});

test('step 3 gives the command that connects a cluster, and the guide goes when it has run', async () => {
  const command = ['cluster', 'add', 'hosted'];
  await expect(page.getByText(`npx fairlead ${command.join(' ')}`, { exact: true })).toBeVisible();
  await fairlead.run(...command, '--kubeconfig', `${fairlead.home}/kubeconfig`, '--name', 'laptop');
  await expect(page.getByText('Set up Fairlead')).toBeHidden({ timeout: 30_000 });
  await go('/clusters');
  await expect(page.getByRole('row', { name: /laptop.*reachable/ })).toBeVisible();
  await accessible('clusters');
});

test('a Git Source is looked at, made, changed and removed, each by one commit', async () => {
  await go('/git-sources');
  await page.getByRole('button', { name: 'New Git Source…' }).click();
  const dialog = page.getByRole('dialog', { name: 'New Git Source' });
  await dialog.getByLabel('Name').fill('team');
  await dialog.getByLabel('Repository', { exact: true }).fill('git@example.com:team/apps.git');
  await dialog.getByRole('button', { name: 'Commit' }).click();
  await expect(dialog.getByText(/https/).last()).toBeVisible();
  await dialog.getByLabel('Repository', { exact: true }).fill(`${fairlead.endpoints.git}/team/apps.git`);
  await dialog.getByText('Make the repository').click();
  await accessible('new Git Source');
  await dialog.getByRole('button', { name: 'Commit' }).click();
  await expect(dialog).toBeHidden({ timeout: 30_000 });
  await expect(page.getByRole('row', { name: /^team / })).toBeVisible({ timeout: 30_000 });
  expect(await lastCommit()).toMatch(/team/);

  await page.getByRole('button', { name: 'Edit Git Source team' }).click();
  const edit = page.getByRole('dialog', { name: 'Git Source team' });
  await edit.getByRole('button', { name: 'Look at the files' }).click();
  await expect(edit.getByText(/of \d+ files? taken/)).toBeVisible();
  await edit.getByLabel('Only files').fill('*.yaml');
  await edit.getByRole('button', { name: 'Commit' }).click();
  await expect(edit).toBeHidden({ timeout: 30_000 });
  await expect(page.getByRole('row', { name: /^team .*\*\.yaml/ })).toBeVisible({ timeout: 30_000 });

  await page.getByRole('button', { name: 'Remove Git Source team' }).click();
  await page.getByRole('button', { name: 'Commit and remove' }).click();
  await expect(page.getByRole('row', { name: /^team / })).toBeHidden({ timeout: 30_000 });
  await eventually('the commit', lastCommit, (text) => /[Rr]emove/.test(text) && text.includes('team'));
});

test('a restricted Git Source shows its projects first, and refuses what belongs to the runtime by field', async () => {
  await go('/git-sources');
  await page.getByRole('button', { name: 'New Git Source…' }).click();
  const dialog = page.getByRole('dialog', { name: 'New Git Source' });
  await dialog.getByLabel('Name').fill('payments');
  await dialog.getByLabel('Repository', { exact: true }).fill(`${fairlead.endpoints.git}/payments/apps.git`);
  await dialog.getByText('Make the repository').click();
  await dialog.getByText('Restricted', { exact: true }).click();
  await dialog.getByLabel('Destinations').fill('payments');
  await dialog.getByRole('button', { name: 'Commit' }).click();
  await expect(dialog.getByText('payments: write cluster/namespace, as in in-cluster/team-a-*.')).toBeVisible();
  await dialog.getByLabel('Destinations').fill('in-cluster/payments-*\nin-cluster/argocd');
  await dialog.getByRole('button', { name: 'Look at the projects' }).click();
  await expect(dialog.getByText(/^Line 2: argocd belongs to the runtime/)).toBeVisible();
  await dialog.getByLabel('Destinations').fill('in-cluster/payments-*');
  await dialog.getByRole('button', { name: 'Look at the projects' }).click();
  await expect(dialog.getByText('kind: AppProject').first()).toBeVisible();
  await accessible('restricted Git Source');
  await dialog.getByRole('button', { name: 'Commit' }).click();
  await expect(dialog).toBeHidden({ timeout: 30_000 });
  await expect(page.getByRole('row', { name: /^payments restricted/ })).toBeVisible({ timeout: 30_000 });

  await page.getByRole('button', { name: 'Edit Git Source payments' }).click();
  const edit = page.getByRole('dialog', { name: 'Git Source payments' });
  await expect(edit.getByLabel('Destinations')).toHaveValue('in-cluster/payments-*');
  await edit.getByLabel('But not').fill('apps/DaemonSet');
  await edit.getByRole('button', { name: 'Commit' }).click();
  await expect(edit).toBeHidden({ timeout: 30_000 });
  const clone = await SampleClone.of(`${fairlead.endpoints.git}/fairlead/shared-config.git`, fairlead.apiKey);
  expect(await clone.git('grep', '-h', 'DaemonSet')).toContain('DaemonSet');
});

test('a cluster is unlinked, and the own one of the runtime stays', async () => {
  await go('/clusters');
  await expect(page.getByRole('button', { name: 'Remove cluster in-cluster' })).toBeHidden();
  await page.getByRole('button', { name: 'Remove cluster laptop' }).click();
  await page.getByRole('button', { name: 'Remove', exact: true }).click();
  await expect(page.getByRole('row', { name: /^laptop / })).toBeHidden({ timeout: 30_000 });
});
