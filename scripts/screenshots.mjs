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
const { Fairlead, temporaryHome, eventually } = await importTypeScript(join(root, 'e2e/harness.ts'));

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
    await page.getByRole('heading').first().waitFor();
    for (const theme of suffix ? ['light'] : ['light', 'dark']) {
      await page.emulateMedia({ colorScheme: theme, reducedMotion: 'reduce' });
      for (const [name, path, ready] of pages()) {
        if (suffix && name.includes('tree')) continue; // a phone shows the list
        await page.goto(`${fairlead.endpoints.platform}${path}`);
        await ready(page);
        const file = `${name}${suffix}-${theme}.png`;
        await page.screenshot({ path: join(target, file) });
        console.info(`docs/screenshots/${file}`);
      }
    }
    await context.close();
  }
  await browser.close();
} finally {
  await fairlead.stop();
}
process.exit(0);

/** Something to see: a change that works in dev, and an image that does not exist in staging. */
async function makeTrouble() {
  const clone = await fairlead.clone();
  const deploy = (folder, image) =>
    clone.edit(`${folder}/deployment.yaml`, (text) => text.replace(/image: .*/, `image: ${image}`));
  deploy('dev', 'example.com/guestbook:v6');
  await clone.push('Greet returning visitors by name');
  deploy('staging', 'example.com/guestbook:does-not-exist');
  await clone.push('Try the new front end in staging');
  await clone.git('checkout', '--quiet', '-b', 'new-look');
  deploy('prod', 'example.com/guestbook:v7');
  clone.remove('dev/service.yaml');
  await clone.git('commit', '--quiet', '-am', 'A new look for production');
  await clone.git('push', '--quiet', 'origin', 'new-look');
  await eventually(
    'the broken image to be seen',
    () => fairlead.run('app', 'get', 'guestbook-staging'),
    (text) => text.includes('does-not-exist') && text.includes('Progressing'),
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
    ['new-application', '/applications/new', seen('what will be committed')],
    ['runtimes', '/runtimes', seen('hosted')],
    ['runtime', '/runtimes/hosted', seen('application-reporter')],
    ['git-sources', '/git-sources', seen('applications.git')],
    ['clusters', '/clusters', seen('in-cluster')],
    ['topology', '/topology', seen('in-cluster')],
    ['plan', `/plan?runtime=hosted&repo=${encodeURIComponent(repository)}&change=new-look`, seen('would change')],
    ['audit', '/audit', seen('session.start')],
    ['users', '/settings/users', seen('administrator')],
    ['access', '/settings/access', seen('No rules yet')],
    ['git-tokens', '/settings/git-tokens', seen('Speaks as')],
  ];
}
