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
  for (const probe of ['livenessProbe', 'readinessProbe', 'startupProbe']) {
    container = mapMember(container, probe, defaultProbe);
  }
  return container;
}

/** A moving tag must be looked up each time. */
function pullPolicyOf(image: string): string {
  if (image === '' || image.includes('@')) return 'IfNotPresent';
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
  volume = mapMember(volume, 'downwardAPI', withFieldVersions);
  volume = mapMember(volume, 'projected', (value) =>
    mapItems(fill(value, {}), 'sources', (source) => mapMember(source, 'downwardAPI', withFieldVersions)),
  );
  return mapMember(volume, 'hostPath', (value) => fill(value, { type: '' }));
}

const withFieldVersions = (value: unknown): Record<string, unknown> =>
  mapItems(fill(value, {}), 'items', (item) => mapMember(item, 'fieldRef', (ref) => fill(ref, { apiVersion: 'v1' })));

export function defaultPodTemplate(value: unknown): Record<string, unknown> {
  const template = isRecord(value) ? value : {};
  return { ...template, spec: defaultPodSpec(template['spec']) };
}

export function defaultPod(pod: KubeObject): KubeObject {
  let spec = fill(defaultPodSpec(pod['spec']), { enableServiceLinks: true });
  // What is limited is asked for: said of pods, not of the templates they come from.
  for (const list of ['containers', 'initContainers']) {
    spec = mapItems(spec, list, (container) => mapMember(container, 'resources', defaultRequests));
  }
  return { ...pod, spec };
}

const tokenPath = '/var/run/secrets/kubernetes.io/serviceaccount';

/** The account's token, the cluster's authority and the namespace, as a volume in every container. */
function withTokenVolume(spec: Record<string, unknown>, name: string): Record<string, unknown> {
  const fieldRef = { apiVersion: 'v1', fieldPath: 'metadata.namespace' };
  const sources = [
    { serviceAccountToken: { expirationSeconds: 3607, path: 'token' } },
    { configMap: { items: [{ key: 'ca.crt', path: 'ca.crt' }], name: 'kube-root-ca.crt' } },
    { downwardAPI: { items: [{ fieldRef, path: 'namespace' }] } },
  ];
  const volumes = Array.isArray(spec['volumes']) ? spec['volumes'] : [];
  let next: Record<string, unknown> = {
    ...spec,
    volumes: [...volumes, { name, projected: { defaultMode: 420, sources } }],
  };
  for (const list of ['initContainers', 'containers'])
    next = mapItems(next, list, (container) => withMount(container, name));
  return next;
}

function withMount(container: Record<string, unknown>, name: string): Record<string, unknown> {
  const mounts: readonly unknown[] = Array.isArray(container['volumeMounts']) ? container['volumeMounts'] : [];
  if (mounts.some((mount) => isRecord(mount) && mount['mountPath'] === tokenPath)) return container;
  return { ...container, volumeMounts: [...mounts, { mountPath: tokenPath, name, readOnly: true }] };
}

/** What admission adds to pods, but not to templates. */
export function admitPod(pod: KubeObject, { hasServiceAccount, randomSuffix }: RuleContext): KubeObject {
  const given = isRecord(pod['spec']) ? pod['spec'] : {};
  const account = stringAt(given, 'serviceAccountName') ?? 'default';
  const isKnown = hasServiceAccount(pod.metadata.namespace ?? '', account);
  const spec = fill(given, {
    ...(isKnown ? { serviceAccountName: account, serviceAccount: account } : {}),
    preemptionPolicy: 'PreemptLowerPriority',
    priority: 0,
  });
  const tolerations = withEvictionDelay(Array.isArray(given['tolerations']) ? given['tolerations'] : []);
  const tolerant = { ...spec, tolerations };
  const isTokenWanted = isKnown && given['automountServiceAccountToken'] !== false;
  return { ...pod, spec: isTokenWanted ? withTokenVolume(tolerant, `kube-api-access-${randomSuffix()}`) : tolerant };
}

const lostNode = ['node.kubernetes.io/not-ready', 'node.kubernetes.io/unreachable'];

/** Pods stay five minutes on a node that is lost, unless they say otherwise. */
function withEvictionDelay(given: readonly unknown[]): readonly unknown[] {
  const covers = (toleration: unknown, key: string) =>
    isRecord(toleration) &&
    (toleration['key'] === key || !toleration['key']) &&
    (toleration['effect'] === 'NoExecute' || !toleration['effect']);
  const missing = lostNode.filter((key) => !given.some((toleration) => covers(toleration, key)));
  const added = missing.map((key) => ({ effect: 'NoExecute', key, operator: 'Exists', tolerationSeconds: 300 }));
  return [...given, ...added];
}
