// The audit log: lists entries, records reads, and verifies the hash chains of audit log and ledger.
export { listAuditLog, recordAuditRead } from './audit-log.js';
export { hasAuditEntry, verifyAuditLogs } from './audit-verification.js';
export { verifyLedger } from './ledger-verification.js';
