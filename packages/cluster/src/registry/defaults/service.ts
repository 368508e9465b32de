import { isRecord, type KubeObject, listAt, recordAt, valueAt } from '@fairlead/kube/object';
import type { RuleContext } from '../resource-type.ts';
import { fill, mapItems } from './fill.ts';

export function defaultService(object: KubeObject): KubeObject {
  const given = recordAt(object, 'spec');
  let spec = fill(given, { type: 'ClusterIP', sessionAffinity: 'None' });
  spec = mapItems(spec, 'ports', (port) => fill(fill(port, { protocol: 'TCP' }), { targetPort: port['port'] }));
  if (spec['type'] !== 'ExternalName') spec = fill(spec, { internalTrafficPolicy: 'Cluster' });
  if (hasNodePorts(spec)) spec = fill(spec, { externalTrafficPolicy: 'Cluster' });
  if (spec['type'] === 'LoadBalancer') spec = fill(spec, { allocateLoadBalancerNodePorts: true });
  if (spec['sessionAffinity'] === 'ClientIP') {
    spec = fill(spec, { sessionAffinityConfig: { clientIP: { timeoutSeconds: 10_800 } } });
  }
  return { ...object, spec };
}

const hasNodePorts = (spec: Record<string, unknown>) => spec['type'] === 'NodePort' || spec['type'] === 'LoadBalancer';

/** Cluster address and node ports, for a new service or one whose type has changed. */
export function allocateService(object: KubeObject, context: RuleContext): KubeObject {
  let spec = recordAt(object, 'spec');
  if (spec['type'] !== 'ExternalName') {
    const clusterIP = spec['clusterIP'] || context.allocateClusterIp();
    spec = fill(
      { ...spec, clusterIP },
      { clusterIPs: [clusterIP], ipFamilies: ['IPv4'], ipFamilyPolicy: 'SingleStack' },
    );
  }
  if (hasNodePorts(spec)) {
    spec = mapItems(spec, 'ports', (port) =>
      port['nodePort'] ? port : { ...port, nodePort: context.allocateNodePort() },
    );
  }
  return { ...object, spec };
}

/** What belonged to the former type goes with it, unless it was changed in the same breath. */
export function withoutFormerType(next: KubeObject, previous: KubeObject): KubeObject {
  const [spec, before] = [recordAt(next, 'spec'), recordAt(previous, 'spec')];
  if (!hasNodePorts(before) || hasNodePorts(spec)) return next;
  const given = listAt(before, 'ports').map((port) => valueAt(port, 'nodePort'));
  const { externalTrafficPolicy, healthCheckNodePort: _port, allocateLoadBalancerNodePorts: _flag, ...rest } = spec;
  const isKept = externalTrafficPolicy !== before['externalTrafficPolicy'];
  const kept = mapItems(isKept ? { ...rest, externalTrafficPolicy } : rest, 'ports', ({ nodePort, ...port }) =>
    given.includes(nodePort) || nodePort === undefined ? port : { ...port, nodePort },
  );
  return { ...next, spec: kept };
}

/** Addresses and ports stay with the service when an update does not repeat them. */
export function retainAllocations(next: KubeObject, previous: KubeObject): KubeObject {
  let spec = recordAt(next, 'spec');
  const before = recordAt(previous, 'spec');
  if (spec['type'] !== 'ExternalName') {
    const kept = ['clusterIP', 'clusterIPs', 'ipFamilies', 'ipFamilyPolicy'].filter((key) => before[key] !== undefined);
    spec = fill(spec, Object.fromEntries(kept.map((key) => [key, before[key]])));
  }
  if (hasNodePorts(spec)) {
    const ports = listAt(before, 'ports').filter(isRecord);
    spec = mapItems(spec, 'ports', (port) => {
      const same = ports.find((old) => old['port'] === port['port'] && old['protocol'] === port['protocol']);
      const nodePort = valueAt(same, 'nodePort');
      return nodePort === undefined ? port : fill(port, { nodePort });
    });
  }
  return { ...next, spec };
}
