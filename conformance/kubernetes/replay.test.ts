// The embedded cluster gives the answers that a real kube-apiserver gave. What does not agree yet is listed by name in
// differences.json; a name that agrees must leave the list.
import { readFileSync, writeFileSync } from 'node:fs';
import { type RunningCluster, startCluster } from '@fairlead/cluster';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { play, type Server } from './play.ts';
import { areas, type Recording, readRecording } from './recording.ts';

const listFile = new URL('differences.json', import.meta.url);
const differing = new Set(JSON.parse(readFileSync(listFile, 'utf8')) as string[]);
const all = Object.values(areas).flat();

let cluster: RunningCluster;
let server: Server;
const seen: string[] = [];
const given: Record<string, unknown> = {};

beforeAll(async () => {
  cluster = await startCluster({ controllers: 'none' });
  const token = /token: (\S+)/.exec(cluster.kubeconfig)?.[1] ?? '';
  server = { url: cluster.url, token };
});
afterAll(async () => {
  await cluster.stop();
  const passed = all.length - seen.length;
  console.log(`kubernetes: ${passed} of ${all.length} sequences agree (${((passed / all.length) * 100).toFixed(1)} %)`);
  const { ANSWERS_FILE: answersFile } = process.env;
  if (answersFile) writeFileSync(answersFile, JSON.stringify(given));
  if (process.env['RECORD'] === '1') writeFileSync(listFile, `${JSON.stringify(seen, null, 2)}\n`);
});

describe.each(Object.entries(areas))('%s', (area, sequences) => {
  let recording: Recording;
  beforeAll(async () => {
    recording = await readRecording(area);
  });

  it.each(sequences.map((sequence) => [sequence.name, sequence] as const))('%s', async (name, sequence) => {
    const answers = await play(sequence, server);
    given[name] = answers;
    let failure: unknown;
    try {
      expect(answers).toEqual(recording[name]);
    } catch (error) {
      failure = error;
      seen.push(name);
    }
    if (process.env['RECORD'] === '1') return;
    if (!differing.has(name)) expect(failure).toBeUndefined();
    else expect(failure, `"${name}" agrees now: take it off differences.json`).toBeDefined();
  });
});
