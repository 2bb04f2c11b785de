import type { OperatorCall, OperatorCallAction } from '@pos/core/operators';
import { type Cursor, type Direction, type Page, buildPage } from '../database/page.js';
import { column, insertRow, nullable, type RowOf, defineRelation, enumColumn } from '../relations/relation.js';
import { selectPage, selectRows } from '../relations/scoped-query.js';
import type { Reader, Tx } from '../database/transaction.js';

/** Insert-only by grant. */
export const operatorCalls = defineRelation('operator_calls', {
  id: column.key,
  key_id: enumColumn<OperatorCall['keyId']>(),
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

/** A page of the audit log, newest first. */
export async function listOperatorCalls(
  reader: Reader,
  page: { limit: number; cursor: Cursor | null; direction: Direction },
): Promise<Page<OperatorCall>> {
  const rows = await selectRows(reader, operatorCalls, (select) => selectPage(select, page));
  return buildPage(rows.map(toCall), page);
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
