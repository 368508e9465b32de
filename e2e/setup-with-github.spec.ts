// The three steps of the set-up with GitHub, emulated: its REST API and git at one address. In the browser, and by the
// command line in an installation of its own.
import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { type ServedProvider, serveProvider } from '@fairlead/git';
import { expect, test } from '@playwright/test';
import { cli, eventually, Fairlead, SampleClone, temporaryHome } from './harness.ts';

const token = 'ghp_emulated';

let fairlead: Fairlead;
let github: ServedProvider;

test.beforeEach(async () => {
  test.setTimeout(180_000);
  fairlead = await Fairlead.start(temporaryHome(), ['--empty']);
  github = await serveProvider('github', {
    token,
    git: { url: fairlead.endpoints.git, apiKey: fairlead.apiKey },
  });
  github.host.tokenExpiresAt = new Date(Date.now() + 5 * 86_400_000).toISOString();
});
test.afterEach(async () => {
  await fairlead?.stop();
  await github?.close();
});

/** As anybody who may read it at the provider. */
const log = async (repository: string) =>
  (await SampleClone.of(`${github.url}/${repository}.git`, token, 'x-access-token')).git('log', '--format=%an: %s');

interface SetupState {
  readonly git: { readonly status: string; readonly sharedConfigRepo?: string };
  readonly cluster: { readonly status: string };
}

async function allIsDone(): Promise<void> {
  const { git, cluster } = await fairlead.get<SetupState>('/setup');
  expect(git).toMatchObject({ status: 'done', sharedConfigRepo: `${github.url}/demo/shared-config.git` });
  expect(cluster.status).toBe('done');
  await eventually(
    'the Git Source is in sync',
    () => fairlead.get<{ items: { name: string; sync: string }[] }>('/git-sources'),
    ({ items }) => items.some(({ name, sync }) => name === 'default' && sync === 'Synced'),
    60_000,
  );
  expect([...github.host.repositories].sort()).toEqual(['demo/applications', 'demo/shared-config']);
  expect(await log('demo/shared-config')).toMatch(/^\S.*: .*laptop/);
}

test('in the browser: a wrong token and an organisation without rights are refused in words, then all is made', async ({
  page,
}) => {
  await page.goto(fairlead.signInUrl);
  await page.getByRole('button', { name: 'Install the hosted runtime' }).click();
  await expect(page.getByRole('link', { name: /View runtime/ })).toBeVisible({ timeout: 60_000 });

  await page.getByLabel('Provider', { exact: true }).selectOption('github');
  await page.getByLabel('Address').fill(github.url);
  await page.getByLabel('Your token').fill('ghp_ended');
  await page.getByRole('button', { name: 'Seal and send the token' }).click();
  await expect(page.getByText(/does not take this token; make a new one/)).toBeVisible();
  await page.getByLabel('Your token').fill(token);
  await page.getByRole('button', { name: 'Seal and send the token' }).click();

  const organisation = page.getByLabel('Organisation');
  await expect(organisation.locator('option')).toContainText(['demo', 'ops', 'web']);
  await organisation.selectOption('ops');
  await expect(page.getByText(`${github.url}/ops/shared-config.git`)).toBeVisible();
  await page.getByRole('button', { name: 'Create' }).click();
  await expect(page.getByRole('alert')).toContainText(/ops/);
  await organisation.selectOption('demo');
  await page.getByRole('button', { name: 'Create' }).click();
  await expect(page.getByRole('link', { name: 'View the Git Sources' })).toBeVisible({ timeout: 60_000 });

  await expect(page.getByText('npx fairlead cluster add hosted', { exact: true })).toBeVisible();
  await fairlead.run('cluster', 'add', 'hosted', '--kubeconfig', `${fairlead.home}/kubeconfig`, '--name', 'laptop');
  await expect(page.getByText('Set up Fairlead')).toBeHidden({ timeout: 30_000 });
  await allIsDone();

  const { host } = new URL(github.url);
  const attention = page.getByRole('link', { name: `Your Git token for ${host} in hosted: it ends in 5 days` });
  await page.reload();
  await attention.click();
  await expect(page.getByText(`Your token for ${host} ends soon.`)).toBeVisible();
  await page.getByRole('button', { name: 'Replace it…' }).click();
  await expect(page.getByRole('dialog').getByLabel('Host')).toHaveValue(github.url);
  expect(await fairlead.run('git-token', 'list')).toMatch(/expires-soon +\d{4}-\d\d-\d\d, in 5 days/);
});

test('by the command line: a wrong token is refused by field and remedy, then all is made', async () => {
  const setUp = (secret: string) => {
    const flags = ['--git-provider', 'github', '--git-url', github.url, '--org', 'demo', '--home', fairlead.home];
    const running = promisify(execFile)(process.execPath, [cli, 'setup', ...flags]);
    running.child.stdin?.end(secret);
    return running;
  };
  await expect(setUp('ghp_ended')).rejects.toMatchObject({ code: 4, stderr: expect.stringMatching(/token/) });
  const { stdout } = await setUp(token);
  for (const step of ['1/3 runtime', `made ${github.url}/demo/shared-config.git`, '3/3 cluster']) {
    expect(stdout).toContain(step);
  }
  await allIsDone();
});
