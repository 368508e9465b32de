// `KUBE_APISERVER=… ETCD=… npm run prove -- kubernetes`: what is recorded is what a real kube-apiserver answers. With
// `RECORD=1` the answers are written down instead.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { binaries, type Oracle, startOracle } from './oracle.ts';
import { play } from './play.ts';
import { areas, readRecording, writeRecording } from './recording.ts';
import type { Answer } from './sequence.ts';

const found = binaries();

describe.skipIf(!found)('a real kube-apiserver', () => {
  let oracle: Oracle;
  beforeAll(async () => {
    if (found) oracle = await startOracle(found);
  });
  afterAll(() => oracle?.stop());

  it.each(Object.entries(areas))('answers as recorded: %s', async (area, sequences) => {
    const answers: Record<string, readonly Answer[]> = {};
    for (const sequence of sequences) answers[sequence.name] = await play(sequence, oracle);
    if (process.env['RECORD'] === '1') await writeRecording(area, answers);
    else expect(answers).toEqual(await readRecording(area));
  });
});
