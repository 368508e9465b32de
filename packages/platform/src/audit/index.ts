export { type AuditContext, type AuditNote, appendAudit } from './append.ts';
export { type AuditVerdict, verifyAuditExport } from './chain.ts';
export { type AuditFilter, exportAudit, listAudit } from './read.ts';
