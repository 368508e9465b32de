// `npm run screenshots`: the pages of a real Fairlead with the sample, in both themes, into docs/screenshots/.
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
  const context = await browser.newContext({ viewport: { width: 1440, height: 900 } });
  const page = await context.newPage();
  await page.goto(fairlead.signInUrl);
  await page.getByRole('link', { name: 'guestbook-dev', exact: true }).waitFor();
  for (const theme of ['light', 'dark']) {
    await page.emulateMedia({ colorScheme: theme, reducedMotion: 'reduce' });
    for (const [name, path, ready] of pages()) {
      await page.goto(`${fairlead.endpoints.platform}${path}`);
      await ready(page);
      await page.screenshot({ path: join(target, `${name}-${theme}.png`) });
      console.info(`docs/screenshots/${name}-${theme}.png`);
    }
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
  await eventually(
    'the broken image to be seen',
    () => fairlead.run('app', 'get', 'guestbook-staging'),
    (text) => text.includes('does-not-exist') && text.includes('Progressing'),
    30_000,
  );
}

function pages() {
  const staging = '/applications/hosted/argocd/guestbook-staging';
  const seen = (name) => (page) => page.getByText(name).first().waitFor();
  return [
    ['applications', '/applications', seen('guestbook-prod')],
    [
      'application',
      staging,
      (page) =>
        page
          .getByRole('group', { name: 'Resource tree' })
          .getByRole('button', { name: /^Deployment guestbook-ui/ })
          .waitFor(),
    ],
    ['runtimes', '/runtimes', seen('hosted')],
  ];
}
