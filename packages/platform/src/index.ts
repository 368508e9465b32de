export { type AuditVerdict, verifyAuditExport } from './audit/index.ts';
export { platformRole } from './roles/platform.ts';
