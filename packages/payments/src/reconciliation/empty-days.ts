import type { Scope } from '@pos/core/identity';
import { createViolation } from '@pos/core/refusals';
import { addDays, toZonedDay } from '@pos/core/time';
import type { Database, Tx } from '@pos/store/database';
import { insertCoveredDays, lockReconciliation } from '@pos/store/reconciliation';
import { readTimeZone } from '@pos/store/repositories';
import { startFullPass } from './comparison-plan.js';
import { requireDeclaredAcquirer } from '../acquirer/declared-acquirers.js';
import { isDay } from './settlement-file-parser.js';

const DAYS_MAX = 31;

/** Days for which an acquirer states that it settled nothing beyond the imported files. */
export interface EmptyDays {
  readonly acquirer: string;
  /** Each day is `yyyy-mm-dd` by the acquirer's calendar; both are inclusive. */
  readonly from: string;
  readonly to: string;
}

/**
 * Stores that no file of these days will arrive, and makes the check of the days that wait for it due. `recordStatement`
 * runs in the same transaction. Refuses `validation_failed`: an unknown acquirer, a day that has not ended, and more than
 * 31 days.
 */
export async function declareEmptyDays(
  { database, recordStatement }: { readonly database: Database; readonly recordStatement: (tx: Tx) => Promise<void> },
  scope: Scope,
  { acquirer, from, to }: EmptyDays,
): Promise<readonly string[]> {
  await requireDeclaredAcquirer(database, scope, acquirer);
  const timeZone = await database.read(scope, readTimeZone);
  const days = listDays({ from, to }, toZonedDay(await database.now(), timeZone));
  return database.transact(scope, async (tx) => {
    await lockReconciliation(tx);
    insertCoveredDays(tx, { acquirer, days, fileHash: null });
    await startFullPass(tx);
    await recordStatement(tx);
    return days;
  });
}

function listDays({ from, to }: Pick<EmptyDays, 'from' | 'to'>, today: string): string[] {
  for (const [member, day] of Object.entries({ from, to })) {
    if (!isDay(day)) throw createViolation('validation_failed', member, 'must be a day as yyyy-mm-dd');
  }
  if (to >= today) throw createViolation('validation_failed', 'to', 'must be a day that has ended');
  if (from > to) throw createViolation('validation_failed', 'from', 'must not be after the last day');
  const days: string[] = [];
  for (let day = from; day <= to; day = addDays(day, 1)) {
    days.push(day);
    if (days.length > DAYS_MAX)
      throw createViolation('validation_failed', 'from', `must be at most ${DAYS_MAX} days before the last day`);
  }
  return days;
}
