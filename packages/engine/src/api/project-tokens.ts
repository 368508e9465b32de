// Tokens of a project's roles: given out and taken back. They are kept in the project itself, as Argo CD keeps them.
import { type KubeObject, retryOnConflict, stringAt } from '@fairlead/kube';
import { type Context, Hono } from 'hono';
import { groupsOf, isSameToken, roleNamed, roleSubject, roleTokens, withRoleTokens } from '../access/index.ts';
import type { ApiDeps } from './api-deps.ts';
import { ArgoError } from './argo-error.ts';
import { demand, may } from './authorize.ts';
import { jsonBody } from './read-body.ts';
import { answerIdentity, secondsIn } from './session.ts';

export function projectRoleRoutes(deps: ApiDeps, read: (name: string) => Promise<KubeObject>): Hono {
  const api = new Hono();

  /** Members of the role's groups may manage its tokens too. */
  const check = (context: Context, project: KubeObject, role: Record<string, unknown>) => {
    const wish = { resource: 'projects', action: 'update', object: project.metadata.name } as const;
    if (may(deps, context, wish)) return;
    const own = deps.access.groupsOf(context.get('caller'));
    if (!groupsOf(role).some((group) => own.includes(group))) demand(deps, context, wish);
  };

  const change = (name: string, next: (project: KubeObject) => KubeObject | undefined) =>
    retryOnConflict(async () => {
      const wanted = next(await read(name));
      if (wanted) await deps.client.update(wanted);
    });

  api.post('/:name/roles/:role/token', async (context) => {
    const { name, role } = context.req.param();
    const body = await jsonBody(context, {});
    const found = await read(name);
    const entry = roleNamed(found, role);
    if (!entry) throw new ArgoError('NotFound', `project '${name}' does not have role '${role}'`);
    check(context, found, entry);
    const id = stringAt(body, 'id') ?? '';
    const wanted = { subject: roleSubject(name, role), id, expiresInSeconds: secondsIn(body) };
    const { token, claims } = await deps.identities.issue(wanted).catch(answerIdentity);
    await change(name, (project) => {
      const known = roleTokens(project, role);
      if (known.some((other) => other.id === claims.id)) {
        throw new ArgoError('InvalidArgument', `Token id '${claims.id}' has been used. `);
      }
      const { expiresAt } = claims;
      const added = { id: claims.id, iat: claims.issuedAt, ...(expiresAt ? { exp: expiresAt } : {}) };
      return withRoleTokens(project, role, [added, ...known]);
    });
    return context.json({ token });
  });

  api.delete('/:name/roles/:role/token/:iat', async (context) => {
    const { name, role, iat } = context.req.param();
    const found = await read(name);
    const entry = roleNamed(found, role);
    if (!entry) return context.json({});
    check(context, found, entry);
    const gone = { id: context.req.query('id') ?? '', iat: Number(iat) };
    await change(name, (project) => {
      const known = roleTokens(project, role);
      const kept = known.filter((token) => !isSameToken(token, gone));
      return kept.length === known.length ? undefined : withRoleTokens(project, role, kept);
    });
    return context.json({});
  });
  return api;
}
