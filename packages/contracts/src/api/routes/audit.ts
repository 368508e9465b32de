// The audit log.
import { Type } from 'typebox';
import { AuditPage } from '../people.ts';
import { route } from '../route.ts';
import { optionalMoment, optionalText, page } from './fields.ts';

const auditFilter = {
  actor: optionalText,
  /** Exact, or a prefix that ends with a dot: `application.` */
  action: optionalText,
  /** Name of what was acted on. */
  entity: optionalText,
  /** What kind of thing was acted on: `application`, `access-rule`, … */
  entityKind: optionalText,
  requestId: optionalText,
  outcome: optionalText,
  from: optionalMoment,
  to: optionalMoment,
};

export const auditRoutes = {
  listAudit: route({
    method: 'GET',
    path: '/api/v1/audit',
    summary: 'The audit log, newest first: every change and every denied attempt.',
    auth: 'user',
    needs: 'admin',
    query: Type.Object({ ...page, ...auditFilter }),
    response: AuditPage,
  }),
  exportAudit: route({
    method: 'GET',
    path: '/api/v1/audit/export',
    summary: 'The audit log, oldest first, 50,000 entries at most: JSON lines (which can be verified) or CSV.',
    auth: 'user',
    needs: 'admin',
    query: Type.Object({
      ...auditFilter,
      format: Type.Optional(Type.Union([Type.Literal('json'), Type.Literal('csv')])),
    }),
    response: Type.String(),
    produces: ['application/x-ndjson', 'text/csv'],
  }),
} as const;
