import type { PaymentIntentId } from '@pos/core/identity';
import { money, type Money } from '@pos/core/money';
import { defineStatement } from '@pos/postgres/statements';
import {
  column,
  defineRelation,
  enumKeyColumn,
  findRow,
  findRows,
  nullable,
  type RowOf,
} from '../relations/relation.js';
import type { Reader, Tx } from '../database/transaction.js';

export const depositClaims = defineRelation('deposit_claims', {
  intent_id: enumKeyColumn<PaymentIntentId>(),
  service_id: column.text,
  amount: column.bigint,
  currency: column.text,
  held_until: column.timestamp,
  starts_at: column.timestamp,
  ended_at: nullable(column.timestamp),
  claimed_at: column.timestamp,
  check_at: column.timestamp,
});

/** That a payment is the deposit of a party, by the id that the service has for the party. */
export interface DepositClaim {
  readonly intentId: PaymentIntentId;
  readonly serviceId: string;
  /** The part of the deposit that this payment covers. */
  readonly amount: Money;
  /** Until when the money is not returned; account time. */
  readonly heldUntil: Date;
  /** The earliest time at which the party may arrive; account time. */
  readonly startsAt: Date;
}

export interface StoredDepositClaim extends DepositClaim {
  /** The party has left with its deposit. */
  readonly isEnded: boolean;
}

const PUT = defineStatement(
  'put_deposit_claim',
  `insert into deposit_claims
     (account_id, environment, intent_id, service_id, amount, currency, held_until, claimed_at, check_at, starts_at)
   values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)
   on conflict (account_id, environment, intent_id) do update
     set amount = excluded.amount, currency = excluded.currency, held_until = excluded.held_until,
       starts_at = least(deposit_claims.starts_at, excluded.starts_at)
     where deposit_claims.service_id = excluded.service_id
   returning intent_id`,
);

const RELEASE = defineStatement(
  'release_deposit_claims',
  `delete from deposit_claims
   where account_id = $1 and environment = $2 and service_id = $3 and ended_at is null
     and intent_id <> all ($4::text[])
   returning intent_id`,
);

const RELEASE_ONE = defineStatement(
  'release_deposit_claim',
  `delete from deposit_claims
   where account_id = $1 and environment = $2 and intent_id = $3 and service_id = $4 and ended_at is null
   returning intent_id`,
);

const RELEASE_UNSTARTED = defineStatement(
  'release_unstarted_claims',
  `delete from deposit_claims
   where account_id = $1 and environment = $2 and service_id = $3 and ended_at is null and starts_at > $4
   returning intent_id`,
);

const SET_PART = defineStatement(
  'settle_deposit_claims',
  `update deposit_claims set amount = $5, held_until = $6, starts_at = $7
   where account_id = $1 and environment = $2 and intent_id = $3 and service_id = $4 returning intent_id`,
);

const END = defineStatement(
  'end_deposit_claims',
  `update deposit_claims set ended_at = $4
   where account_id = $1 and environment = $2 and service_id = $3 and ended_at is null returning intent_id`,
);

/**
 * Makes a payment the deposit of a party, or changes its part of it. False if it is the deposit of another party. Call it
 * under the row lock of the intent, so that the payment pays nothing else at the same time.
 */
export async function putDepositClaim(tx: Tx, claim: DepositClaim, checkAt: Date): Promise<boolean> {
  const { intentId, serviceId, amount, heldUntil, startsAt } = claim;
  const rows = await tx.query(PUT, [
    ...[tx.scope.accountId, tx.scope.environment, intentId, serviceId],
    ...[amount.value, amount.currencyCode, heldUntil, tx.databaseNow, checkAt, startsAt],
  ]);
  return rows.length > 0;
}

/** Makes the payments of a party free again, except these and those with which it has left. */
export async function releaseDepositClaims(
  tx: Tx,
  serviceId: string,
  kept: readonly PaymentIntentId[] = [],
): Promise<void> {
  await tx.query(RELEASE, [tx.scope.accountId, tx.scope.environment, serviceId, [...kept]]);
}

/** Makes one payment of a party free again. False if the party has left with it, or it is the party's no more. */
export async function releaseDepositClaim(
  tx: Tx,
  { intentId, serviceId }: Pick<DepositClaim, 'intentId' | 'serviceId'>,
): Promise<boolean> {
  const { accountId, environment } = tx.scope;
  return (await tx.query(RELEASE_ONE, [accountId, environment, intentId, serviceId])).length > 0;
}

/**
 * Makes the payments of a party free again that the EPOS does not have and that cannot have come yet. A party that may
 * have come keeps its payments, because it may have left with its bill.
 */
export async function releaseUnstartedClaims(tx: Tx, serviceId: string): Promise<void> {
  await tx.query(RELEASE_UNSTARTED, [tx.scope.accountId, tx.scope.environment, serviceId, tx.now]);
}

/** Makes these the only payments of a party, of those that it has. Payments with which it has left stay. */
export async function settleDepositClaims(
  tx: Tx,
  serviceId: string,
  claims: readonly Pick<DepositClaim, 'intentId' | 'amount' | 'heldUntil' | 'startsAt'>[],
): Promise<void> {
  await releaseDepositClaims(
    tx,
    serviceId,
    claims.map(({ intentId }) => intentId),
  );
  for (const { intentId, amount, heldUntil, startsAt } of claims) {
    const { accountId, environment } = tx.scope;
    await tx.query(SET_PART, [accountId, environment, intentId, serviceId, amount.value, heldUntil, startsAt]);
  }
}

/** A party has left with its deposit: nothing releases its payments any more. */
export async function endDepositClaims(tx: Tx, serviceId: string): Promise<void> {
  await tx.query(END, [tx.scope.accountId, tx.scope.environment, serviceId, tx.databaseNow]);
}

/** The party that a payment is the deposit of, or null. */
export async function findDepositClaim(reader: Reader, intentId: PaymentIntentId): Promise<StoredDepositClaim | null> {
  const row = await findRow(reader, depositClaims, { where: { intent_id: intentId } });
  return row === null ? null : toClaim(row);
}

/** The payments of a party's deposit. */
export async function listDepositClaims(reader: Reader, serviceId: string): Promise<readonly StoredDepositClaim[]> {
  return (await findRows(reader, depositClaims, { where: { service_id: serviceId } })).map(toClaim);
}

function toClaim(row: RowOf<typeof depositClaims>): StoredDepositClaim {
  return {
    ...{ intentId: row.intent_id, serviceId: row.service_id, amount: money(row.amount, row.currency) },
    ...{ heldUntil: row.held_until, startsAt: row.starts_at, isEnded: row.ended_at !== null },
  };
}
