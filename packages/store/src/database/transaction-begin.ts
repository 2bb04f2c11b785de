import { assert, requireValue } from '@pos/core/refusals';
import { ENVIRONMENTS, isId, type Scope } from '@pos/core/identity';
import type pg from 'pg';
import { awaitAll, getRows } from '../postgres/query-results.js';
import { type Statement, defineStatement } from '../postgres/statement.js';
import { pipeline } from '../postgres/pipeline.js';

/** Applies to the running transaction alone. It has no row, so it is no change. */
export const COMMIT_WITHOUT_FLUSH = defineStatement(
  'commit_without_flush',
  `select set_config('synchronous_commit', 'off', true)`,
);

/** All transactions share the clock; only the one that moves it has it exclusively. */
export type ClockLock = 'share' | 'update';

/** The times of a transaction. */
export interface TransactionTimes {
  readonly databaseNow: Date;
  readonly now: Date;
  readonly isClockFrozen: boolean;
}

interface ClockRow {
  readonly offset_ms: number | null;
  readonly standing_at: Date | null;
  readonly database_now: Date;
}

const BEGIN = { text: 'begin isolation level read committed' };
const CLOCKS = {
  share: defineClockStatement('share'),
  update: defineClockStatement('update'),
};

/**
 * The rows of the inner query are locked before the outer one reads the time. Production has no clock: one row of
 * nulls.
 */
function defineClockStatement(strength: ClockLock): Statement {
  return defineStatement(
    `lock_clock_for_${strength}`,
    `with clock as materialized (
       select offset_ms, standing_at from sandbox_clocks where account_id = $1 and environment = $2 for ${strength}
     )
     select offset_ms, standing_at, date_trunc('milliseconds', clock_timestamp()) as database_now
     from (select 1) as one left join clock on true`,
  );
}

/**
 * Sends BEGIN and reads the account's and the database's clock in one round trip; the time limits are the
 * connection's. The clock row is the first of all locks. The database's time is read after it, because an advance
 * may have delayed us.
 */
export async function beginTransaction(
  client: pg.Client,
  scope: Scope,
  clockLock: ClockLock,
): Promise<TransactionTimes> {
  requireScope(scope);
  const [, clockResult] = await awaitAll(
    pipeline(client, [
      { statement: BEGIN },
      { statement: CLOCKS[clockLock], values: [scope.accountId, scope.environment] },
    ]),
  );
  const clock = requireValue(getRows<ClockRow>(clockResult)[0], 'the time of the database');
  const { database_now: databaseNow, standing_at: frozenAt } = clock;
  const now = frozenAt ?? new Date(databaseNow.getTime() + (clock.offset_ms ?? 0));
  return { databaseNow, now, isClockFrozen: frozenAt !== null };
}

export function requireScope({ accountId, environment }: Scope): void {
  assert(isId('account', accountId), `not an account id: ${accountId}`);
  assert(ENVIRONMENTS.includes(environment), 'not an environment');
}
