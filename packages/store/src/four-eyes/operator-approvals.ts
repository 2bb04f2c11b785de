import type {
  ChangeSource,
  OperatingSystemIdentity,
  OperatorApproval,
  OperatorApprovalState,
  OperatorOperation,
} from '@pos/core/administration';
import { assert, requireValue } from '@pos/core/refusals';
import type { SystemReader } from '../database/database.js';
import type { Tx } from '../database/transaction.js';
import { defineStatement } from '@pos/postgres/statements';

interface Row {
  readonly id: string;
  readonly operation: OperatorOperation;
  readonly target: Readonly<Record<string, unknown>>;
  readonly action_hash: Buffer;
  readonly source: ChangeSource;
  readonly state: OperatorApprovalState;
  readonly requested_by: string;
  readonly requester: { readonly operatingSystem: OperatingSystemIdentity | null };
  readonly reason: string;
  readonly requested_at: Date;
  readonly expires_at: Date;
  readonly decided_by: string | null;
  readonly decision_reason: string | null;
  readonly decided_at: Date | null;
  readonly done_at: Date | null;
}

const COLUMNS = `id, operation, target, action_hash, source, state, requested_by, requester, reason, requested_at, expires_at,
  decided_by, decision_reason, decided_at, done_at`;
const RULE = defineStatement('is_second_operator_required', 'select second_operator from operator_rules where id = 1');
const LOCK_RULE = defineStatement(
  'lock_second_operator_rule',
  'select second_operator from operator_rules where id = 1 for update',
);
const SET_RULE = defineStatement(
  'update_second_operator_rule',
  'update operator_rules set second_operator = $1 where id = 1 returning id',
);
const OWNS_RULE = defineStatement(
  'is_rule_owner',
  `select pg_has_role(current_user, relowner, 'member') as owns from pg_class where oid = 'operator_rules'::regclass`,
);
const INSERT = defineStatement(
  'insert_operator_approval',
  `insert into operator_approvals (id, operation, target, action_hash, source, state, requested_by, requester, reason,
     requested_at, expires_at)
   values ($1, $2, $3::jsonb, $4, $5, 'Waiting', $6, $7::jsonb, $8, $9, $10) returning id`,
);
const LOCK = defineStatement(
  'lock_operator_approval',
  `select ${COLUMNS} from operator_approvals where id = $1 for update`,
);
const LOCK_OPEN = defineStatement(
  'lock_open_approvals',
  `select ${COLUMNS} from operator_approvals
   where action_hash = $1 and state in ('Waiting', 'Approved') and expires_at > $2 order by requested_at, id for update`,
);
const LIST = defineStatement(
  'list_operator_approvals',
  `select ${COLUMNS} from operator_approvals order by requested_at desc, id desc limit $1`,
);
const DECIDE = defineStatement(
  'decide_operator_approval',
  `update operator_approvals set state = $2, decided_by = $3, decision_reason = $4, decided_at = $5
   where id = $1 and state = 'Waiting' returning id`,
);
const USE = defineStatement(
  'complete_operator_approval',
  `update operator_approvals set state = 'Done', done_at = $2 where id = $1 and state = 'Approved' returning id`,
);

/** Whether changes of operators need a second one. */
export async function isSecondOperatorRequired(reader: Pick<Tx, 'query'> | SystemReader): Promise<boolean> {
  const [row] = await reader.query<{ readonly second_operator: boolean }>(RULE, []);
  return requireValue(row, 'the row of operator_rules').second_operator;
}

/** The same; changes of it and new requests wait until the transaction ends. */
export async function lockSecondOperatorRule(tx: Tx): Promise<boolean> {
  const [row] = await tx.query<{ readonly second_operator: boolean }>(LOCK_RULE, []);
  return requireValue(row, 'the row of operator_rules').second_operator;
}

/** Needs `lockSecondOperatorRule`. */
export async function updateSecondOperatorRule(tx: Tx, isRequired: boolean): Promise<void> {
  await tx.query(SET_RULE, [isRequired]);
}

/** Whether the connection is of the owner of the database. */
export async function isRuleOwner(tx: Tx): Promise<boolean> {
  const [row] = await tx.query<{ readonly owns: boolean }>(OWNS_RULE, []);
  return row?.owns === true;
}

/** A request to store. */
export type NewOperatorApproval = Omit<
  OperatorApproval,
  'state' | 'decidedBy' | 'decisionReason' | 'decidedAt' | 'doneAt'
>;

export async function insertOperatorApproval(tx: Tx, request: NewOperatorApproval): Promise<void> {
  const { id, operation, target, actionHash, source, requestedBy, operatingSystem, reason } = request;
  await tx.query(INSERT, [
    ...[id, operation, JSON.stringify(target), actionHash, source, requestedBy, JSON.stringify({ operatingSystem })],
    ...[reason, request.requestedAt, request.expiresAt],
  ]);
}

export async function lockOperatorApproval(tx: Tx, id: string): Promise<OperatorApproval | null> {
  const [row] = await tx.query<Row>(LOCK, [id]);
  return row === undefined ? null : toApproval(row);
}

/** The requests of a change that wait or are approved and have not expired, locked until the transaction ends. */
export async function lockOpenApprovals(tx: Tx, actionHash: Buffer): Promise<OperatorApproval[]> {
  return (await tx.query<Row>(LOCK_OPEN, [actionHash, tx.databaseNow])).map(toApproval);
}

/** The requests, newest first. */
export async function listOperatorApprovals(reader: SystemReader, limit: number): Promise<OperatorApproval[]> {
  return (await reader.query<Row>(LIST, [limit])).map(toApproval);
}

/** Stores a decision about a request that waits, which the transaction has locked. */
export async function decideOperatorApproval(
  tx: Tx,
  id: string,
  decision: { readonly state: 'Approved' | 'Refused'; readonly decidedBy: string; readonly reason: string },
): Promise<void> {
  const { state, decidedBy, reason } = decision;
  const rows = await tx.query(DECIDE, [id, state, decidedBy, reason, tx.databaseNow]);
  assert(rows.length === 1, `request ${id} was not waiting`);
}

/** Ends an approved request, in the transaction that does its change. */
export async function completeOperatorApproval(tx: Tx, id: string): Promise<void> {
  const rows = await tx.query(USE, [id, tx.databaseNow]);
  assert(rows.length === 1, `request ${id} was not approved`);
}

function toApproval(row: Row): OperatorApproval {
  const { id, operation, target, source, state, reason } = row;
  return {
    ...{ id, operation, target, source, state, reason, actionHash: row.action_hash, requestedBy: row.requested_by },
    ...{ operatingSystem: row.requester.operatingSystem, requestedAt: row.requested_at, expiresAt: row.expires_at },
    ...{ decidedBy: row.decided_by, decisionReason: row.decision_reason, decidedAt: row.decided_at },
    doneAt: row.done_at,
  };
}
