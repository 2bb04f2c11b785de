import { isId, type TerminalSessionId } from '@pos/core/identity';
import { lockIntent } from './payment-intents.js';
import { lockSetup, verifySetupChain } from './setup-intents.js';
import { lockSession } from './terminal-sessions.js';
import { verifyChain, verifyRefundChain } from './ledger.js';
import { statement } from './statement.js';
import type { Database, Reader, Tx } from './database.js';

/** Whatever has a chain of records: a payment intent, a setup intent, the session of an unlinked refund. */
export interface ChainSubject {
  readonly id: string;
  readonly createdAt: Date;
}

/** What is wrong with the records of a subject, in words. */
export interface ChainFault extends ChainSubject {
  readonly faults: readonly string[];
}

/** Ids carry their kind in front, so one cursor goes through all three in turn. */
const SUBJECTS = statement(
  'chain_subjects',
  `select id, created_at from (
     (select id, created_at from payment_intents
      where account_id = $1 and environment = $2 and id > $3 order by id limit $4)
     union all
     (select id, created_at from setup_intents
      where account_id = $1 and environment = $2 and id > $3 order by id limit $4)
     union all
     (select id, created_at from terminal_sessions
      where account_id = $1 and environment = $2 and session_type = 'UnlinkedRefund' and id > $3
      order by id limit $4)
   ) subjects order by id limit $4`,
);

/** The next subjects of the account in the order of their ids; the first ones for an empty cursor. */
export async function chainSubjects(reader: Reader, after: string, limit: number): Promise<ChainSubject[]> {
  const { accountId, environment } = reader.scope;
  const rows = await reader.query<{ id: string; created_at: Date }>(SUBJECTS, [accountId, environment, after, limit]);
  return rows.map(({ id, created_at: createdAt }) => ({ id, createdAt }));
}

/**
 * Recomputes the chains of these subjects. What looks wrong is looked at once more under the subject's row lock: a record
 * that was added between two reads is no fault.
 */
export async function checkChains(
  database: Database,
  scope: Reader['scope'],
  subjects: readonly ChainSubject[],
): Promise<ChainFault[]> {
  const doubtful = await database.read(scope, async (reader) => {
    const faults = await Promise.all(subjects.map(({ id }) => faultsOf(reader, id)));
    return subjects.filter((_, at) => (faults[at] ?? []).length > 0);
  });
  const found: ChainFault[] = [];
  for (const subject of doubtful) {
    const faults = await database.transact(scope, async (tx) => {
      await lockSubject(tx, subject.id);
      return faultsOf(tx, subject.id);
    });
    if (faults.length > 0) found.push({ ...subject, faults });
  }
  return found;
}

function faultsOf(reader: Reader, id: string): Promise<string[]> {
  const { environment } = reader.scope;
  if (isId('paymentIntent', id, environment)) return verifyChain(reader, id);
  if (isId('setupIntent', id, environment)) return verifySetupChain(reader, id);
  return verifyRefundChain(reader, id as TerminalSessionId);
}

function lockSubject(tx: Tx, id: string): Promise<unknown> {
  const { environment } = tx.scope;
  if (isId('paymentIntent', id, environment)) return lockIntent(tx, id);
  return isId('setupIntent', id, environment) ? lockSetup(tx, id) : lockSession(tx, id);
}
