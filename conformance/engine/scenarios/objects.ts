// The few objects that scenarios deploy. Manifests are written as JSON, which is YAML.
import type { ResourceRef } from '@fairlead/kube';

type Strings = Readonly<Record<string, string>>;

interface Meta {
  readonly annotations?: Strings;
  readonly labels?: Strings;
  readonly namespace?: string;
}

export type Manifest = Readonly<Record<string, unknown>>;

export const manifests = (...objects: readonly Manifest[]): string =>
  objects.map((object) => `---\n${JSON.stringify(object)}\n`).join('');

const make = (apiVersion: string, kind: string, name: string, meta: Meta, rest: object): Manifest => ({
  apiVersion,
  kind,
  metadata: { name, ...meta },
  ...rest,
});

export const configMap = (name: string, value = '1', meta: Meta = {}): Manifest =>
  make('v1', 'ConfigMap', name, meta, { data: { key: value } });

export const secret = (name: string, value: string): Manifest =>
  make('v1', 'Secret', name, {}, { stringData: { key: value } });

export const namespaceOf = (name: string, meta: Meta = {}): Manifest => make('v1', 'Namespace', name, meta, {});

/** Progressing until somebody gives it an address: a resource whose health the scenario decides. */
export const balancer = (name: string, meta: Meta = {}): Manifest =>
  make('v1', 'Service', name, meta, { spec: { type: 'LoadBalancer', ports: [{ port: 80 }] } });

/** Of a class that nobody serves: pending until the scenario says otherwise. */
export const claim = (name: string, meta: Meta = {}): Manifest =>
  make('v1', 'PersistentVolumeClaim', name, meta, {
    spec: {
      storageClassName: 'by-hand',
      accessModes: ['ReadWriteOnce'],
      resources: { requests: { storage: '1Gi' } },
    },
  });

const podSpec = (more: object = {}) => ({
  containers: [{ name: 'main', image: 'registry.example.com/web:1' }],
  ...more,
});

export const deployment = (name: string, spec: object = {}, meta: Meta = {}): Manifest =>
  make('apps/v1', 'Deployment', name, meta, {
    spec: {
      replicas: 1,
      selector: { matchLabels: { app: name } },
      template: { metadata: { labels: { app: name } }, spec: podSpec() },
      ...spec,
    },
  });

export const job = (name: string, meta: Meta = {}): Manifest =>
  make('batch/v1', 'Job', name, meta, {
    spec: { backoffLimit: 0, template: { spec: podSpec({ restartPolicy: 'Never' }) } },
  });

export const crd = (group: string, kind: string, meta: Meta = {}): Manifest => {
  const plural = `${kind.toLowerCase()}s`;
  return make('apiextensions.k8s.io/v1', 'CustomResourceDefinition', `${plural}.${group}`, meta, {
    spec: {
      group,
      scope: 'Namespaced',
      names: { kind, listKind: `${kind}List`, plural, singular: kind.toLowerCase() },
      versions: [
        {
          name: 'v1',
          served: true,
          storage: true,
          schema: { openAPIV3Schema: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true } },
        },
      ],
    },
  });
};

export const custom = (group: string, kind: string, name: string, rest: object = {}): Manifest =>
  make(`${group}/v1`, kind, name, {}, rest);

export const hook = (type: string, more: Strings = {}): Meta => ({
  annotations: { 'argocd.argoproj.io/hook': type, ...more },
});
export const wave = (number: number): Meta => ({ annotations: { 'argocd.argoproj.io/sync-wave': String(number) } });
export const options = (text: string): Meta => ({ annotations: { 'argocd.argoproj.io/sync-options': text } });

const groups: Readonly<Record<string, string>> = {
  Deployment: 'apps',
  Job: 'batch',
  Application: 'argoproj.io',
  AppProject: 'argoproj.io',
  ApplicationSet: 'argoproj.io',
  Ingress: 'networking.k8s.io',
  CustomResourceDefinition: 'apiextensions.k8s.io',
};

export function refTo(kind: string, name: string, namespace?: string): ResourceRef {
  const group = groups[kind] ?? '';
  const version = group === 'argoproj.io' ? 'v1alpha1' : 'v1';
  return { group, version, kind, name, ...(namespace ? { namespace } : {}) };
}
