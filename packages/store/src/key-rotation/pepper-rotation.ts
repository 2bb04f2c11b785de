import { DAY_MS } from '@pos/core/time';
import type { Database } from '../database/database.js';
import { getKeyStates, retirePreviousKey } from '../startup/key-checks.js';
import { KEY_ID_BYTES } from '../crypto/key-ids.js';
import { defineStatement } from '@pos/postgres/statements';

/** As long as answers are stored under idempotency keys. */
const OVERLAP_MS = 30 * DAY_MS;

const UNDER_OTHER_PEPPERS = defineStatement(
  'count_api_keys_under_other_peppers',
  `select id from api_keys where deleted_at is null and pepper_id <> $1 order by id`,
);
const RETAINED_BEFORE = defineStatement(
  'count_idempotency_keys_under_other_peppers',
  'select count(*)::int as count from idempotency_keys where created_at < $1 and keep_until > clock_timestamp()',
);

/** What would not be recognised any more without the previous pepper. */
export interface PepperOverlap {
  /** Since when the current pepper is written; null while none is replaced. */
  readonly since: Date | null;
  /** API keys that were not used since then. */
  readonly unusedApiKeys: readonly string[];
  /** Idempotency keys from before that are still stored, including those that were used again since then. */
  readonly idempotencyKeys: number;
  /** Whether the overlap lasted as long as idempotency keys are kept, and all API keys were used. */
  readonly isOver: boolean;
}

/** Reads what the previous pepper is still needed for. */
export async function getPepperOverlap(database: Database): Promise<PepperOverlap> {
  const { current, previous } = await getKeyStates(database.dataSource, 'KEY_PEPPER');
  if (current === null || previous === null) {
    return { since: null, unusedApiKeys: [], idempotencyKeys: 0, isOver: true };
  }
  const now = await database.now();
  return database.readSystem(async (reader) => {
    const id = current.subarray(0, KEY_ID_BYTES);
    const unused = await reader.query<{ id: string }>(UNDER_OTHER_PEPPERS, [id]);
    const [retained] = await reader.query<{ count: number }>(RETAINED_BEFORE, [previous.since]);
    return {
      since: previous.since,
      unusedApiKeys: unused.map((row) => row.id),
      idempotencyKeys: retained?.count ?? 0,
      isOver: unused.length === 0 && now.getTime() - previous.since.getTime() >= OVERLAP_MS,
    };
  });
}

/** Ends the overlap: processes that start from now on recognise no hash of the previous pepper. */
export function retirePreviousPepper(database: Database): Promise<boolean> {
  return retirePreviousKey(database.dataSource, 'KEY_PEPPER');
}
