// The objects that sequences are about.

export const configMaps = '/api/v1/namespaces/{ns}/configmaps';
export const secrets = '/api/v1/namespaces/{ns}/secrets';
export const services = '/api/v1/namespaces/{ns}/services';
export const pods = '/api/v1/namespaces/{ns}/pods';
export const deployments = '/apis/apps/v1/namespaces/{ns}/deployments';
export const statefulSets = '/apis/apps/v1/namespaces/{ns}/statefulsets';
export const daemonSets = '/apis/apps/v1/namespaces/{ns}/daemonsets';
export const jobs = '/apis/batch/v1/namespaces/{ns}/jobs';
export const cronJobs = '/apis/batch/v1/namespaces/{ns}/cronjobs';
export const definitions = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions';

type Fields = Readonly<Record<string, unknown>>;

export const configMap = (name: string, data: Fields = { a: '1' }, metadata: Fields = {}) => ({
  apiVersion: 'v1',
  kind: 'ConfigMap',
  metadata: { name, ...metadata },
  data,
});

export const secret = (name: string, rest: Fields) => ({
  apiVersion: 'v1',
  kind: 'Secret',
  metadata: { name },
  ...rest,
});

export const service = (name: string, spec: Fields = { ports: [{ port: 80 }] }) => ({
  apiVersion: 'v1',
  kind: 'Service',
  metadata: { name },
  spec,
});

export const container = (rest: Fields = {}) => ({ name: 'web', image: 'nginx:1.27', ...rest });

export const pod = (name: string, spec: Fields = {}) => ({
  apiVersion: 'v1',
  kind: 'Pod',
  metadata: { name, labels: { app: name } },
  spec: { containers: [container()], ...spec },
});

export const template = (spec: Fields = {}) => ({
  metadata: { labels: { app: 'web' } },
  spec: { containers: [container()], ...spec },
});

export const deployment = (name: string, spec: Fields = {}) => ({
  apiVersion: 'apps/v1',
  kind: 'Deployment',
  metadata: { name },
  spec: { selector: { matchLabels: { app: 'web' } }, template: template(), ...spec },
});

interface DefinitionOptions {
  readonly group: string;
  readonly schema?: Fields;
  readonly version?: Fields;
  readonly versions?: readonly Fields[];
  readonly spec?: Fields;
}

/** A definition of Widgets in a group of its own, so that sequences do not meet. */
export const definition = ({ group, schema = anything, version = {}, versions, spec = {} }: DefinitionOptions) => ({
  apiVersion: 'apiextensions.k8s.io/v1',
  kind: 'CustomResourceDefinition',
  metadata: { name: `widgets.${group}` },
  spec: {
    group,
    scope: 'Namespaced',
    names: { plural: 'widgets', singular: 'widget', kind: 'Widget', listKind: 'WidgetList' },
    versions: versions ?? [
      { name: 'v1', served: true, storage: true, schema: { openAPIV3Schema: schema }, ...version },
    ],
    ...spec,
  },
});

const anything = {
  type: 'object',
  properties: { spec: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true } },
};

export const widgets = (group: string, version = 'v1') => `/apis/${group}/${version}/namespaces/{ns}/widgets`;
export const widget = (group: string, name: string, rest: Fields, version = 'v1') => ({
  apiVersion: `${group}/${version}`,
  kind: 'Widget',
  metadata: { name },
  ...rest,
});
