import { assert } from '@pos/core/refusals';
import type { CaptureId, PaymentIntentId } from '@pos/core/identity';
import { money } from '@pos/core/money';
import type { Capture, CaptureStatus } from '@pos/core/payment-intents';
import {
  column,
  definePartnerRelation,
  enumColumn,
  enumKeyColumn,
  findRows,
  insertRows,
} from '../relations/relation.js';
import { defineSingleRowChange, sql } from '@pos/postgres/statements';
import type { Reader, Tx } from '../database/transaction.js';

export const captures = definePartnerRelation('captures', {
  id: enumKeyColumn<CaptureId>(),
  intent_id: enumColumn<PaymentIntentId>(),
  number: column.integer,
  amount: column.bigint,
  tips_amount: column.bigint,
  status: enumColumn<CaptureStatus>(),
  created_at: column.timestamp,
});

/** The members of a capture that are read, as a row has them and as `CAPTURES_COLUMN` has them. */
export interface CaptureRow {
  readonly id: CaptureId;
  readonly amount: number;
  readonly tips_amount: number;
  readonly status: CaptureStatus;
  readonly created_at: Date | string;
}

/**
 * Expression of a select list over `payment_intents` of the scope $1, $2: captures as a JSON array, or null. Only for
 * reads without a lock: a statement that waits for the row lock reads the captures as of before the wait.
 */
export const CAPTURES_COLUMN = `(
    select json_agg(json_build_object('id', c.id, 'amount', c.amount, 'tips_amount', c.tips_amount,
      'status', c.status, 'created_at', c.created_at) order by c.number)
    from captures c where c.account_id = $1 and c.environment = $2 and c.intent_id = payment_intents.id) as captures`;

const SET_STATUS = defineSingleRowChange(
  'write_captures',
  sql.update('captures')`set status = ${4}
   where account_id = ${1} and environment = ${2} and id = ${3} and status = 'Created' returning id`,
);

/** The captures of the intent, in the order of their requests. */
export function listCaptureRows(reader: Reader, intentId: PaymentIntentId): Promise<CaptureRow[]> {
  return findRows(reader, captures, { where: { intent_id: intentId }, orderBy: 'number' });
}

/** The capture that a row stores; the intent has the currency. */
export function toCapture(row: CaptureRow, currency: string): Capture {
  return {
    id: row.id,
    amount: money(row.amount, currency),
    tipsAmount: money(row.tips_amount, currency),
    status: row.status,
    createdAt: new Date(row.created_at),
  };
}

/** Writes, with the next statement, the captures that a decision added to an intent, and the statuses that it changed. */
export function writeCaptures(
  tx: Tx,
  intentId: PaymentIntentId,
  { before, after }: { readonly before: readonly Capture[]; readonly after: readonly Capture[] },
): void {
  const added = after.slice(before.length).map((capture, index) => ({
    id: capture.id,
    intent_id: intentId,
    number: before.length + index + 1,
    amount: capture.amount.value,
    tips_amount: capture.tipsAmount.value,
    status: capture.status,
    created_at: capture.createdAt,
  }));
  insertRows(tx, captures, added);
  const { accountId, environment } = tx.scope;
  for (const [index, { id, status }] of before.entries()) {
    const concluded = after[index];
    assert(concluded?.id === id, `capture ${id} was removed from its intent`);
    if (concluded.status !== status) tx.enqueue(SET_STATUS, [accountId, environment, id, concluded.status]);
  }
}
