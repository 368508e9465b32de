// Words that strangers wrote (names, commits, annotations, links) are shown as words: nothing executes, nothing is linked
// that acts, the content policy has nothing to report, and the page keeps its shape. reliability.md H-91 to H-97.
import { join } from 'node:path';
import {
  registerTestRuntime,
  reported,
  sampleReport,
  startTestPlatform,
  type TestPlatform,
} from '@fairlead/platform/testing';
import { expect, type Page, test } from '@playwright/test';
import { root } from './harness.ts';

test.describe.configure({ mode: 'serial' });

let platform: TestPlatform;
let page: Page;
const alarms: string[] = [];
const script = '<img src=x onerror="window.fairleadHit=1"><script>window.fairleadHit=1</script>';

test.beforeAll(async ({ browser }) => {
  platform = await startTestPlatform({ webDir: join(root, 'packages/web/dist') });
  const runtime = await registerTestRuntime(platform, 'hostile');
  const revision = 'f'.repeat(40);
  const hostile = (name: string, url: string) =>
    sampleReport(name, {
      ...{ annotations: { 'link.argocd.argoproj.io/x': 'javascript:window.fairleadHit=1' }, labels: { evil: script } },
      commit: {
        revision,
        message: `${script} {{7*7}} [a](javascript:alert(1))`,
        author: `${script} <a@b.c>`,
        date: '2026-01-01T00:00:00Z',
        url,
      },
      sync: { status: 'OutOfSync', revision },
      health: { status: 'Degraded', message: script },
      conditions: [{ type: 'ComparisonError', message: script }],
      history: [{ id: 1, revision, deployedAt: '2026-01-01T00:00:00Z' }],
      images: [`registry.example/${script}:v1`],
      tree: [
        {
          uid: 'u1',
          group: '',
          version: 'v1',
          kind: 'ConfigMap',
          namespace: 'x',
          name: script,
          parents: [],
          info: [{ name: script, value: script }],
        },
        {
          ...{ uid: 'u2', group: '', version: 'v1', kind: 'Pod', namespace: 'x', name: 'talker', parents: [] },
          health: { status: 'Healthy' },
        },
      ],
    });
  const urls = [
    'javascript:window.fairleadHit=1',
    'JaVaScRiPt:window.fairleadHit=1',
    'java\tscript:window.fairleadHit=1',
    'data:text/html,<script>1</script>',
    'vbscript:x',
    '//evil.example',
    '\\\\evil.example',
  ];
  const objects = [
    ...urls.map((url, n) => reported(hostile(`hostile-${n}`, url), 1)),
    reported(hostile(script, urls[0] ?? ''), 1),
    reported(hostile(`turned-\u202Etxt.exe`, urls[0] ?? ''), 1),
    reported(hostile(`long-${'x'.repeat(10_000)}`, urls[0] ?? ''), 1),
  ];
  const receipt = await runtime.api.call('reportEvents', { body: { reporter: 'test', objects, contents: {} } });
  expect(receipt.applied + receipt.quarantined.length).toBe(objects.length);
  page = await (await browser.newContext()).newPage();
  page.setDefaultTimeout(10_000);
  page.on('dialog', (dialog) => alarms.push(dialog.message()));
  page.on('pageerror', (error) => alarms.push(String(error)));
  page.on('console', (message) => {
    if (/Content Security Policy/.test(message.text())) alarms.push(message.text());
  });
  const { url } = await platform.api.call('createSignInLink', {});
  await page.goto(platform.url + new URL(url).pathname + new URL(url).search);
  await expect(page.getByText('Needs attention')).toBeVisible();
});

test.afterAll(async () => {
  await page?.context().close();
  await platform?.stop();
});

test('on every page that shows them', async () => {
  for (const path of [
    '/',
    '/applications',
    '/applications?view=cards',
    '/applications/hostile/argocd/hostile-0',
    '/applications/hostile/argocd/hostile-0?tab=timeline',
    '/applications/hostile/argocd/hostile-0?tab=services',
    '/applications/hostile/argocd/hostile-0?view=list',
    `/plan?runtime=hostile&repo=${encodeURIComponent(script)}&change=${encodeURIComponent(script)}`,
    `/applications?search=${encodeURIComponent(script)}`,
    `/sign-in?code=${encodeURIComponent(script)}&next=${encodeURIComponent('javascript:alert(1)')}`,
    `/no-such-page?error=${encodeURIComponent(script)}`,
    '/audit',
  ]) {
    await page.goto(platform.url + path);
    await expect(page.getByRole('heading').first()).toBeVisible();
    await page.waitForLoadState('networkidle').catch(() => undefined); // the live feed never rests
    expect(await page.evaluate(() => 'fairleadHit' in window), path).toBe(false);
    const links = await page
      .locator('a[href]')
      .evaluateAll((anchors) => anchors.map((anchor) => anchor.getAttribute('href') ?? ''));
    expect(
      links.filter((href) => !/^(\/(?!\/)|#|https?:|mailto:)/.test(href)),
      path,
    ).toEqual([]);
    expect(
      await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth),
      `${path} keeps its width`,
    ).toBe(true);
  }
  expect(alarms).toEqual([]);
});

test('what turns a text round is marked', async () => {
  await page.goto(`${platform.url}/applications?search=turned`);
  await expect(page.getByText('turned-⟨202E⟩txt.exe')).toBeVisible();
});

test('log lines that steer terminals or carry markup are only read', async () => {
  const lines = [
    script,
    '\u001b]0;owned\u0007\u001b]8;;javascript:alert(1)\u0007click\u001b]8;;\u0007',
    '\u001b[2J\u001b[31mred\u001b[0m',
    'https://example.com/ javascript:window.fairleadHit=1',
    'password: hunter2\u202Etxt',
    'x'.repeat(20_000),
  ];
  const body = lines.map((line) => `data: ${JSON.stringify({ pod: 'talker', time: '', line })}\n\n`).join('');
  await page.route('**/logs?*', (route) => route.fulfill({ contentType: 'text/event-stream', body }));
  await page.goto(`${platform.url}/applications/hostile/argocd/hostile-0?resource=/Pod/x/talker&pane=logs`);
  const log = page.getByRole('region', { name: 'Log' });
  await expect(log.getByText(script)).toBeVisible();
  await expect(log.getByText('click', { exact: true })).toBeVisible();
  await expect(log.getByText('red', { exact: true })).toBeVisible();
  await expect(log.getByText('password: hunter2⟨202E⟩txt')).toBeVisible();
  await expect(log.locator('a, img, script')).toHaveCount(0);
  expect(await page.evaluate(() => 'fairleadHit' in window)).toBe(false);
  expect(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth)).toBe(true);
  expect(alarms).toEqual([]);
});
