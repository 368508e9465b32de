// kubectl's short names, which people read faster than the kinds.
const shortNames: Readonly<Record<string, string>> = {
  Application: 'app',
  ConfigMap: 'cm',
  CronJob: 'cj',
  CustomResourceDefinition: 'crd',
  DaemonSet: 'ds',
  Deployment: 'deploy',
  EndpointSlice: 'eps',
  Endpoints: 'ep',
  HorizontalPodAutoscaler: 'hpa',
  Ingress: 'ing',
  Job: 'job',
  Namespace: 'ns',
  NetworkPolicy: 'netpol',
  PersistentVolume: 'pv',
  PersistentVolumeClaim: 'pvc',
  Pod: 'po',
  PodDisruptionBudget: 'pdb',
  ReplicaSet: 'rs',
  Rollout: 'ro',
  Secret: 'secret',
  Service: 'svc',
  ServiceAccount: 'sa',
  StatefulSet: 'sts',
};

/** A kind without a short name gets its capitals: `VirtualService` → `vs`. */
export const kindBadge = (kind: string): string =>
  shortNames[kind] ?? (kind.length <= 8 ? kind : (kind.match(/[A-Z]/g) ?? [kind.slice(0, 6)]).join('')).toLowerCase();
