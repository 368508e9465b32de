// Defaults of pod specs, as Kubernetes' own SetDefaults functions give them, so that diffs against what people wrote are
// the same as against a real API server.
import { isRecord, type KubeObject, stringAt } from '@fairlead/kube/object';
import type { RuleContext } from '../resource-type.ts';
import { fill, mapItems, mapMember } from './fill.ts';

export function defaultPodSpec(value: unknown): Record<string, unknown> {
  let spec = fill(value, {
    restartPolicy: 'Always',
    terminationGracePeriodSeconds: 30,
    dnsPolicy: 'ClusterFirst',
    securityContext: {},
    schedulerName: 'default-scheduler',
  });
  // The old name of the field is kept in step with the new one.
  const account = stringAt(spec, 'serviceAccountName') ?? stringAt(spec, 'serviceAccount');
  if (account !== undefined) spec = fill(spec, { serviceAccountName: account, serviceAccount: account });
  for (const list of ['containers', 'initContainers', 'ephemeralContainers']) {
    spec = mapItems(spec, list, defaultContainer);
  }
  return mapItems(spec, 'volumes', defaultVolume);
}

function defaultContainer(given: Record<string, unknown>): Record<string, unknown> {
  let container = fill(given, {
    terminationMessagePath: '/dev/termination-log',
    terminationMessagePolicy: 'File',
    imagePullPolicy: pullPolicyOf(stringAt(given, 'image') ?? ''),
    resources: {},
  });
  container = mapItems(container, 'ports', (port) => fill(port, { protocol: 'TCP' }));
  container = mapItems(container, 'env', (entry) =>
    mapMember(entry, 'valueFrom', (source) =>
      isRecord(source) ? mapMember(source, 'fieldRef', (ref) => fill(ref, { apiVersion: 'v1' })) : source,
    ),
  );
  container = mapMember(container, 'resources', defaultRequests);
  for (const probe of ['livenessProbe', 'readinessProbe', 'startupProbe']) {
    container = mapMember(container, probe, defaultProbe);
  }
  return container;
}

/** A moving tag must be looked up each time. */
function pullPolicyOf(image: string): string {
  if (image.includes('@')) return 'IfNotPresent';
  const tag = /:([^/:]+)$/.exec(image)?.[1] ?? 'latest';
  return tag === 'latest' ? 'Always' : 'IfNotPresent';
}

function defaultRequests(resources: unknown): unknown {
  if (!isRecord(resources) || !isRecord(resources['limits'])) return resources;
  return { ...resources, requests: fill(resources['requests'], resources['limits']) };
}

function defaultProbe(value: unknown): Record<string, unknown> {
  const probe = fill(value, { timeoutSeconds: 1, periodSeconds: 10, successThreshold: 1, failureThreshold: 3 });
  const withHttp = mapMember(probe, 'httpGet', (action) => fill(action, { path: '/', scheme: 'HTTP' }));
  return mapMember(withHttp, 'grpc', (action) => fill(action, { service: '' }));
}

function defaultVolume(given: Record<string, unknown>): Record<string, unknown> {
  let volume = Object.keys(given).length === 1 ? { ...given, emptyDir: {} } : given;
  for (const source of ['secret', 'configMap', 'projected', 'downwardAPI']) {
    volume = mapMember(volume, source, (value) => fill(value, { defaultMode: 420 }));
  }
  return mapMember(volume, 'hostPath', (value) => fill(value, { type: '' }));
}

export function defaultPodTemplate(value: unknown): Record<string, unknown> {
  const template = isRecord(value) ? value : {};
  return { ...template, spec: defaultPodSpec(template['spec']) };
}

export function defaultPod(pod: KubeObject): KubeObject {
  return { ...pod, spec: fill(defaultPodSpec(pod['spec']), { enableServiceLinks: true }) };
}

/** What admission adds to pods, but not to templates. */
export function admitPod(pod: KubeObject, { hasServiceAccount }: RuleContext): KubeObject {
  const given = isRecord(pod['spec']) ? pod['spec'] : {};
  const account = stringAt(given, 'serviceAccountName') ?? 'default';
  const isKnown = hasServiceAccount(pod.metadata.namespace ?? '', account);
  const spec = fill(given, {
    ...(isKnown ? { serviceAccountName: account, serviceAccount: account } : {}),
    preemptionPolicy: 'PreemptLowerPriority',
    priority: 0,
    tolerations: ['node.kubernetes.io/not-ready', 'node.kubernetes.io/unreachable'].map((key) => ({
      key,
      operator: 'Exists',
      effect: 'NoExecute',
      tolerationSeconds: 300,
    })),
  });
  return { ...pod, spec };
}
