import { routes } from '@fairlead/contracts';
import type { AuditFilter } from '../../api/index.ts';

/** The browser loads it by itself, with the session's cookie. */
export function exportUrl(filter: AuditFilter, format: 'csv' | 'json'): string {
  return `${routes.exportAudit.path}?${new URLSearchParams({ ...filter, format })}`;
}
