// Plays a scenario with a real kubectl and writes down what it printed, in a form in which two servers can be compared.
import { spawn } from 'node:child_process';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { delimiter, dirname, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { comparableText } from './comparable.ts';
import type { Line, Outcome, Scenario } from './scenario.ts';

export interface KubectlServer {
  readonly kubectl: string;
  /** The text of a kubeconfig whose context uses the namespace. */
  kubeconfig(namespace: string): string;
}

const settleMs = 20_000;

export async function playScenario(scenario: Scenario, server: KubectlServer): Promise<readonly Outcome[]> {
  const { name, files, lines } = scenario;
  const dir = await mkdtemp(join(tmpdir(), 'kubectl-scenario-'));
  try {
    const shell = { dir, kubectl: server.kubectl };
    await writeFile(join(dir, 'kubeconfig'), server.kubeconfig(name));
    for (const [file, text] of Object.entries(files)) {
      await mkdir(dirname(join(dir, file)), { recursive: true });
      await writeFile(join(dir, file), text);
    }
    await runLine({ run: `kubectl create namespace ${name}` }, shell);
    await runLine({ run: `kubectl get sa default -o name`, until: /default/ }, shell);
    const outcomes: Outcome[] = [];
    for (const line of lines) {
      const outcome = await runLine(typeof line === 'string' ? { run: line } : line, shell);
      outcomes.push({
        ...outcome,
        stdout: comparableText(outcome.stdout, outcome.run),
        stderr: comparableText(outcome.stderr, outcome.run),
      });
    }
    return outcomes;
  } finally {
    await rm(dir, { recursive: true, force: true });
  }
}

interface Shell {
  readonly dir: string;
  readonly kubectl: string;
}

async function runLine({ run, until }: Line, shell: Shell): Promise<Outcome> {
  const endMs = performance.now() + settleMs;
  for (;;) {
    const outcome = await runOnce(run, shell);
    if (!until || until.test(outcome.stdout) || performance.now() > endMs) return outcome;
    await sleep(100);
  }
}

function runOnce(run: string, { dir, kubectl }: Shell): Promise<Outcome> {
  return new Promise((resolve, reject) => {
    const env = {
      PATH: `${dirname(kubectl)}${delimiter}${process.env['PATH'] ?? ''}`,
      HOME: dir,
      KUBECONFIG: join(dir, 'kubeconfig'),
      TZ: 'UTC',
      LC_ALL: 'C',
    };
    const child = spawn('sh', ['-c', run], { cwd: dir, env, stdio: ['ignore', 'pipe', 'pipe'] });
    const texts = { stdout: '', stderr: '' };
    child.stdout.setEncoding('utf8').on('data', (text: string) => {
      texts.stdout += text;
    });
    child.stderr.setEncoding('utf8').on('data', (text: string) => {
      texts.stderr += text;
    });
    child.on('error', reject);
    child.on('close', (code) => resolve({ run, exitCode: code ?? -1, ...texts }));
  });
}
