// What kubectl prints against the embedded cluster is what it printed against a real control plane, word for word
// (see comparable.ts for what is left out, differences.json for what is not the same). Runs where a kubectl of the recorded version is found.
import { readFileSync, writeFileSync } from 'node:fs';
import { isDeepStrictEqual } from 'node:util';
import { type RunningCluster, startCluster } from '@fairlead/cluster';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { findKubectl, minorOf, recordedMinor } from './binary.ts';
import { playScenario } from './play.ts';
import { readOutcomes } from './recording.ts';
import type { Outcome } from './scenario.ts';
import { scenarios } from './scenarios/index.ts';

const listFile = new URL('differences.json', import.meta.url);
const differing = new Set(JSON.parse(readFileSync(listFile, 'utf8')) as string[]);
const agreeing = new Set<string>();
let agreed = 0;

const found = findKubectl();
const kubectl = found && minorOf(found) === recordedMinor ? found : undefined;
if (!kubectl) {
  const what = found ? `${found} is version ${minorOf(found) || 'unknown'}` : 'there is no kubectl on PATH';
  console.log(`${what}: the scenarios, recorded with ${recordedMinor}, are not run; name one by KUBECTL`);
}

describe.skipIf(!kubectl)('kubectl', () => {
  let cluster: RunningCluster;
  const given: Record<string, readonly Outcome[]> = {};
  beforeAll(async () => {
    cluster = await startCluster({ simulation: { pullMs: 50, readyMs: 20, completeMs: 100, terminateMs: 50 } });
  });
  afterAll(async () => {
    await cluster?.stop();
    const { OUTCOMES_FILE: file } = process.env;
    if (file) writeFileSync(file, JSON.stringify(given));
    const lines = Object.values(given).flat().length;
    console.log(`kubectl: ${agreed} of ${lines} lines print the same`);
  });

  it.each(scenarios)('prints what it prints elsewhere: $name', { timeout: 120_000 }, async (scenario) => {
    const kubeconfig = (namespace: string) =>
      cluster.kubeconfig.replace('namespace: default', `namespace: ${namespace}`);
    const outcomes = await playScenario(scenario, { kubectl: kubectl ?? '', kubeconfig });
    given[scenario.name] = outcomes;
    const expected = await readOutcomes(scenario.name);
    for (const [index, outcome] of outcomes.entries()) {
      const name = `${scenario.name}: ${outcome.run}`;
      if (isDeepStrictEqual(outcome, expected[index])) {
        agreeing.add(name);
        agreed++;
      } else if (!differing.has(name)) expect(outcome, name).toEqual(expected[index]);
    }
    expect(outcomes.length).toBe(expected.length);
  });

  it('has no difference on its list that is none', () => {
    const listed = [...differing].filter((name) => agreeing.has(name));
    expect(listed, 'take these off differences.json').toEqual([]);
  });
});
