import { SYSTEM_ACCOUNT_ID } from '@pos/core/administration';
import { verifyAuditLogs } from '@pos/administration/audit';
import type { Database } from '@pos/store/database';
import { type DoctorFinding, ok, problem } from './finding.js';

/** Recomputes the audit log of the service itself. The worker does so once a day, and with the logs of accounts. */
export async function checkAuditLog(database: Database): Promise<DoctorFinding> {
  const logs = await verifyAuditLogs(database, SYSTEM_ACCOUNT_ID);
  const problems = logs.flatMap((log) => log.problems);
  if (problems.length > 0) {
    return problem('audit log', problems.join('; '), 'run audit verify, and find out who has changed the database');
  }
  const entries = logs.reduce((sum, { end }) => sum + end.length, 0);
  return ok('audit log', `the ${entries} entries of the service are as they were written`);
}
