// All controllers, started in the order in which they need each other and stopped in reverse.
import type { Clock, Logger } from '@fairlead/base';
import { EventExpiry, EventRecorder } from '../events/index.ts';
import { defaultTimes, type SimulationTimes, startNode } from '../node/index.ts';
import type { Objects } from '../objects/index.ts';
import { bootstrap } from './bootstrap.ts';
import { startClusterRoles } from './cluster-roles.ts';
import type { Controller, ControllerContext } from './context.ts';
import { startCronJobs } from './cron-job/index.ts';
import { startCustomResources } from './custom-resources.ts';
import { startDaemonSets } from './daemon-set.ts';
import { startDeployments } from './deployment/index.ts';
import { startEndpointSlices } from './endpoint-slices.ts';
import { startEndpoints } from './endpoints.ts';
import { startGarbageCollector } from './garbage-collector.ts';
import { startJobs } from './job/index.ts';
import { startLoadBalancer } from './load-balancer.ts';
import { startNamespaces } from './namespaces.ts';
import { startReplicaSets, startReplicationControllers } from './replica-set.ts';
import { startResourceQuotas } from './resource-quotas.ts';
import { startStatefulSets } from './stateful-set/index.ts';
import { startStorageProtection } from './storage-protection.ts';
import { startVolumes } from './volumes.ts';

export interface ControllerOptions {
  readonly objects: Objects;
  readonly clock: Clock;
  readonly log: Logger;
  /** PEM of the cluster's authority, which every namespace shows. */
  readonly authority: string;
  readonly simulation: Partial<SimulationTimes>;
  /** False: the API alone, as a kube-apiserver without a controller manager; definitions are served all the same. */
  readonly isActive: boolean;
  /** Services and Ingresses get an address. */
  readonly hasLoadBalancer: boolean;
}

export async function startControllers(options: ControllerOptions): Promise<Controller> {
  const { objects, clock, log } = options;
  const events = new EventRecorder({ objects, clock, log });
  const context = { objects, events, clock, log };
  const running: Controller[] = [new EventExpiry({ objects, clock, log }), startCustomResources(context)];
  await bootstrap(objects, clock);
  if (options.isActive) running.push(...startActive(context, options));
  return {
    stop: async () => {
      for (const controller of running.toReversed()) await controller.stop();
      await events.drain();
    },
  };
}

function startActive(context: ControllerContext, options: ControllerOptions): Controller[] {
  const { retryMs = defaultTimes.retryMs } = options.simulation;
  return [
    startNamespaces(context, options.authority),
    startGarbageCollector(context),
    startReplicaSets(context),
    startReplicationControllers(context),
    startDeployments(context),
    startVolumes(context),
    startStorageProtection(context),
    startClusterRoles(context),
    startStatefulSets(context),
    startDaemonSets(context),
    startJobs(context, { retryMs }),
    startCronJobs(context),
    startResourceQuotas(context),
    startEndpoints(context),
    startEndpointSlices(context),
    ...(options.hasLoadBalancer ? [startLoadBalancer(context)] : []),
    startNode({ ...context, times: options.simulation }),
  ];
}
