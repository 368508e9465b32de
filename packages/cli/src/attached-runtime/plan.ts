import { resolve } from 'node:path';
import type { RuntimeHome } from '../home/index.ts';
import { chooseRuntimePorts, type ProcessPlan, planRuntime, runtimeSide } from '../laptop/index.ts';
import type { ChosenContext } from '../managed-cluster/index.ts';

/** An Argo CD that the cluster has already. */
export interface ArgoCd {
  readonly url: string;
  readonly tokenFile: string;
}

interface Wanted {
  readonly place: RuntimeHome;
  readonly context: ChosenContext;
  readonly argoCd: ArgoCd | undefined;
}

/** The components of a runtime without a cluster: that one is elsewhere. An Argo CD that is there takes the engine's part. */
export async function choosePlan({ place, context, argoCd }: Wanted): Promise<{ plan: ProcessPlan; probeUrl: string }> {
  const ports = await chooseRuntimePorts(place.portsFile, Math.random);
  const { env = {}, ...embedded } = planRuntime(place, ports);
  const plan = {
    ...embedded,
    roles: runtimeSide.filter((role) => role !== 'engine' || !argoCd),
    env: {
      ...env,
      FAIRLEAD_KUBECONFIG_FILE: resolve(context.file),
      FAIRLEAD_KUBECONFIG_CONTEXT: context.name,
      FAIRLEAD_EMBEDDED_CLUSTER: 'false',
      ...(argoCd && { FAIRLEAD_ENGINE_URL: argoCd.url, FAIRLEAD_ENGINE_TOKEN_FILE: resolve(argoCd.tokenFile) }),
    },
  };
  return { plan, probeUrl: `http://127.0.0.1:${ports.tunnelClient}` };
}
