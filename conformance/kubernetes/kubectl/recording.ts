// Where the words of kubectl against a real control plane are kept, one file a scenario.
import { readFile, writeFile } from 'node:fs/promises';
import { comparableText } from './comparable.ts';
import type { Outcome } from './scenario.ts';

const fileOf = (name: string) => new URL(`testdata/${name}.json`, import.meta.url);
const source = 'kubectl v1.35.2 against kube-apiserver and kube-controller-manager v1.32.0, etcd 3.4.23';

export async function readOutcomes(name: string): Promise<readonly Outcome[]> {
  const { outcomes } = JSON.parse(await readFile(fileOf(name), 'utf8')) as { outcomes: readonly Outcome[] }; // written below
  // What was recorded before a placeholder was thought of gets it now.
  return outcomes.map((outcome) => ({
    ...outcome,
    stdout: comparableText(outcome.stdout, outcome.run),
    stderr: comparableText(outcome.stderr, outcome.run),
  }));
}

export async function writeOutcomes(name: string, outcomes: readonly Outcome[]): Promise<void> {
  await writeFile(fileOf(name), `${JSON.stringify({ source, outcomes }, null, 1)}\n`);
}
