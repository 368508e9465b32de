// ApplicationSets, to read. Policies call one by the project of its template.
import { type KubeObject, stringAt } from '@fairlead/kube';
import { type Context, Hono } from 'hono';
import type { ApiDeps } from './api-deps.ts';
import { ArgoError } from './argo-error.ts';
import { demand, may } from './authorize.ts';

const objectOf = (set: KubeObject) =>
  `${stringAt(set, 'spec', 'template', 'spec', 'project') || 'default'}/${set.metadata.name}`;
const reading = (set: KubeObject) => ({ resource: 'applicationsets', action: 'get', object: objectOf(set) }) as const;

export function applicationSetRoutes(deps: ApiDeps): Hono {
  const api = new Hono();
  const seen = (context: Context) => deps.applicationSets.list().filter((set) => may(deps, context, reading(set)));
  api.get('/', (context) => context.json({ metadata: {}, items: seen(context) }));
  api.get('/:name', (context) => {
    const name = context.req.param('name');
    const found = deps.applicationSets.list().find(({ metadata }) => metadata.name === name);
    if (!found) {
      demand(deps, context, { resource: 'applicationsets', action: 'get', object: `*/${name}` });
      throw new ArgoError('NotFound', `applicationsets.argoproj.io "${name}" not found`);
    }
    demand(deps, context, reading(found));
    return context.json(found);
  });
  return api;
}
