import { FairleadError } from '@fairlead/base';
import type { ApiClient, ApplicationId } from '@fairlead/contracts';

interface NamedResource {
  readonly group: string;
  readonly kind: string;
  readonly namespace: string;
  readonly resource: string;
}

/** `Deployment/web`, found in the application's tree; the case of the kind does not count. */
export async function parseResource(api: ApiClient, id: ApplicationId, text: string): Promise<NamedResource> {
  const [kind = '', name = '', ...rest] = text.split('/');
  if (!kind || !name || rest.length > 0) {
    throw new FairleadError('bad_usage', `resource ${text}: must be kind/name, e.g. Deployment/web`);
  }
  const { report } = await api.call('getApplication', { params: id });
  const known = [...report.resources, ...report.tree];
  const found = known.find((node) => node.kind.toLowerCase() === kind.toLowerCase() && node.name === name);
  if (!found) {
    throw new FairleadError('not_found', `${text} is no part of ${id.name}; fairlead app get ${id.name} lists what is`);
  }
  return { group: found.group ?? '', kind: found.kind, namespace: found.namespace ?? '', resource: found.name };
}
