import type { ApiKeyId } from '@pos/core/identity/identity';
import type { OperatorCall, OperatorCallAction } from '@pos/core/operators/operator-call';
import { type Cursor, type Direction, DIRECTIONS, type Page, buildPage } from '../database/page.js';
import { defineStatement } from '../postgres/statement.js';
import { column, insertRow, nullable, type RowOf, defineRelation, enumColumn } from '../relations/relation.js';
import type { Reader, Tx } from '../database/transaction.js';

/** Insert-only by grant. */
export const operatorCalls = defineRelation('operator_calls', {
  id: column.key,
  key_id: enumColumn<ApiKeyId>(),
  action: enumColumn<OperatorCallAction>(),
  subject: column.text,
  note: column.text,
  is_confirmed: column.boolean,
  outcome: enumColumn<OperatorCall['outcome']>(),
  state_before: nullable(column.text),
  state_after: nullable(column.text),
  created_at: column.timestamp,
});

/** Stores a call with the change it made, or by itself when it was refused. */
export async function insertOperatorCall(tx: Tx, call: Omit<OperatorCall, 'id' | 'createdAt'>): Promise<void> {
  insertRow(tx, operatorCalls, {
    id: await tx.newUuid(),
    key_id: call.keyId,
    action: call.action,
    subject: call.subject,
    note: call.note,
    is_confirmed: call.isConfirmed,
    outcome: call.outcome,
    state_before: call.stateBefore,
    state_after: call.stateAfter,
    created_at: tx.now,
  });
}

const LISTS = { older: defineListStatement('older'), newer: defineListStatement('newer') };

/** A page of the audit log, newest first. */
export async function listOperatorCalls(
  reader: Reader,
  { limit, cursor, direction }: { limit: number; cursor: Cursor | null; direction: Direction },
): Promise<Page<OperatorCall>> {
  const { accountId, environment } = reader.scope;
  const pageValues = [cursor?.createdAt ?? null, cursor?.id ?? null];
  const rows = await reader.query<RowOf<typeof operatorCalls>>(LISTS[direction], [
    ...[accountId, environment],
    ...pageValues,
    limit + 1,
  ]);
  return buildPage(rows.map(toCall), { limit, direction, cursor });
}

function defineListStatement(direction: Direction) {
  const { sign, order } = DIRECTIONS[direction];
  return defineStatement(
    `list_operator_calls_${direction}`,
    `select ${operatorCalls.columns.join(', ')} from operator_calls
     where account_id = $1 and environment = $2
       and ($3::timestamptz is null or (created_at, id) ${sign} ($3, $4::text))
     order by created_at ${order}, id ${order} limit $5`,
  );
}

function toCall(row: RowOf<typeof operatorCalls>): OperatorCall {
  return {
    id: row.id,
    keyId: row.key_id,
    action: row.action,
    subject: row.subject,
    note: row.note,
    isConfirmed: row.is_confirmed,
    outcome: row.outcome,
    stateBefore: row.state_before,
    stateAfter: row.state_after,
    createdAt: row.created_at,
  };
}
