// An Argo CD that is there already, found as its own installers leave it: the Service of its API server by its labels, how
// it is served by `argocd-cmd-params-cm`, and the certificate that it made for itself.
import { type KubeClient, type KubeObject, stringAt } from '@fairlead/kube';
import { fieldsOf } from '../identity/index.ts';
import { EngineUnreachableError } from './errors.ts';

export interface EnginePlace {
  readonly url: string;
  /** The certificate to trust, PEM; absent where none is needed or none was found. */
  readonly ca?: string;
}

interface FindOptions {
  /** Undefined: all. */
  readonly namespace: string | undefined;
  readonly signal?: AbortSignal | undefined;
}

export const engineServiceLabels = 'app.kubernetes.io/component=server,app.kubernetes.io/part-of=argocd';
/** The one that people give wins over the one that Argo CD makes. */
const certificateSecrets = ['argocd-server-tls', 'argocd-secret'];

export async function findEngine(client: KubeClient, { namespace, signal }: FindOptions): Promise<EnginePlace> {
  const query = { apiVersion: 'v1', kind: 'Service', namespace, labelSelector: engineServiceLabels };
  // The Service of its metrics has the same labels.
  const items = (await client.list(query, { signal })).items.filter(servesApi);
  const [service, another] = items;
  const where = namespace === undefined ? 'the cluster' : `namespace ${namespace}`;
  if (!service) {
    throw new EngineUnreachableError(
      `${where} has no Service labelled ${engineServiceLabels}; set engineUrl to the address of Argo CD's API server`,
      { wasSent: false },
    );
  }
  if (another) {
    const names = items.map(({ metadata }) => `${metadata.namespace}/${metadata.name}`).join(', ');
    const message = `${where} has several API servers of Argo CD (${names}); set engineUrl to one`;
    throw new EngineUnreachableError(message, { wasSent: false });
  }
  const { name, namespace: own = '' } = service.metadata;
  const params =
    (await read(client, { kind: 'ConfigMap', namespace: own, name: 'argocd-cmd-params-cm' }, signal)) ?? {};
  const root = (stringAt(params, 'data', 'server.rootpath') ?? '').replace(/^\/*|\/+$/g, '');
  const isPlain = stringAt(params, 'data', 'server.insecure') === 'true';
  const port = portOf(service, isPlain ? 'http' : 'https');
  const url = `${isPlain ? 'http' : 'https'}://${name}.${own}.svc:${port}${root ? `/${root}` : ''}`;
  if (isPlain) return { url };
  for (const secret of certificateSecrets) {
    const found = await read(client, { kind: 'Secret', namespace: own, name: secret }, signal);
    const ca = found && fieldsOf(found)['tls.crt'];
    if (ca) return { url, ca };
  }
  return { url };
}

const usualPorts = { http: 80, https: 443 } as const;

/** Fields are read leniently: it is an object of that kind. */
const portsOf = (service: KubeObject) =>
  ((service['spec'] ?? {}) as { ports?: { name?: string; port: number }[] }).ports ?? [];

const servesApi = (service: KubeObject): boolean =>
  portsOf(service).some(
    ({ name, port }) => name === 'http' || name === 'https' || port === usualPorts.http || port === usualPorts.https,
  );

function portOf(service: KubeObject, name: keyof typeof usualPorts): number {
  const ports = portsOf(service);
  const named = ports.find((port) => port.name === name) ?? ports.find(({ port }) => port === usualPorts[name]);
  return named?.port ?? ports[0]?.port ?? usualPorts[name];
}

interface Place {
  readonly kind: string;
  readonly namespace: string;
  readonly name: string;
}

const read = (client: KubeClient, place: Place, signal: AbortSignal | undefined): Promise<KubeObject | undefined> =>
  client.find({ group: '', version: 'v1', ...place }, { signal });
