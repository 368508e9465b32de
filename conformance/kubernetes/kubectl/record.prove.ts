// `KUBECTL=… KUBE_APISERVER=… KUBE_CONTROLLER_MANAGER=… ETCD=… RECORD=1 npm run prove -- kubernetes`: writes down anew what
// kubectl prints against a real control plane. Only `ONLY=name,name` when that is given.
import { afterAll, beforeAll, describe, it } from 'vitest';
import { kubeconfigOf, managedBinaries, type Oracle, startOracle } from '../oracle.ts';
import { findKubectl } from './binary.ts';
import { playScenario } from './play.ts';
import { playPods } from './pod-player.ts';
import { writeOutcomes } from './recording.ts';
import { scenarios } from './scenarios/index.ts';

const found = managedBinaries();
const kubectl = findKubectl();
const only = process.env['ONLY']?.split(',');

describe.skipIf(!found || !kubectl || process.env['RECORD'] !== '1')('a real control plane', () => {
  let oracle: Oracle;
  let pods: { stop(): Promise<void> };
  beforeAll(async () => {
    if (!found) return;
    oracle = await startOracle(found);
    pods = await playPods(`${kubeconfigOf(oracle)}\n`);
  });
  afterAll(async () => {
    await pods?.stop();
    await oracle?.stop();
  });

  it.each(scenarios.filter(({ name }) => !only || only.includes(name)))('is recorded: $name', async (scenario) => {
    const server = { kubectl: kubectl ?? '', kubeconfig: (namespace: string) => kubeconfigOf(oracle, namespace) };
    await writeOutcomes(scenario.name, await playScenario(scenario, server));
  });
});
