// `npm run screenshots`: the pages of a real Fairlead with the sample, in both themes and on a phone, into docs/screenshots/.
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { build, checkNode, install, root } from './bootstrap.mjs';

checkNode();
await install();
await build();
const { chromium } = await import('@playwright/test');
const { findBrowser } = await import('./browser.mjs');
const { importTypeScript } = await import('./run-typescript.mjs');
const { Fairlead, SampleClone, temporaryHome, eventually } = await importTypeScript(join(root, 'e2e/harness.ts'));

const target = join(root, 'docs/screenshots');
mkdirSync(target, { recursive: true });
const fairlead = await Fairlead.start(temporaryHome());
try {
  await makeTrouble();
  const { executablePath, args, env } = await findBrowser();
  const browser = await chromium.launch({ executablePath, args, env: { ...process.env, ...env } });
  for (const { suffix, width, height } of [
    { suffix: '', width: 1440, height: 900 },
    { suffix: '-phone', width: 360, height: 740 },
  ]) {
    const context = await browser.newContext({ viewport: { width, height } });
    const page = await context.newPage();
    await page.goto(await signInLink());
    await page.waitForURL((address) => !address.pathname.startsWith('/sign-in'));
    for (const theme of suffix ? ['light'] : ['light', 'dark']) {
      await page.emulateMedia({ colorScheme: theme, reducedMotion: 'reduce' });
      for (const [name, path, ready, after] of pages()) {
        if (suffix && name.includes('tree')) continue; // a phone shows the list
        await page.goto(`${fairlead.endpoints.platform}${path}`);
        await ready(page);
        await page.locator('header').getByText('live', { exact: true }).first().waitFor({ state: 'attached' });
        await painted(page);
        const file = `${name}${suffix}-${theme}.png`;
        await page.screenshot({ path: join(target, file) });
        console.info(`docs/screenshots/${file}`);
        await after?.();
      }
    }
    await context.close();
  }
  await browser.close();
} finally {
  await fairlead.stop();
}
process.exit(0);

/** What has just changed its colour still has the old one in the frame of the change. */
async function painted(page) {
  await page.evaluate(() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done))));
}

/** Something to see: a change that works in dev, and an image that does not exist in staging. */
async function makeTrouble() {
  const clone = await fairlead.clone();
  const deploy = (folder, image) =>
    clone.edit(`${folder}/deployment.yaml`, (text) => text.replace(/image: .*/, `image: ${image}`));
  deploy('dev', 'example.com/guestbook:v6');
  await clone.push('Greet returning visitors by name');
  deploy('staging', 'example.com/guestbook:does-not-exist');
  // Gives up at once, so that the pages show what a failed rollout looks like.
  clone.edit('staging/deployment.yaml', (text) => text.replace(/^spec:\n/m, 'spec:\n  progressDeadlineSeconds: 2\n'));
  await clone.push('Try the new front end in staging');
  await clone.git('checkout', '--quiet', '-b', 'new-look');
  deploy('prod', 'example.com/guestbook:v7');
  clone.remove('dev/service.yaml');
  await clone.git('commit', '--quiet', '-am', 'A new look for production');
  await clone.git('push', '--quiet', 'origin', 'new-look');
  const configuration = await SampleClone.of(`${fairlead.endpoints.git}/demo/shared-config.git`, fairlead.apiKey);
  const rules = 'resources/configurations/access-rules';
  mkdirSync(join(configuration.dir, rules), { recursive: true });
  configuration.write(
    `${rules}/shop.yaml`,
    `apiVersion: fairlead.io/v1alpha1\nkind: AccessRule\nmetadata: { name: shop }\nspec:\n  effect: alow\n  teams: ['*']\n  entity: application\n  actions: [VIEW]\n`,
  );
  await configuration.push('Let everybody see the shop');
  await eventually(
    'the failed rollout to be seen',
    () => fairlead.run('app', 'get', 'guestbook-staging'),
    (text) => text.includes('does-not-exist') && text.includes('Degraded'),
    30_000,
  );
}

/** A link works once. */
async function signInLink() {
  const headers = { authorization: `Bearer ${fairlead.apiKey}` };
  const answer = await fetch(`${fairlead.endpoints.platform}/api/v1/sign-in-links`, { method: 'POST', headers });
  const { pathname, search } = new URL((await answer.json()).url);
  return fairlead.endpoints.platform + pathname + search;
}

/** The wizard where it waits for the runtime. */
async function addRuntime(page) {
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('Name').fill('edge');
  await dialog.getByRole('button', { name: 'Make an install token' }).click();
  await dialog.getByText('Waiting for the runtime…').waitFor();
}

/** The other pages are of an account without it. */
async function forgetRuntime() {
  const headers = { authorization: `Bearer ${fairlead.apiKey}` };
  await fetch(`${fairlead.endpoints.platform}/api/v1/runtimes/edge`, { method: 'DELETE', headers });
}

/** The form with the projects that its limits become. */
async function restrictedSource(page) {
  await page.getByRole('button', { name: 'New Git Source…' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('Name').fill('payments');
  await dialog.getByLabel('Repository', { exact: true }).fill(`${fairlead.endpoints.git}/payments/apps.git`);
  await dialog.getByText('Restricted', { exact: true }).click();
  await dialog.getByLabel('Destinations').fill('in-cluster/payments-*');
  await dialog.getByRole('button', { name: 'Look at the projects' }).click();
  await dialog.getByText('kind: AppProject').first().waitFor();
  await dialog.getByRole('button', { name: 'Look at the projects' }).scrollIntoViewIfNeeded();
}

/** What a component of the runtime wrote. */
async function componentLog(page) {
  await page.getByRole('button', { name: 'Logs of app-proxy' }).click();
  await page.getByText('role is ready').waitFor();
}

/** Name, address, and what is there when the page is. */
function pages() {
  const repository = `${fairlead.endpoints.git}/demo/guestbook.git`;
  const staging = '/applications/hosted/argocd/guestbook-staging';
  const dev = '/applications/hosted/argocd/guestbook-dev';
  const deployment = 'resource=apps/Deployment/guestbook-dev/guestbook-ui';
  const seen = (name) => (page) => page.getByText(name).first().waitFor();
  const tree = (page) => page.locator('[data-node], [aria-label="Resources"]').nth(0).waitFor();
  return [
    ['home', '/', seen('guestbook-dev')],
    ['applications', '/applications', seen('guestbook-prod')],
    ['cards', '/applications?view=cards', seen('guestbook-prod')],
    ['application', staging, tree],
    ['logs', `${dev}?${deployment}&pane=logs`, seen('is ready')],
    ['timeline', `${dev}?tab=timeline`, seen('State then')],
    ['services', `${dev}?tab=services`, seen('Reached at')],
    ['configuration', `${dev}?tab=configuration`, seen('Git Source demo')],
    ['new-application', '/applications/new', seen('What will be committed.')],
    ['runtimes', '/runtimes', seen('hosted')],
    ['add-runtime', '/runtimes?act=add', addRuntime, forgetRuntime],
    ['runtime', '/runtimes/hosted', seen('application-reporter')],
    ['component-log', '/runtimes/hosted', componentLog],
    ['git-sources', '/git-sources', seen('applications.git')],
    ['restricted-git-source', '/git-sources', restrictedSource],
    ['clusters', '/clusters', seen('in-cluster')],
    ['topology', '/topology', seen('in-cluster')],
    ['plan', `/plan?runtime=hosted&repo=${encodeURIComponent(repository)}&change=new-look`, seen('would change')],
    ['notifications', '/notifications', seen('is not a valid access rule')],
    ['audit', '/audit', seen('session.start')],
    ['users', '/settings/users', seen('administrator')],
    ['access', '/settings/access', seen('No rules yet')],
    ['git-tokens', '/settings/git-tokens', seen('Speaks as')],
  ];
}
