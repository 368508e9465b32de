// Where the answers of a real kube-apiserver are kept, one file an area.
import { readFile, writeFile } from 'node:fs/promises';
import { comparable } from './play.ts';
import type { Answer, Sequence } from './sequence.ts';
import {
  administration,
  applies,
  badInput,
  customResources,
  lists,
  objects,
  patches,
  subresources,
  validation,
  written,
} from './sequences/index.ts';

export const areas: Readonly<Record<string, readonly Sequence[]>> = {
  objects,
  patches,
  applies,
  lists,
  subresources,
  validation,
  'custom-resources': customResources,
  'bad-input': badInput,
  administration,
  written,
};

export type Recording = Readonly<Record<string, readonly Answer[]>>;

const fileOf = (area: string) => new URL(`testdata/${area}.json`, import.meta.url);
const source = 'kube-apiserver v1.32.0 (Apache-2.0) with etcd 3.4.23; times, uids, versions and addresses replaced';

export async function readRecording(area: string): Promise<Recording> {
  const { answers } = JSON.parse(await readFile(fileOf(area), 'utf8')) as { answers: Recording }; // written below
  // What was recorded before a placeholder was thought of gets it now.
  const entries = Object.entries(answers).map(([name, steps]): [string, readonly Answer[]] => [
    name,
    steps.map(({ status, body, warnings }) => ({ status, body: comparable(body), warnings })),
  ]);
  return Object.fromEntries(entries);
}

export async function writeRecording(area: string, answers: Recording): Promise<void> {
  const rows = Object.entries(answers).map(([name, steps]) => `${JSON.stringify(name)}: ${JSON.stringify(steps)}`);
  await writeFile(fileOf(area), `{"source": ${JSON.stringify(source)},\n"answers": {\n${rows.join(',\n')}\n}}\n`);
}
