// A runtime is added from the browser: the page gives a one-time token and the command, the command is run exactly as it is
// shown, and the page follows it live. The cluster is the embedded one, reached by its kubeconfig like any other.
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, existsSync, readFileSync } from 'node:fs';
import { createServer, type Server } from 'node:net';
import { AxeBuilder } from '@axe-core/playwright';
import { freePort } from '@fairlead/base';
import { expect, type Page, test } from '@playwright/test';
import { cli, Fairlead, temporaryHome } from './harness.ts';

test.describe.configure({ mode: 'serial' });

let fairlead: Fairlead;
let page: Page;
let command: string;
/** Of the machine that the runtime is installed on: the platform's home is another one. */
const machine = temporaryHome();
const started: ChildProcess[] = [];
/** By each of them, so far. */
const said: string[] = [];

test.beforeAll(async ({ browser }) => {
  fairlead = await Fairlead.start(temporaryHome(), ['--empty']);
  page = await (await browser.newContext()).newPage();
  await page.clock.install();
  await page.goto(fairlead.signInUrl);
  await expect(page.getByText('Set up Fairlead')).toBeVisible();
});
test.afterEach(async () => {
  const { status, expectedStatus } = test.info();
  if (status === expectedStatus) return;
  await test.info().attach('what the commands said', { body: said.join('\n---\n'), contentType: 'text/plain' });
  const edge = JSON.stringify(await fairlead.get('/runtimes/edge').catch(String));
  await test.info().attach('what the platform knows of edge', { body: edge, contentType: 'text/plain' });
});
test.afterAll(async () => {
  await Promise.all(started.map(stop));
  for (const name of ['edge', 'beside']) {
    if (existsSync(`${machine}/attached/${name}`)) await there('runtime', 'stop', name);
  }
  await page?.context().close();
  await fairlead?.stop();
});

async function stop(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const ended = new Promise((resolve) => child.once('exit', resolve));
  child.kill('SIGTERM');
  await ended;
}

/** As it is shown, with the kubeconfig of the home and a folder of its own. */
function run(
  shown: string,
  flags = ['--kubeconfig', `${fairlead.home}/kubeconfig`],
): { child: ChildProcess; ended: Promise<{ code: number | null; output: string }> } {
  const args = shown.replace(/^npx fairlead /, '').split(' ');
  const more = args.includes('--embedded') ? ['--home', fairlead.home] : [...flags, '--home', machine];
  const child = spawn(process.execPath, [cli, ...args, ...more], { stdio: ['ignore', 'pipe', 'pipe'] });
  const number = said.push('') - 1;
  started.push(child);
  const hear = (chunk: Buffer) => {
    said[number] += chunk.toString('utf8');
  };
  child.stdout.on('data', hear);
  child.stderr.on('data', hear);
  const ended = new Promise<{ code: number | null; output: string }>((resolve) =>
    child.once('exit', (code) => resolve({ code, output: said[number] ?? '' })),
  );
  return { child, ended };
}

/** Another program that takes a port of the runtime, after it was chosen and before it is used. */
async function takePort(runtime: string): Promise<Server> {
  const file = `${machine}/attached/${runtime}/ports.json`;
  while (!existsSync(file)) await new Promise((resolve) => setTimeout(resolve, 5));
  const server = createServer().listen(JSON.parse(readFileSync(file, 'utf8')).router, '127.0.0.1');
  await once(server, 'listening');
  return server;
}

const dialog = () => page.getByRole('dialog');
const shownCommand = async () => (await dialog().locator('code').first().textContent()) ?? '';

test('the wizard takes a name, makes a token and shows the whole command once', async () => {
  await page.goto(`${fairlead.endpoints.platform}/runtimes`);
  await page.getByRole('button', { name: 'Add runtime…' }).click();
  await dialog().getByLabel('Name').fill('Edge 1');
  await expect(dialog().getByText(/Lower-case letters, digits and hyphens/)).toBeVisible();
  await dialog().getByLabel('Name').fill('edge');
  await dialog().getByRole('button', { name: 'Make an install token' }).click();
  await expect(dialog().getByText('Waiting for the runtime…')).toBeVisible();
  command = await shownCommand();
  expect(command).toMatch(
    new RegExp(
      `^npx fairlead runtime install --name edge --background --platform ${fairlead.endpoints.platform} --token flr_\\S+$`,
    ),
  );
  const { violations } = await new AxeBuilder({ page }).setLegacyMode().exclude('[data-live-announcer]').analyze();
  expect(violations.map(({ id, nodes }) => `${id}: ${nodes[0]?.html}`)).toEqual([]);
});

test('what to do is said when the runtime does not come within a minute', async () => {
  await page.clock.fastForward(61_000);
  await expect(dialog().getByText('edge did not come within a minute.')).toBeVisible();
  await expect(dialog().getByText(`curl ${fairlead.endpoints.platform}/healthz`)).toBeVisible();
});

test('a token that was revoked is refused by the command, in one line', async () => {
  await dialog().getByRole('button', { name: 'Revoke the token' }).click();
  await expect(dialog().getByText('The install token was revoked.')).toBeVisible();
  const { code, output } = await run(command).ended;
  expect(output).toMatch(/^fairlead: --token: the install token is unknown, used up or expired/);
  expect(code).toBe(4);
});

test('a new token makes a new command; the page follows the runtime until it has come', async () => {
  await page.goto(`${fairlead.endpoints.platform}/runtimes/edge`);
  await expect(page.getByText('It has no install token.')).toBeVisible();
  await page.getByRole('button', { name: 'New install token…' }).click();
  await dialog().getByRole('button', { name: 'Make an install token' }).click();
  await expect(dialog().getByText('Waiting for the runtime…')).toBeVisible();
  const fresh = await shownCommand();
  expect(fresh).not.toBe(command);
  const { ended } = run(fresh);
  const another = await takePort('edge');
  await expect(dialog().getByText('Runtime edge is connected.')).toBeVisible({ timeout: 60_000 });
  another.close();
  await expect(dialog().getByText(/--token/), 'the token is seen no more').toBeHidden();
  await dialog().getByRole('button', { name: 'View runtime edge' }).click();
  await expect(page.getByRole('heading', { name: 'edge', exact: true })).toBeVisible();
  const { code, output } = await ended;
  expect(output).toContain('Runtime edge is connected.');
  expect(output).toMatch(/Its components run on this machine \(pid \d+, logs in .*\), its Applications in https:/);
  expect(code).toBe(0);
});

/** A command on the machine of the runtime. */
const there = (...words: string[]) => run(words.join(' '), []).ended;
const statusIs = (status: string) =>
  expect
    .poll(async () => (await fairlead.get<{ status: string }>('/runtimes/edge')).status, { timeout: 60_000 })
    .toBe(status);

const components =
  'source-server,app-proxy,request-router,tunnel-client,application-reporter,resource-reporter,change-revision'.split(
    ',',
  );

/** Without a cluster: that one is not of the runtime. */
async function wellComponents(runtime: string): Promise<string[]> {
  const { report } = await fairlead.get<{ report?: { components: { name: string; health: string }[] } }>(
    `/runtimes/${runtime}`,
  );
  return (report?.components ?? []).filter(({ health }) => health === 'Healthy').map(({ name }) => name);
}

test('it goes on without its command, is stopped and started again, and its cluster holds one runtime only', async () => {
  const again = command.replace(/ --token .*/, '');
  expect(await run(again).ended).toMatchObject({
    code: 5,
    output: expect.stringMatching(/runs on this machine already \(pid/),
  });
  expect(await there('runtime', 'stop', 'edge')).toMatchObject({ code: 0 });
  await statusIs('offline');
  expect((await there('runtime', 'start', 'edge')).output).toContain('Runtime edge is connected (pid');
  await statusIs('connected');
  await expect.poll(() => wellComponents('edge')).toEqual(['engine', ...components]);
  const other = await run(again.replace('--name edge', '--name other')).ended;
  expect(other.output).toMatch(/holds runtime edge of .*; take that out first: fairlead runtime detach/);
  expect(other.code).toBe(5);
});

test('one whose process was killed is taken away, also out of its cluster; what never came to be too', async () => {
  expect(existsSync(`${machine}/attached/other`), 'what was refused leaves nothing').toBe(false);
  // As an installation leaves it that was killed before it came to the cluster.
  cpSync(`${machine}/attached/edge/attachment.json`, `${machine}/attached/other/attachment.json`);
  const never = await there('runtime', 'uninstall', 'other', '--yes');
  expect(never.output).toMatch(/holds nothing of other\.\n(.*\n)*Runtime other is removed\./);
  await statusIs('connected');
  process.kill(
    Number(/"pid": *(\d+)/.exec(readFileSync(`${machine}/attached/edge/holder.json`, 'utf8'))?.[1]),
    'SIGKILL',
  );
  const { output, code } = await there('runtime', 'uninstall', 'edge', '--yes');
  expect(output).toMatch(/^removed /m);
  expect(output).toContain('Runtime edge is removed.');
  expect(code).toBe(0);
  expect(existsSync(`${machine}/attached/edge`)).toBe(false);
  await statusIs('offline');
});

test('beside an Argo CD that the cluster has, it brings no engine, shows what is there, and leaves it there', async () => {
  test.setTimeout(240_000);
  const { platform } = fairlead.endpoints;
  const engine = `http://127.0.0.1:${await freePort()}`;
  const key = `${fairlead.home}/api-key`;
  const ofEngine = ['--engine-port', new URL(engine).port, '--engine-dir', `${machine}/argo-cd`, '--api-key-file', key];
  const inCluster = ['--kubeconfig-file', `${fairlead.home}/kubeconfig`];
  started.push(spawn(process.execPath, [cli, 'role', 'engine', ...ofEngine, ...inCluster], { stdio: 'ignore' }));
  const asked = (path: string, body?: object) =>
    fetch(`${path.startsWith('/runtimes') ? `${platform}/api/v1` : engine}${path}`, {
      ...(body && { method: 'POST', body: JSON.stringify(body) }),
      headers: { authorization: `Bearer ${fairlead.apiKey}`, 'content-type': 'application/json' },
    });
  await expect
    .poll(
      () =>
        asked('/api/version').then(
          ({ ok }) => ok,
          () => false,
        ),
      { timeout: 60_000 },
    )
    .toBe(true);
  const spec = {
    project: 'default',
    source: { repoURL: 'https://git.example/none.git', path: '.', targetRevision: 'main' },
    destination: { server: 'https://kubernetes.default.svc', namespace: 'default' },
  };
  const theirs = { apiVersion: 'argoproj.io/v1alpha1', kind: 'Application', metadata: { name: 'theirs' }, spec };
  await expect.poll(async () => (await asked('/api/v1/applications', theirs)).status, { timeout: 60_000 }).toBe(200);

  const { installToken } = (await (await asked('/runtimes', { name: 'beside', kind: 'hybrid' })).json()) as {
    installToken: string;
  };
  const install = `runtime install --name beside --background --platform ${platform} --token ${installToken}`;
  const half = await run(`${install} --argo-cd-url ${engine}`).ended;
  expect(half.output).toContain('--argo-cd-url and --argo-cd-token-file go together');
  const { code, output } = await run(`${install} --argo-cd-url ${engine} --argo-cd-token-file ${key}`).ended;
  expect(output).toContain('Runtime beside is connected.');
  expect(code).toBe(0);
  await expect.poll(() => wellComponents('beside'), { timeout: 60_000 }).toEqual(['engine', ...components]);
  expect(existsSync(`${machine}/attached/beside/logs/engine.log`), 'no engine of its own').toBe(false);
  const reported = () => fairlead.get<{ items: { id: { runtime: string; name: string } }[] }>('/applications');
  await expect
    .poll(async () => (await reported()).items.map(({ id }) => id), { timeout: 60_000 })
    .toContainEqual(expect.objectContaining({ runtime: 'beside', name: 'theirs' }));

  expect((await there('runtime', 'uninstall', 'beside', '--yes')).output).toContain('Runtime beside is removed.');
  expect((await asked('/api/v1/applications/theirs')).status, 'what is theirs stays').toBe(200);
});

test('on the machine of the platform an embedded runtime is offered too', async () => {
  await page.goto(`${fairlead.endpoints.platform}/runtimes?act=add`);
  await dialog().getByLabel('Where').selectOption('embedded');
  await dialog().getByLabel('Name').fill('r2');
  await dialog().getByRole('button', { name: 'Show the command' }).click();
  const { ended } = run(await shownCommand());
  await expect(dialog().getByText('Runtime r2 is connected.')).toBeVisible({ timeout: 60_000 });
  expect((await ended).code).toBe(0);
});
