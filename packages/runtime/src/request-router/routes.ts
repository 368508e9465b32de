// Which path goes where. Targets come from the table alone: nothing in a request can name a host. Pure.

export interface RouteTable {
  readonly appProxyUrl: string;
  /** Argo Workflows' server; without it `/workflows` is unknown. */
  readonly workflowsUrl?: string | undefined;
  /** With `{namespace}` and `{source}`, e.g. `http://{source}-eventsource-svc.{namespace}.svc`. */
  readonly eventSourceUrl?: string | undefined;
}

export type Routed =
  | { readonly kind: 'target'; readonly origin: string; readonly path: string }
  | { readonly kind: 'refused'; readonly status: 400 | 404; readonly message: string };

/** A DNS label: what Kubernetes allows as the name of a namespace or service, and nothing that could leave the host part. */
const dnsLabel = /^[a-z0-9]([-a-z0-9]{0,61}[a-z0-9])?$/;

const refused = (status: 400 | 404, message: string): Routed => ({ kind: 'refused', status, message });

/** `path` is that of the request line, query included. */
export function routeFor(path: string, table: RouteTable): Routed {
  const [place = ''] = path.split('?', 1);
  if (!isPlain(place)) return refused(400, 'the path is not in plain form');
  const [, first = '', namespace = '', source = ''] = place.split('/');
  if (first === 'app-proxy') return { kind: 'target', origin: table.appProxyUrl, path };
  if (first === 'workflows') {
    if (!table.workflowsUrl) return refused(404, 'this runtime has no workflow server');
    return { kind: 'target', origin: table.workflowsUrl, path: path.slice('/workflows'.length) || '/' };
  }
  if (first === 'webhooks') return webhook({ path, namespace, source }, table);
  return refused(404, 'the request router knows /app-proxy, /webhooks/<namespace>/<event source> and /workflows');
}

function webhook(asked: { path: string; namespace: string; source: string }, table: RouteTable): Routed {
  const { path, namespace, source } = asked;
  if (!table.eventSourceUrl) return refused(404, 'this runtime has no event sources');
  if (!dnsLabel.test(namespace) || !dnsLabel.test(source)) {
    return refused(404, 'webhooks are at /webhooks/<namespace>/<event source>');
  }
  const origin = table.eventSourceUrl.replace('{namespace}', namespace).replace('{source}', source);
  return { kind: 'target', origin, path };
}

/** No dot segments, double slashes or backslashes, plain or escaped: what we match is what the target sees. */
function isPlain(place: string): boolean {
  if (!place.startsWith('/') || place.includes('//') || place.includes('\\')) return false;
  if (/%(2e|2f|5c|00)/i.test(place)) return false;
  return !place.split('/').some((segment) => segment === '.' || segment === '..');
}
