// What the caller of a request may do, and the words of a refusal. Every route under /api/v1 asks here.
import { toKubeTime } from '@fairlead/base';
import type { Application } from '@fairlead/contracts';
import type { Context } from 'hono';
import type { Resource } from '../access/index.ts';
import type { ApiDeps } from './api-deps.ts';
import { ArgoError } from './argo-error.ts';

interface Wish {
  readonly resource: Resource;
  readonly action: string;
  readonly object: string;
}

export const may = ({ access }: ApiDeps, context: Context, { resource, action, object }: Wish): boolean =>
  access.permits(context.get('caller'), resource, action, object);

export function demand(deps: ApiDeps, context: Context, wish: Wish): void {
  if (may(deps, context, wish)) return;
  const { subject, issuedAt } = context.get('caller');
  const issued = issuedAt === undefined ? [] : [`iat: ${toKubeTime(issuedAt * 1000)}`];
  const words = [wish.resource, wish.action, wish.object, `sub: ${subject}`, ...issued];
  throw new ArgoError('PermissionDenied', `permission denied: ${words.join(', ')}`);
}

const projectOf = ({ spec }: Application) => spec?.project || 'default';

/** What policies call an application. */
export const applicationObject = (application: Application): string =>
  `${projectOf(application)}/${application.metadata.name}`;

/** What policies call a cluster or repository: with its project when it belongs to one. */
export const scopedObject = (project: string | undefined, name: string): string =>
  project ? `${project}/${name}` : name;

export const mayApplication = (deps: ApiDeps, context: Context, application: Application, action = 'get'): boolean =>
  may(deps, context, { resource: 'applications', action, object: applicationObject(application) });

export function demandApplication(deps: ApiDeps, context: Context, application: Application, action: string): void {
  demand(deps, context, { resource: 'applications', action, object: applicationObject(application) });
}

/**
 * The application of the path, when the caller may do one of `actions` with it. Nobody learns that an application exists
 * who may not see it: without `project` it is always "permission denied"; with it, "not found" to whoever may act there.
 */
export function applicationFor(deps: ApiDeps, context: Context, ...actions: readonly string[]): Application {
  const name = context.req.param('name') ?? '';
  const project = context.req.query('project');
  const denied = () => new ArgoError('PermissionDenied', 'permission denied');
  const missing = () => new ArgoError('NotFound', `applications.argoproj.io "${name}" not found`);
  const isAllowed = (object: string) =>
    actions.some((action) => may(deps, context, { resource: 'applications', action, object }));
  if (project && !isAllowed(`${project}/${name}`)) throw denied();
  const application = deps.store.get(name);
  if (!application || !isAllowed(applicationObject(application))) throw project ? missing() : denied();
  if (project && projectOf(application) !== project) throw missing();
  return application;
}
