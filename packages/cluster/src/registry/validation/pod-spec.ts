// Rules of pod specs, wherever they stand. Each returns what is wrong, in Kubernetes' words.
import { isRecord, listAt, recordAt, stringAt, valueAt } from '@fairlead/kube/object';
import { parseQuantity } from '../../schema/index.ts';
import type { FieldError } from '../resource-type.ts';
import { isLabel, labelMessage, required, unsupported } from './rules.ts';

const oneOf = (value: unknown, allowed: readonly string[], field: string): FieldError[] =>
  typeof value === 'string' && !allowed.includes(value) ? [unsupported(field, value, allowed)] : [];

export function validatePodSpec(spec: unknown, field: string): readonly FieldError[] {
  const containers = listAt(spec, 'containers');
  const volumes = new Set(listAt(spec, 'volumes').map((volume) => stringAt(volume, 'name')));
  return [
    ...listAt(spec, 'volumes').flatMap((volume, index) => validateVolume(volume, `${field}.volumes[${index}]`)),
    ...(containers.length === 0 ? [required(`${field}.containers`)] : []),
    ...validateContainers(containers, `${field}.containers`, volumes),
    ...validateContainers(listAt(spec, 'initContainers'), `${field}.initContainers`, volumes),
    ...oneOf(valueAt(spec, 'restartPolicy'), ['Always', 'OnFailure', 'Never'], `${field}.restartPolicy`),
    ...oneOf(
      valueAt(spec, 'dnsPolicy'),
      ['ClusterFirstWithHostNet', 'ClusterFirst', 'Default', 'None'],
      `${field}.dnsPolicy`,
    ),
  ];
}

function validateVolume(volume: unknown, at: string): FieldError[] {
  const name = stringAt(volume, 'name') ?? '';
  const sources = Object.keys(recordAt(volume)).filter((key) => key !== 'name');
  const sorted = sources.sort((a, b) => sourceOrder(a) - sourceOrder(b));
  return [
    ...(name === ''
      ? [required(`${at}.name`)]
      : isLabel(name)
        ? []
        : [{ type: 'Invalid' as const, field: `${at}.name`, message: labelMessage, value: name }]),
    ...sorted.slice(1).map(
      (source): FieldError => ({
        type: 'Forbidden',
        field: `${at}.${source}`,
        message: 'may not specify more than 1 volume type',
      }),
    ),
  ];
}

/** The order in which Kubernetes looks: the first that is there is the one that counts. */
const sources = [
  'emptyDir',
  'hostPath',
  'gitRepo',
  'gcePersistentDisk',
  'awsElasticBlockStore',
  'secret',
  'nfs',
  'iscsi',
  'glusterfs',
  'flexVolume',
  'configMap',
];
const sourceOrder = (name: string) => (sources.includes(name) ? sources.indexOf(name) : sources.length);

function validateContainers(
  containers: readonly unknown[],
  field: string,
  volumes: ReadonlySet<unknown>,
): FieldError[] {
  const seen = new Set<unknown>();
  return containers.flatMap((container, index) => {
    const name = stringAt(container, 'name');
    const isRepeated = seen.has(name);
    seen.add(name);
    const at = `${field}[${index}]`;
    return [
      ...validateName(name, at, isRepeated),
      ...validateImage(container, at),
      ...listAt(container, 'ports').flatMap((port, position) => validatePort(port, `${at}.ports[${position}]`)),
      ...listAt(container, 'env').flatMap((entry, position) =>
        stringAt(entry, 'name') ? [] : [required(`${at}.env[${position}].name`)],
      ),
      ...validateMounts(container, at, volumes),
      ...validateProbes(container, at),
      ...oneOf(valueAt(container, 'imagePullPolicy'), ['Always', 'IfNotPresent', 'Never'], `${at}.imagePullPolicy`),
      ...validateResources(container, at),
    ];
  });
}

function validateName(name: string | undefined, at: string, isRepeated: boolean): FieldError[] {
  const field = `${at}.name`;
  if (!name) return [required(field)];
  if (!isLabel(name)) return [{ type: 'Invalid', field, message: labelMessage, value: name }];
  return isRepeated ? [{ type: 'Duplicate', field, message: '', value: name }] : [];
}

function validateImage(container: unknown, at: string): FieldError[] {
  const image = stringAt(container, 'image') ?? '';
  if (image === '') return [required(`${at}.image`)];
  if (image.trim() === image) return [];
  return [
    { type: 'Invalid', field: `${at}.image`, message: 'must not have leading or trailing whitespace', value: image },
  ];
}

function validatePort(port: unknown, at: string): FieldError[] {
  const name = stringAt(port, 'name');
  return [
    ...(name && !/^[a-z0-9-]+$/.test(name)
      ? [
          {
            type: 'Invalid' as const,
            field: `${at}.name`,
            message: 'must contain only alpha-numeric characters (a-z, 0-9), and hyphens (-)',
            value: name,
          },
        ]
      : []),
    ...portNumber(valueAt(port, 'containerPort'), `${at}.containerPort`),
    ...oneOf(valueAt(port, 'protocol'), ['SCTP', 'TCP', 'UDP'], `${at}.protocol`),
  ];
}

export function portNumber(value: unknown, field: string): FieldError[] {
  if (typeof value !== 'number' || (value >= 1 && value <= 65_535)) return [];
  return [{ type: 'Invalid', field, message: 'must be between 1 and 65535, inclusive', value }];
}

function validateMounts(container: unknown, at: string, volumes: ReadonlySet<unknown>): FieldError[] {
  const seen = new Set<unknown>();
  return listAt(container, 'volumeMounts').flatMap((mount, index) => {
    const [name, path] = [stringAt(mount, 'name'), stringAt(mount, 'mountPath')];
    const field = `${at}.volumeMounts[${index}]`;
    const isRepeated = seen.has(path);
    seen.add(path);
    return [
      ...(volumes.has(name) ? [] : [{ type: 'NotFound' as const, field: `${field}.name`, message: '', value: name }]),
      ...(isRepeated
        ? [{ type: 'Invalid' as const, field: `${field}.mountPath`, message: 'must be unique', value: path }]
        : []),
    ];
  });
}

const handlers = ['exec', 'httpGet', 'tcpSocket', 'grpc'];

function validateProbes(container: unknown, at: string): FieldError[] {
  return ['livenessProbe', 'readinessProbe', 'startupProbe'].flatMap((kind) => {
    const probe = valueAt(container, kind);
    if (!isRecord(probe) || handlers.some((handler) => probe[handler] !== undefined)) return [];
    return [required(`${at}.${kind}`, 'must specify a handler type')];
  });
}

function validateResources(container: unknown, at: string): FieldError[] {
  const limits = recordAt(container, 'resources', 'limits');
  return Object.entries(recordAt(container, 'resources', 'requests')).flatMap(([name, request]) => {
    const limit = limits[name];
    if (typeof limit !== 'string' || (parseQuantity(String(request)) ?? 0n) <= (parseQuantity(limit) ?? 0n)) return [];
    const message = `must be less than or equal to ${name} limit of ${limit}`;
    return [{ type: 'Invalid' as const, field: `${at}.resources.requests`, message, value: request }];
  });
}
