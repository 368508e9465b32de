// How traffic reaches an object, as Argo CD's tree tells it: what a Service or an Ingress leads to, and the addresses that
// a person can open. Pure.
import type { ResourceNode } from '@fairlead/contracts';
import { gvkOf, isRecord, type KubeObject, listAt, recordAt, stringAt, valueAt } from '@fairlead/kube';

type NetworkingInfo = NonNullable<ResourceNode['networkingInfo']>;

const linkPrefix = 'link.argocd.argoproj.io/';
const ignoreLinks = 'argocd.argoproj.io/ignore-default-links';

export function networkingOf(object: KubeObject): NetworkingInfo | undefined {
  const info = withLinks(ownNetworking(object), object);
  return Object.keys(info).length > 0 ? info : undefined;
}

/** Each once, in order. */
export const externalUrlsOf = (objects: readonly KubeObject[]): string[] =>
  [...new Set(objects.flatMap((object) => networkingOf(object)?.externalURLs ?? []))].sort();

function ownNetworking(object: KubeObject): NetworkingInfo {
  const { group, kind } = gvkOf(object);
  switch (`${group}/${kind}`) {
    case '/Pod':
      return some('labels', object.metadata.labels ?? {});
    case '/Service':
      return { ...some('targetLabels', texts(recordAt(object, 'spec', 'selector'))), ...addresses(object) };
    case 'networking.k8s.io/Ingress':
    case 'extensions/Ingress':
      return ingress(object);
    default:
      return {};
  }
}

/** Links that people write on an object come beside the ones it has by itself, or instead of them. */
function withLinks(info: NetworkingInfo, { metadata }: KubeObject): NetworkingInfo {
  const annotations = metadata.annotations ?? {};
  const links = Object.entries(annotations).flatMap(([name, url]) => (name.startsWith(linkPrefix) ? [url] : []));
  const isAlone = annotations[ignoreLinks] === 'true';
  const { externalURLs = [], ...rest } = info;
  const all = [...(isAlone ? [] : externalURLs), ...links.sort()];
  return all.length > 0 ? { ...rest, externalURLs: all } : rest;
}

function ingress(object: KubeObject): NetworkingInfo {
  const { namespace = '' } = object.metadata;
  const services = new Set<string>();
  const urls = new Set<string>();
  const fallback = serviceOf(valueAt(object, 'spec', 'defaultBackend') ?? valueAt(object, 'spec', 'backend'));
  if (fallback) services.add(fallback);
  for (const rule of listAt(object, 'spec', 'rules')) {
    const host = stringAt(rule, 'host') || addressOf(object);
    for (const path of listAt(rule, 'http', 'paths')) {
      const service = serviceOf(valueAt(path, 'backend'));
      if (service) services.add(service);
      if (host) urls.add(`${schemeOf(object, host)}://${host}${(stringAt(path, 'path') ?? '').replace(/\*$/, '')}`);
    }
  }
  const targetRefs = [...services].map((name) => ({ group: '', kind: 'Service', namespace, name }));
  return {
    ...(targetRefs.length > 0 ? { targetRefs } : {}),
    ...addresses(object),
    ...(urls.size > 0 ? { externalURLs: [...urls] } : {}),
  };
}

const serviceOf = (backend: unknown): string | undefined =>
  stringAt(backend, 'service', 'name') ?? stringAt(backend, 'serviceName');

function schemeOf(object: KubeObject, host: string): 'http' | 'https' {
  const isSecure = listAt(object, 'spec', 'tls').some(
    (entry) => stringAt(entry, 'secretName') !== undefined || listAt(entry, 'hosts').includes(host),
  );
  return isSecure ? 'https' : 'http';
}

const balancers = (object: KubeObject) => listAt(object, 'status', 'loadBalancer', 'ingress').filter(isRecord);

function addressOf(object: KubeObject): string | undefined {
  const entry = balancers(object).at(-1);
  return stringAt(entry, 'hostname') || stringAt(entry, 'ip') || undefined;
}

function addresses(object: KubeObject): Pick<NetworkingInfo, 'ingress'> {
  const found = balancers(object).map((entry) => texts({ hostname: entry['hostname'], ip: entry['ip'] }));
  return found.length > 0 ? { ingress: found } : {};
}

function texts(record: Readonly<Record<string, unknown>>): Record<string, string> {
  const entries = Object.entries(record).filter((entry): entry is [string, string] => typeof entry[1] === 'string');
  return Object.fromEntries(entries);
}

function some<K extends 'labels' | 'targetLabels'>(key: K, labels: Readonly<Record<string, string>>): NetworkingInfo {
  return Object.keys(labels).length > 0 ? { [key]: labels } : {};
}
