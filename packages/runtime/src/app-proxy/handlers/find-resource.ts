import type { ResourceNode } from '@fairlead/contracts';
import type { ApplicationName, ArgoCdClient, EngineResource } from '../../argo-cd/index.ts';
import { ProxyError } from '../errors.ts';

export interface NamedResource {
  readonly group?: string;
  readonly kind: string;
  readonly namespace?: string;
  readonly resource: string;
}

/** The resource by its place in the application's tree, which knows its version; nothing outside the tree is reached. */
export async function findResource(
  engine: ArgoCdClient,
  app: ApplicationName,
  { named, signal }: { named: NamedResource; signal: AbortSignal },
): Promise<EngineResource> {
  const { nodes = [], orphanedNodes = [] } = await engine.resourceTree(app, { signal });
  const { group = '', kind, namespace = '', resource } = named;
  const found = [...nodes, ...orphanedNodes].find(
    (node) =>
      node.kind === kind &&
      node.name === resource &&
      (node.group ?? '') === group &&
      (node.namespace ?? '') === namespace,
  );
  if (found) return resourceOf(found);
  const place = namespace ? ` in namespace ${namespace}` : '';
  const what = `${[kind, group].filter(Boolean).join('.')} ${resource}${place}`;
  throw new ProxyError('not_found', `${what} is no part of application ${app.name}; see its tree for what is`);
}

export function resourceOf(node: ResourceNode): EngineResource {
  const { group = '', version = 'v1', kind, namespace = '', name, uid } = node;
  return { group, version, kind, namespace, name, uid };
}
