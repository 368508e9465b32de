import { spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { exec, FairleadError } from '@fairlead/base';
import { ApiError, errorStatus } from '@fairlead/contracts';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { exitCodeOf, exitCodes } from './exit-code.ts';
import { homeAt, prepareHome, recordProcesses, writeJson } from './home/index.ts';

const program = fileURLToPath(new URL('../bin/fairlead.mjs', import.meta.url));
const refused = (code: string) => new ApiError(400, { code, message: '', requestId: '' });

describe('exit codes', () => {
  it.each([
    ['bad_request', exitCodes.badInput],
    ['invalid', exitCodes.badInput],
    ['not_found', exitCodes.notFound],
    ['not_signed_in', exitCodes.notAllowed],
    ['forbidden', exitCodes.notAllowed],
    ['git_token_refused', exitCodes.notAllowed],
    ['conflict', exitCodes.conflict],
    ['outcome_unknown', exitCodes.timeout],
    ['runtime_unreachable', exitCodes.unreachable],
    ['internal', exitCodes.failed],
  ])('of an answer %s is %i', (code, expected) => {
    expect(Object.keys(errorStatus)).toContain(code);
    expect(exitCodeOf(refused(code))).toBe(expected);
  });

  it('of something unforeseen is 1', () => {
    expect(exitCodeOf(new TypeError('x'))).toBe(exitCodes.failed);
    expect(exitCodeOf(new FairleadError('never_heard_of', 'x'))).toBe(exitCodes.failed);
  });

  it('are all in the table of the docs', () => {
    const page = readFileSync(new URL('../../../docs/components/command-line.md', import.meta.url), 'utf8');
    for (const code of Object.values(exitCodes)) expect(page).toMatch(new RegExp(`^\\| ${code} \\|`, 'm'));
  });
});

describe('the command line', () => {
  let dir: string;
  beforeAll(() => {
    dir = mkdtempSync(join(tmpdir(), 'fairlead-exit-'));
  });
  afterAll(() => rmSync(dir, { recursive: true, force: true }));

  it.each([
    [['--help'], 0, /Usage: fairlead/],
    [['aap', 'list'], exitCodes.badInput, /unknown command 'aap'\n\(Did you mean app\?\)/],
    [['app', 'get'], exitCodes.badInput, /missing required argument 'name'/],
    [['app', 'list', '-o', 'xml'], exitCodes.badInput, /-o xml: must be one of table, json, yaml/],
    [['app', 'list'], exitCodes.unreachable, /fairlead up/],
    [['runtime', 'logs', 'hosted', 'engin'], exitCodes.badInput, /component engin: must be one of cluster, engine/],
    [['runtime', 'delete', 'r9', '--yes'], exitCodes.unreachable, /fairlead up/],
    [['context', 'use', 'nowhere'], exitCodes.notFound, /there is no context nowhere/],
    [['context', 'add', 'work'], exitCodes.badInput, /either --url URL or --from-home DIR/],
    [['context', 'add', 'work', '--url', 'fairlead'], exitCodes.badInput, /--url fairlead: must be the address/],
  ] as const)('%j ends with %i and says why', async (args, code, words) => {
    const env = { ...process.env, FAIRLEAD_HOME: join(dir, 'home'), FAIRLEAD_CONFIG: join(dir, 'contexts.json') };
    const all = [0, ...Object.values(exitCodes)];
    const result = await exec(process.execPath, [program, ...args], { env, okExitCodes: all, timeoutMs: 30_000 });
    expect(result.stdout.toString('utf8') + result.stderr).toMatch(words);
    expect(result.exitCode).toBe(code);
  });

  it('tells by `status` what runs also when the platform does not answer, and then why not', async () => {
    const home = homeAt(join(dir, 'half'));
    prepareHome(home);
    const supervisor = spawn(process.execPath, ['-e', 'setInterval(() => undefined, 1000)', 'fairlead']);
    try {
      const url = 'http://127.0.0.1:1';
      const processes = { runtime: supervisor.pid ?? 0, platform: 2 ** 22 + 1 }; // higher than any process id
      recordProcesses(home, { pid: supervisor.pid ?? 0, url, processes });
      writeJson(home.endpointsFile, { platform: url });
      const args = [program, 'status', '--home', home.dir];
      const result = await exec(process.execPath, args, { okExitCodes: [exitCodes.unreachable], timeoutMs: 30_000 });
      expect(result.stdout.toString('utf8')).toMatch(
        /process runtime +pid \d+\nprocess platform +ended; it is being started/,
      );
      expect(result.stderr).toMatch(/^fairlead: .*127\.0\.0\.1:1.*\n$/);
    } finally {
      supervisor.kill('SIGKILL');
    }
  });
});
