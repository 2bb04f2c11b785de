import { assert, requireValue } from '@pos/core/refusals';
import { ENVIRONMENTS, isId, type Scope } from '@pos/core/identity';
import { defineStatement, type Statement } from '@pos/postgres/statements';

/** All transactions share the clock; only the one that moves it has it exclusively. */
export type ClockLock = 'share' | 'update';

/** The times of a transaction. */
export interface TransactionTimes {
  readonly databaseNow: Date;
  readonly now: Date;
  readonly isClockFrozen: boolean;
}

export interface ClockRow {
  readonly offset_ms: number | null;
  readonly standing_at: Date | null;
  readonly database_now: Date;
}

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
 * The first statement of a transaction: it reads the account's and the database's clock. The clock row is the first of
 * all locks. The database's time is read after it, because an advance may have delayed us.
 */
export function lockClock(
  scope: Scope,
  clockLock: ClockLock,
): { readonly statement: Statement; readonly values: readonly unknown[] } {
  requireScope(scope);
  return { statement: CLOCKS[clockLock], values: [scope.accountId, scope.environment] };
}

/** The times in the rows of that statement. */
export function readTimes([row]: readonly ClockRow[]): TransactionTimes {
  const { database_now: databaseNow, standing_at: frozenAt, offset_ms: offsetMs } = requireValue(row, 'the clock');
  const now = frozenAt ?? new Date(databaseNow.getTime() + (offsetMs ?? 0));
  return { databaseNow, now, isClockFrozen: frozenAt !== null };
}

export function requireScope({ accountId, environment }: Scope): void {
  assert(isId('account', accountId), `not an account id: ${accountId}`);
  assert(ENVIRONMENTS.includes(environment), 'not an environment');
}
