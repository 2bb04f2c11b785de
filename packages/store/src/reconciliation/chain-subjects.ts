import { verifySubjectChain } from './chain-verification.js';
import type { Database, Reader } from '../database/database.js';
import { defineStatement } from '@pos/postgres/statements';

/** A subject with a chain of records: a payment intent, a setup intent, the session of an unlinked refund. */
export interface ChainSubject {
  readonly id: string;
  readonly createdAt: Date;
}

/** The problems in the records of a subject, as text. */
export interface BrokenChain extends ChainSubject {
  readonly problems: readonly string[];
}

/** Ids begin with their kind, so one cursor passes all three kinds in turn. */
const SUBJECTS = defineStatement(
  'list_chain_subjects',
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
export async function listChainSubjects(reader: Reader, after: string, limit: number): Promise<ChainSubject[]> {
  const { accountId, environment } = reader.scope;
  const rows = await reader.query<{ id: string; created_at: Date }>(SUBJECTS, [accountId, environment, after, limit]);
  return rows.map(({ id, created_at: createdAt }) => ({ id, createdAt }));
}

/**
 * Recomputes the chains of these subjects one after another, each in its own snapshot, so that a record that is
 * added meanwhile is no fault and no snapshot stays open for long.
 */
export async function verifyChains(
  database: Database,
  scope: Reader['scope'],
  subjects: readonly ChainSubject[],
): Promise<BrokenChain[]> {
  const broken: BrokenChain[] = [];
  for (const subject of subjects) {
    const problems = await database.readSnapshot(scope, (snapshot) => verifySubjectChain(snapshot, subject.id));
    if (problems.length > 0) broken.push({ ...subject, problems });
  }
  return broken;
}
